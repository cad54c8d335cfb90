import { randomUUID } from "node:crypto";
import type { State } from "../../memory/state/state.ts";
import type { OwnCommand } from "../../notes/own-commands.ts";
import { type OwnerCommand, recogniseCommand } from "../../perceive/commands.ts";
import { perceiveInput } from "../../perceive/perceive-input.ts";
import { joinLabels } from "../../signal/label.ts";
import { isDecision, type ReviewStep } from "../../signal/review.ts";
import type { Signal } from "../../signal/signal.ts";
import type { Clock } from "../../text/clock.ts";
import { familiarCommand } from "../../text/familiar-commands.ts";
import { stringsIn } from "../../text/json.ts";
import { isFromPipe } from "../../turn/attached-text.ts";
import { makeRunOnce } from "../../turn/idempotent-requests.ts";
import type { SubmitResult } from "../../turn/submit-result.ts";
import type { Loop } from "../../turn/turn-loop.ts";
import type { AgentInput } from "./local-agent.ts";
import type { OwnerWords } from "./resources/agent.ts";
import type { GuardedState } from "./resources/guard-state.ts";
import type { OwnSkills } from "./resources/open-own-skills.ts";

/** What taking input needs. */
export type InputParts = {
  readonly loop: Loop;
  readonly guarded: GuardedState;
  readonly requests: State["requests"];
  readonly clock: Clock;
  /** The tags that make a note private. */
  readonly privacyTags: readonly string[];
  /** The commands that the owner wrote. */
  readonly ownCommands: () => Promise<readonly OwnCommand[]>;
  readonly skills: Pick<OwnSkills, "refresh" | "warm"> & {
    /** Whether a skill that a session may use has a command of this name, or is named so. */
    readonly hasCommand: (name: string, session: string) => Promise<boolean>;
  };
};

const takesNoPipe: SubmitResult = {
  kind: "refused",
  code: "takes-no-pipe",
  text: "A command takes nothing by a pipe. Nothing was done. Say in words what is to be done with it, or call the command with </dev/null.",
};

/** Whether calls may run at a command: a yes is for skills as they stand now, not for one that was disabled since the question. A no is among them, so that of several answers the first counts. */
function mayAct(command: OwnerCommand): boolean {
  return isTurnOfItsOwn(command) || ["approve", "deny", "always", "plan"].includes(command.kind);
}

/** Takes words and commands of this process, and signals of clients. */
export function makeAgentInput({
  loop,
  guarded,
  requests,
  clock,
  ownCommands,
  skills,
  privacyTags,
}: InputParts): AgentInput {
  const submit = async (signal: Signal, command: OwnerCommand | null = null): Promise<SubmitResult> =>
    loop.submit(await asTagged(privacyTags, signal, command));
  const runCommand = async (command: OwnerCommand, signal: Signal): Promise<SubmitResult> =>
    loop.runCommand(command, await asTagged(privacyTags, signal, command));
  const handleSignal: AgentInput["handleSignal"] = async (signal) => {
    if (!(await guarded.isIntact()))
      return { kind: "refused", code: "state-gone", text: guarded.declareGone() };
    const command = recogniseCommand(signal);
    if (command === null || mayAct(command) || command.kind === "unknown-command") {
      await skills.refresh();
      // What the owner commands is judged at once; where a model is asked, there is time until it answers.
      if (command !== null && isTurnOfItsOwn(command)) skills.warm();
    }
    if (command?.kind === "review" && command.request.verb === "each")
      return takeEach(command.request.steps, { signal, loop, handleSignal });
    if (command?.kind === "send") return sendHeldBack({ loop, turns: guarded.state.turns }, signal);
    const own =
      command?.kind === "unknown-command"
        ? ((await expand(command, signal, ownCommands)) ?? (await commandOfSkill(command, signal, skills)))
        : null;
    if (own !== null) return submit(own);
    const meant = command?.kind === "unknown-command" ? familiarCommand(command.name, command.given) : null;
    if (meant !== null && "means" in meant) return handleSignal({ ...signal, text: meant.means });
    if (command !== null && typeof signal.payload["piped"] === "string") return takesNoPipe;
    return command === null || isTurnOfItsOwn(command)
      ? submit(signal, command)
      : runCommand(command, signal);
  };
  return {
    handleSignal,
    runOnce: makeRunOnce(requests),
    async say(words) {
      const perceived = perceiveWords({ ...words, at: clock() });
      if (!perceived.ok) return { kind: "refused", code: perceived.code, text: perceived.message };
      return handleSignal(perceived.signal);
    },
    async runCommand(command, session, clientId = null) {
      const words = { session: session || "none", text: "/command", source: "cli", at: clock() } as const;
      const perceived = perceiveWords({ ...words, clientId });
      if (!perceived.ok) return { kind: "refused", code: perceived.code, text: perceived.message };
      if (mayAct(command)) await skills.refresh();
      return runCommand(command, perceived.signal);
    },
  };
}

/**
 * The owner's words, private where they tag them so, whatever they are said for. A command of a client has
 * its words in itself.
 */
