import { resolveReferences, standsInAny } from "../../../act/flow/references.ts";
import type { State } from "../../../memory/state/state.ts";
import { mostHistoryTokens } from "../../../reason/prepare-prompt.ts";
import type { EndorsableValue } from "../../../signal/approval.ts";
import type { AttachmentMessage } from "../../../signal/attachment.ts";
import type {
  ApprovedCall,
  CalledResult,
  CallsOfTurn,
  FailedCall,
  OtherTurn,
  WrittenFiles,
} from "../../../signal/called-result.ts";
import type { Label, LabelledValue } from "../../../signal/label.ts";
import { conversationLabel, type Message } from "../../../signal/message.ts";
import { isJobSignal, pastesOf } from "../../../signal/signal.ts";
import { rootOf, subTaskOf } from "../../../signal/sub-task.ts";
import type { Caller, TurnSources } from "../../../signal/tool.ts";
import { type LostRight, type Turn, turnOrigin } from "../../../signal/turn.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../text/json.ts";
import { typedWords } from "../../../text/words/typed-words.ts";
import { findDeferralContext } from "../resources/file-locks.ts";
import { localDay } from "../resources/local-day.ts";
import { earlierChanges } from "./earlier-changes.ts";
import { placesOfSubTasks } from "./places-of-sub-tasks.ts";

/** What a caller is made of besides the state. */
export type CallerParts = {
  readonly contacts: TurnSources["contacts"];
  readonly writtenFiles: (results: readonly CalledResult[], folder: string) => Promise<WrittenFiles>;
  /** Messages with the labels that the files give them now which they were read from. */
  readonly labelNow: (messages: readonly Message[]) => Promise<readonly Message[]>;
  /** What the owner took away since, on which a turn stands; null while all of it holds. */
  readonly findLostRight: (turn: Turn) => Promise<LostRight | null>;
  readonly skills: (
    turn: Turn,
    workspace: string | null,
    past: readonly Message[],
  ) => Promise<Caller["skills"] | null>;
};

/**
 * The caller of a turn's actions: its person and workspace, and the words and results that its arguments may
 * come from. Its history holds all that a prompt can hold. `withoutWords`: as if the owner had said nothing.
 */
export async function callerOfTurn(
  state: State,
  { contacts, writtenFiles, labelNow, findLostRight, skills }: CallerParts,
  given: Turn,
  about = { withoutWords: false },
): Promise<Caller> {
  const isStrange = (await findLostRight(given)) !== null;
  const withoutWords = about.withoutWords || isStrange;
  const turn = { ...given, messages: await labelNow(given.messages) };
  const history = seesPast(turn)
    ? await state.turns.history(turn.session, { tokens: mostHistoryTokens })
    : [];
  const messages = [...(await labelNow(history)), ...turn.messages];
  const deferral = await findDeferralContext(state, turn);
  const signals = deferral === null ? [turn.signal] : [turn.signal, deferral.signal];
  const words = signals.map(({ id, text, label }): Known => [id, { value: text, label }]);
  const workspace = (await state.sessions.get(turn.session))?.workspace ?? null;
  const usable = (await skills(turn, workspace, history)) ?? null;
  const subTask = subTaskOf(turn.signal);
  // What the owner said in the turn that began a sub-task allows there what it allows here, and nothing else does.
  const begun = subTask === null ? turn : await state.turns.get(subTask.root);
  const said: readonly Known[] =
    begun === null || begun === turn
      ? []
      : [[begun.signal.id, { value: begun.signal.text, label: begun.signal.label }], ...laterWords(begun)];
  const folder = subTask?.folder ?? workspace;
  const called = calledResults(turn);
  return {
    turn: turn.id,
    ...turnOrigin(turn),
    // A stranger may converse, and nothing more.
    ...(isStrange && { person: "unproved" }),
    workspace: folder,
    ...(subTask === null ? {} : { subTask }),
    known: new Map([
      ...(withoutWords ? [] : [...words, ...said, ...laterWords(turn)]),
      ...knownResults(messages),
    ]),
    sources: {
      ...(begun === null || withoutWords ? { words: [] } : ownersWords(begun)),
      ...called,
      otherTurns: () => callsOfOtherTurns(state, turn),
      contacts,
      ...(await answersOfTurn(state, turn)),
      // Without a folder only whole paths name a file.
      writtenFiles: () => writtenFiles(called.results, folder ?? "/"),
      changed: () => earlierChanges(state, begun ?? turn),
    },
    bases: deferral?.bases ?? new Map(),
    ...(usable === null ? {} : { skills: usable }),
    promptLabel: labelOfProposer(turn) ?? conversationLabel(messages),
  };
}

/** Whether a turn sees what was said in its session before. A run of a job sees nothing of the runs before it, nor what its owner said there. */
export function seesPast({ signal }: Pick<Turn, "signal">): boolean {
  return !isJobSignal(signal);
}

/**
 * What the model had been shown that made the latest proposal; null before the first. What was withheld from
 * it is no part of that.
 */
function labelOfProposer({ messages }: Turn): Label | null {
  const latest = messages.findLast(({ role }) => role === "assistant");
  return latest?.role === "assistant" ? latest.label : null;
}

