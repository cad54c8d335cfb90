import type { State } from "../memory/state/state.ts";
import type { Call } from "../signal/action.ts";
import type { JournalEntry } from "../signal/journal-entry.ts";
import { secrecyOf } from "../signal/label.ts";
import { isSubTaskSignal, isTextRequest } from "../signal/signal.ts";
import type { FileChange, Outcome, ToolResult } from "../signal/tool.ts";
import { isFinal, type Turn } from "../signal/turn.ts";
import { shorten } from "../text/cut-text.ts";
import { onlyWritesFiles } from "./call-queue.ts";
import { endOfKilledLine, type KilledLineParts } from "./end-of-killed-line.ts";
import { type EndTurnParts, finishTurn } from "./end-turn.ts";
import { expireApproval } from "./expire-approvals.ts";
import { isBufferEdit, type RecoverBufferEditParts, recoverBufferEdit } from "./recover-buffer-edit.ts";
import type { AppendToJournal } from "./step-ports.ts";

/** What resuming a turn of a former process needs. */
export type RecoverTurnParts = EndTurnParts &
  KilledLineParts &
  RecoverBufferEditParts & {
    readonly state: Pick<State, "journal" | "changes" | "sessions">;
    readonly journal: AppendToJournal;
    readonly stateOfFile: LookAtFile;
    /** Takes back what a turn made of these changes, each kept and journalled like any undo. */
    readonly revertChanges: (
      turn: Pick<Turn, "id" | "session">,
      changes: readonly FileChange[],
    ) => Promise<void>;
  };

/** How a file is after a call was cut off; `other`: neither as before nor as after it, or not to be read. */
export type FileState = "before" | "after" | "other";

/**
 * How a file is after a call was cut off that was about to change it: of one that an editor holds, by its
 * buffer.
 */
export type LookAtFile = (change: FileChange) => Promise<FileState>;

/** Whether an unfinished turn of a former process goes on, and what the person must be told. */
export type TurnRecovery = { readonly runs: boolean; readonly reports: readonly string[] };

/**
 * Decides how a turn goes on from what is on the disk. A call that was running is decided by the digests of its intent where it changed
 * files: one that was cut off between them is taken back and made anew. A command line is decided by what was
 * kept of it. Any other call without an outcome is reported as unknown and never repeated. A text that the
 * program wanted for itself is not asked for again.
 */
export async function recoverTurn(parts: RecoverTurnParts, turn: Turn): Promise<TurnRecovery> {
  if (isTextRequest(turn.signal) && !isFinal(turn.state)) return endTextRequest(parts, turn);
  switch (turn.state) {
    case "queued":
      return goOn(parts, turn, "It had not begun, and begins now.");
    case "thinking":
    case "judging":
      return goOn(parts, turn, "It goes on now.");
    case "suspended":
      await expireApproval(parts, turn);
      return { runs: false, reports: [] };
    case "acting":
      return decideActing(parts, turn);
    case "answered":
    case "blocked":
    case "failed":
    case "stopped":
      return { runs: false, reports: [] };
  }
}

/** Nobody is there any more who would take the text, so no model is paid for it. */
async function endTextRequest(parts: RecoverTurnParts, turn: Turn): Promise<TurnRecovery> {
  const { ifCutOff } = turn.signal.payload;
  const text =
    typeof ifCutOff === "string"
      ? ifCutOff
      : "Passepartout ended while a model wrote this. It is asked anew where it is still wanted.";
  await finishTurn(parts, turn, { state: "stopped", code: "cut-off", text });
  return { runs: false, reports: typeof ifCutOff === "string" ? [text] : [] };
}

/**
 * A turn that goes on, and the owner's words of it with what became of it. A sub-task is a part of a turn of
 * which the same is said.
 */
async function goOn(parts: RecoverTurnParts, turn: Turn, what: string): Promise<TurnRecovery> {
  if (isSubTaskSignal(turn.signal)) return { runs: true, reports: [] };
  const session = await parts.state.sessions.get(turn.session);
  const words = parts.filter(turn.signal.text).trim().replaceAll(/\s+/g, " ");
  const shown = shorten(words, longestWords);
  const where = session?.name ?? turn.session.slice(0, 8);
  return {
    runs: true,
    reports: [`Passepartout ended in the middle of "${shown}" (session ${where}). ${what}`],
  };
}

/** Characters of the owner's words that are shown. */
const longestWords = 80;