async function asTagged(
  privacyTags: readonly string[],
  signal: Signal,
  command: OwnerCommand | null,
): Promise<Signal> {
  if (signal.person !== "owner") return signal;
  const { taggedNote, taggedWords } = await import("./tagged-words.ts");
  const said = command?.kind === "note" ? taggedNote(command.text, signal, privacyTags) : signal;
  const texts = [said.text, ...stringsIn(command).map(({ text }) => text)];
  const piped = said.payload["piped"];
  // In a log or a program the other tags may be words.
  const sure = privacyTags.filter((tag) => /[@%]/.test(tag));
  return taggedWords(taggedWords(said, texts, privacyTags), typeof piped === "string" ? [piped] : [], sure);
}

type Steps = {
  readonly signal: Signal;
  readonly loop: Pick<Loop, "whenSettled">;
  readonly handleSignal: AgentInput["handleSignal"];
};

/** Takes several steps of the review inbox one after the other, as if each had been said alone: each has its own turn, its own outcome and its own way back. */
async function takeEach(
  steps: readonly ReviewStep[],
  { signal, loop, handleSignal }: Steps,
): Promise<SubmitResult> {
  const { id: signalId, clientId, payload } = signal;
  const results: SubmitResult[] = [];
  for (const [index, { verb, id }] of steps.entries()) {
    const part = index === steps.length - 1 ? "" : `/${index + 1}`;
    const text = `/review ${verb} ${id}`;
    const result = await handleSignal({
      ...signal,
      id: signalId + part,
      clientId: clientId === null ? null : clientId + part,
      text,
      payload: { ...payload, text },
    });
    if (result.kind === "turn") await loop.whenSettled(result.turn);
    results.push(result);
  }
  const said = results.flatMap((result) => (result.kind === "said" ? [result] : []));
  const last = results.at(-1) ?? { kind: "said", code: "not-done", text: "Nothing was named." };
  if (last.kind !== "said") return last;
  const failed = said.find(({ code }) => code === "not-done");
  return { ...last, code: failed?.code ?? last.code, text: said.map(({ text }) => text).join("\n") };
}

/** The words of a command that the owner wrote, said as their own; null where there is no such command. */
async function expand(
  { name, given }: Extract<OwnerCommand, { readonly kind: "unknown-command" }>,
  signal: Signal,
  ownCommands: InputParts["ownCommands"],
): Promise<Signal | null> {
  const found = (await ownCommands()).find((command) => command.name === name);
  if (found === undefined) return null;
  const { wordsOfCommand } = await import("../../notes/own-commands.ts");
  const text = wordsOfCommand(found, given);
  const label = joinLabels(signal.label, found.label);
  return { ...signal, text, label, payload: { ...signal.payload, text, expanded: name } };
}

/** A command of a skill is said as it was typed: the skill's own text stands beside it, and licenses nothing. Null where no skill has it. */
async function commandOfSkill(
  { name }: Extract<OwnerCommand, { readonly kind: "unknown-command" }>,
  signal: Signal,
  { hasCommand }: InputParts["skills"],
): Promise<Signal | null> {
  if (!(await hasCommand(name, signal.session))) return null;
  return { ...signal, payload: { ...signal.payload, expanded: name } };
}

/**
 * Says the last message of the session again, as it is, to the provider for which it was held back because of
 * private words. What was known of its words, such as that they were pasted or tagged, is known of them
 * still.
 */
async function sendHeldBack(
  { loop, turns }: { readonly loop: Pick<Loop, "submit">; readonly turns: State["turns"] },
  signal: Signal,
): Promise<SubmitResult> {
  const [last] = await turns.ofSession(signal.session, { limit: 1 });
  if (last?.code !== "private-words") {
    const text = "No message of this session is held back. Nothing was sent.";
    return { kind: "said", code: "not-done", text };
  }
  const { text, payload } = last.signal;
  const [piped] = last.messages.flatMap((one) =>
    one.role === "attachment" && isFromPipe(one) ? [one.text] : [],
  );
  // It is a turn of its own now, whichever turn it was said for.
  const { steer: _, ...said } = payload;
  const again = { ...said, text, ...(piped === undefined ? {} : { piped }) };
  const label = joinLabels(signal.label, last.signal.label);
  const { heldFor } = last;
  const named = heldFor === undefined ? {} : { asIsFor: heldFor };
  return loop.submit({ ...signal, text, label, sendAsIs: true, ...named, payload: again });
}

function perceiveWords({
  text,
  pasted = false,
  pastes = [],
  attachments = [],
  piped = "",
  clientId = null,
  ...from
}: OwnerWords & { readonly at: number; readonly clientId?: string | null }) {
  return perceiveInput({
    ...from,
    id: randomUUID(),
    clientId,
    person: "owner",
    sensor: "user-input",
    payload: {
      text,
      ...(pasted ? { pasted } : {}),
      ...(pastes.length > 0 ? { pastes } : {}),
      ...(attachments.length > 0 ? { attachments } : {}),
      ...(piped === "" ? {} : { piped }),
    },
  });
}

/** Commands that are a turn of their own: judged, journalled, and answered by reflex. */
function isTurnOfItsOwn(command: OwnerCommand): boolean {
  const { kind } = command;
  if (kind === "review") return isDecision(command.request);
  return kind === "run" || kind === "note" || kind === "agenda" || kind === "search" || kind === "continue";
}