/** A value of the turn under its id. */
type Known = readonly [id: string, LabelledValue<Json>];

/** What the owner said in the turn after its first words: why they denied something. */
function laterWords({ id, messages }: Turn): readonly Known[] {
  return messages.flatMap((message, index): readonly Known[] =>
    message.role === "user" && index > 0
      ? [[`${id}/${index}`, { value: message.text, label: message.label }]]
      : [],
  );
}

function knownResults(messages: readonly Message[]): readonly Known[] {
  return messages.flatMap((message): readonly Known[] => {
    if (message.role === "attachment") {
      const { id, content, label } = readOf(message);
      return [[id, { value: content, label }]];
    }
    if (message.role !== "result" || message.result.outcome.status !== "success") return [];
    const { id, outcome, label, fields = [] } = message.result;
    return [[id, { value: outcome.content, label, fields }]];
  });
}

/** What the owner typed in this turn, also while it ran, and why they denied something in it. Words of any other person license nothing. */
function ownersWords({
  signal,
  messages,
}: Turn): Pick<TurnSources, "words" | "pasted" | "reasons" | "today"> {
  if (signal.person !== "owner" || signal.label.integrity !== "user") return { words: [] };
  const later = messages
    .slice(1)
    .flatMap((message) => (message.role === "user" && message.label.integrity === "user" ? [message] : []));
  const [steering, reasons] = [true, false].map((steers) =>
    later.filter((message) => (message.steers === true) === steers),
  );
  const said = [{ text: signal.text, pastes: pastesOf(signal) }, ...(steering ?? [])];
  const pasted = said.flatMap(({ pastes = [] }) => pastes);
  return {
    words: said.map(({ text, pastes = [] }) => typedWords(text, pastes)),
    ...(pasted.length > 0 && { pasted }),
    today: localDay(signal.at),
    reasons: (reasons ?? []).map(({ text }) => text),
  };
}

/**
 * The calls of this turn with what came of them. What a call referred to stands in it as a value. A result belongs to the call of its id in the answer before it: a
 * model may use an id again.
 */
function calledResults({ signal, messages, resultsBefore = 0 }: Turn): CallsOfTurn {
  const calls = new Map<string, JsonObject>();
  const results: CalledResult[] = [];
  const failed: FailedCall[] = [];
  const contents: Json[] = [signal.text];
  let number = resultsBefore;
  for (const message of messages) {
    if (message.role === "user") contents.push(message.text);
    if (message.role === "attachment") {
      const read = readOf(message);
      results.push(read);
      contents.push(read.content);
    }
    if (message.role === "assistant")
      for (const { id, action } of message.calls) calls.set(id, argumentsGiven(action.payload));
    if (message.role !== "result") continue;
    number += 1;
    const { id, tool, outcome, label } = message.result;
    const given = calls.get(message.callId) ?? {};
    const isKnownText = (text: string): boolean => standsInAny(text, contents);
    const resolved = resolveReferences(given, { results, isKnownText });
    const args = resolved.ok ? resolved.args : given;
    if (outcome.status !== "success") {
      failed.push({ tool, args, code: outcome.code, message: outcome.message, place: results.length });
      continue;
    }
    results.push({ id, number, tool, args, content: outcome.content, label });
    contents.push(outcome.content);
  }
  return { results, failed };
}

/**
 * The calls of all turns that work for the request of a turn: the turn that the owner began, and its
 * sub-tasks.
 */
async function callsOfOtherTurns(state: State, turn: Turn): Promise<readonly OtherTurn[]> {
  const root = rootOf(turn);
  const others = [root, ...(await state.subTasks.turnsUnder(root))].filter((id) => id !== turn.id);
  const turns = await Promise.all(others.map((id) => state.turns.get(id)));
  const placeOf = placesOfSubTasks(turn);
  return turns.flatMap((other) =>
    other === null ? [] : [{ ...calledResults(other), place: placeOf(other.signal) }],
  );
}

/** A file that the owner attached, as what the tool that reads files would have given of it. */
function readOf({ file: { digest, path }, text, label }: AttachmentMessage): CalledResult {
  return { id: digest, tool: "read-file", args: { path }, content: { path, text }, label };
}

function argumentsGiven(payload: JsonObject): JsonObject {
  const { args } = payload;
  return isJsonObject(args) ? args : payload;
}

/** The calls that the owner approved in this turn, and the values that they endorsed with it. */
async function answersOfTurn(
  state: State,
  turn: Turn,
): Promise<{ readonly approved: readonly ApprovedCall[]; readonly endorsed: readonly EndorsableValue[] }> {
  const asked = await state.approvals.byTurn(turn.id, turn.session);
  const approvals = asked.filter((one) => one.state === "approved");
  const approved = approvals.map(({ action: { target, payload } }): ApprovedCall => {
    const { tool, args } = payload;
    return { tool: typeof tool === "string" ? tool : target, args: isJsonObject(args) ? args : payload };
  });
  const endorsed = approvals.flatMap((one) => (one.endorsed === true ? (one.endorsable ?? []) : []));
  return { approved, endorsed };
}