async function decideActing(parts: RecoverTurnParts, turn: Turn): Promise<TurnRecovery> {
  const call = turn.pending[0];
  if (call === undefined || turn.running === null) return goOn(parts, turn, "It goes on now.");
  const { intent, outcome } = await lastOf(parts, turn);
  if (intent !== null && outcome === null && isBufferEdit(intent))
    return goOn(
      parts,
      turn,
      await recoverBufferEdit(parts, turn, { call, intent, tool: toolOf(call, intent) }),
    );
  if (intent === null || (outcome === null && (await goesOn(parts, turn, intent)))) {
    await parts.state.commit({
      turn: { ...turn, state: "judging", running: null, updatedAt: parts.clock() },
    });
    return goOn(parts, turn, "What it was doing was not done yet, or not all of it. It is done now.");
  }
  const line = outcome === null ? await endOfKilledLine(parts, turn, intent.effects) : null;
  const decided =
    outcome === null ? (line?.outcome ?? (await decideByDigests(parts, intent))) : outcomeOf(outcome);
  const tool = toolOf(call, intent);
  if (outcome === null) {
    await parts.journal({
      kind: "outcome",
      turn: turn.id,
      session: turn.session,
      digest: turn.running,
      effects: intent.effects,
      detail: {
        status: decided.status,
        code: decided.status === "error" ? decided.code : "",
        recovered: true,
      },
    });
  }
  const result: ToolResult = {
    id: parts.newId(),
    tool,
    outcome: decided,
    // It names what the call was about.
    label: { ...secrecyOf(intent.effects.map(({ label }) => label)), integrity: "agent" },
    ...(line === null || line.made.length === 0 ? {} : { changes: line.made }),
  };
  const asked = turn.messages.findLast((message) => message.role === "assistant");
  const native = asked?.role === "assistant" && asked.native;
  await parts.state.commit({
    turn: {
      ...turn,
      state: "judging",
      running: null,
      approved: null,
      pending: turn.pending.slice(1),
      rounds: undefined,
      messages: [...turn.messages, { role: "result", callId: call.id, native, result }],
      updatedAt: parts.clock(),
    },
    results: [result],
  });
  // The owner reads what the model reads.
  return goOn(parts, turn, `${tool}: ${decided.status === "error" ? decided.message : decided.content}`);
}

function toolOf(call: Call, { detail }: JournalEntry): string {
  return typeof detail["tool"] === "string" ? detail["tool"] : call.action.target;
}

async function lastOf(
  parts: RecoverTurnParts,
  turn: Turn,
): Promise<{ readonly intent: JournalEntry | null; readonly outcome: JournalEntry | null }> {
  let intent: JournalEntry | null = null;
  let outcome: JournalEntry | null = null;
  for await (const entry of parts.state.journal.entries()) {
    if (entry.turn !== turn.id || entry.digest !== turn.running) continue;
    if (entry.kind === "intent") {
      intent = entry;
      outcome = null;
    } else if (entry.kind === "outcome") outcome = entry;
  }
  return { intent, outcome };
}

/** Whether a call is made anew: it goes on by itself, or all its files are as before it, once what it had changed of them is taken back. */
async function goesOn(parts: RecoverTurnParts, turn: Turn, intent: JournalEntry): Promise<boolean> {
  const { changes } = intent;
  const states = await statesOf(parts, intent);
  const dropUnmade = () =>
    parts.state.changes.dropUnmade(
      turn.id,
      changes.filter((_, index) => states[index] === "before"),
    );
  if (intent.detail["resumes"] === true) {
    await dropUnmade();
    return true;
  }
  if (changes.length === 0 || changes.some(({ before, after }) => before === after)) return false;
  if (changes.some(({ inBuffer }) => inBuffer !== undefined)) return false;
  const made = changes.filter((_, index) => states[index] === "after");
  if (states.includes("other")) return false;
  if (made.length > 0) {
    if (made.length === changes.length || !onlyWritesFiles(intent)) return false;
    await parts.revertChanges(turn, made);
    if ((await statesOf(parts, intent)).some((state) => state !== "before")) return false;
  }
  await dropUnmade();
  return true;
}

async function decideByDigests(parts: RecoverTurnParts, intent: JournalEntry): Promise<Outcome> {
  const states = await statesOf(parts, intent);
  if (states.length > 0 && states.every((state) => state === "after"))
    return {
      status: "success",
      content: "Done. (Passepartout ended right after it; the file is as it was meant to be.)",
    };
  const files = intent.changes.map(({ path }, index) => `${path} ${stateWords[states[index] ?? "other"]}`);
  const sentences = [
    "Passepartout ended while this ran. It may have been done, and it is not repeated. Check before you do it again.",
    ...(files.length > 1 ? [`${files.join("; ")}.`] : []),
  ];
  return { status: "error", code: "unknown", message: sentences.join(" ") };
}

const stateWords: Readonly<Record<FileState, string>> = {
  before: "is as it was before",
  after: "is changed",
  other: "was changed by somebody else, or cannot be read",
};

function statesOf(parts: RecoverTurnParts, { changes }: JournalEntry): Promise<readonly FileState[]> {
  return Promise.all(changes.map((change) => parts.stateOfFile(change)));
}

function outcomeOf(entry: JournalEntry): Outcome {
  if (entry.detail["further"] === true) {
    const message =
      "The first part of it was done. Passepartout ended right after it, so what it got is lost and the rest was not done.";
    return { status: "error", code: "cut-off", message };
  }
  if (entry.detail["status"] === "success") {
    return {
      status: "success",
      content: "Done. (Passepartout ended right after it, so its output is lost.)",
    };
  }
  const code = typeof entry.detail["code"] === "string" ? entry.detail["code"] : "failed";
  return {
    status: "error",
    code,
    message: "It failed. (Passepartout ended right after it, so its message is lost.)",
  };
}
