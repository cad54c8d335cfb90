import type { State } from "../memory/state/state.ts";
import type { OwnerCommand } from "../perceive/commands.ts";
import type { Signal } from "../signal/signal.ts";
import { takenBackCode } from "../signal/turn.ts";
import type { Json } from "../text/json.ts";
import type { ApprovalAnswers } from "./answer-approval.ts";
import { type EndTurnParts, finishTurn } from "./end-turn.ts";
import type { RunningTurns } from "./running-turns.ts";
import { type StopSessionParts, stopSession } from "./stop-session.ts";
import type { SubmitResult } from "./submit-result.ts";

type TurnCommand = Extract<
  OwnerCommand,
  { readonly kind: "approve" | "deny" | "stop" | "take-back" | "pasted-command" }
>;
const aboutTurns: ReadonlySet<OwnerCommand["kind"]> = new Set<TurnCommand["kind"]>([
  "approve",
  "deny",
  "stop",
  "take-back",
  "pasted-command",
]);

/** A command of the owner that is not about a turn under way (`/undo`, `/status`, …). */
export type OtherCommand = Exclude<OwnerCommand, TurnCommand>;

/** Runs such a command. Gives its reply as a kebab-case word and the text to show. */
export type RunOtherCommand = (
  command: OtherCommand,
  signal: Signal,
) => Promise<{ readonly code: string; readonly text: string; readonly data?: Json }>;

/** What running a command of the owner needs. */
export type LoopCommandParts = StopSessionParts & {
  readonly approvals: ApprovalAnswers;
  readonly command: RunOtherCommand;
  /** Masks the configured keys in what is kept. */
  readonly maskKeys: (text: string) => string;
};

/** Runs a recognised command at once, whatever waits in the queue. */
export async function runLoopCommand(
  parts: LoopCommandParts,
  command: OwnerCommand,
  signal: Signal,
): Promise<SubmitResult> {
  if (command.kind === "always") return keepRule(parts, command, signal);
  if (isAboutTurn(command)) return runTurnCommand(parts, command, signal);
  return { kind: "said", ...(await parts.command(command, signal)) };
}

async function runTurnCommand(
  parts: LoopCommandParts,
  command: TurnCommand,
  signal: Signal,
): Promise<SubmitResult> {
  switch (command.kind) {
    case "approve":
      return parts.approvals.answer({
        kind: command.kind,
        token: command.token,
        endorses: command.value === true,
        notice: null,
      });
    case "deny": {
      const { token, reason } = command;
      const words = reason === null ? null : { text: parts.maskKeys(reason), label: signal.label };
      return parts.approvals.answer({ kind: command.kind, token, words });
    }
    case "take-back":
      return takeBackWords(parts, { turn: command.turn, session: signal.session });
    case "stop":
      return stop(parts, signal.session);
    case "pasted-command":
      return { kind: "refused", code: command.kind, text: pastedCommand(command.name) };
  }
}

function isAboutTurn(command: OwnerCommand): command is TurnCommand {
  return aboutTurns.has(command.kind);
}

async function stop(parts: StopSessionParts, session: string): Promise<SubmitResult> {
  return (await stopSession(parts, session, { questionsToo: true }))
    ? { kind: "said", code: "stopped", text: "Stopped." }
    : { kind: "said", code: "idle", text: "Nothing was running or waiting in this session." };
}

/** Shows the rule that would spare a question, or keeps it, which answers the question. */
async function keepRule(
  parts: LoopCommandParts,
  command: Extract<OwnerCommand, { readonly kind: "always" }>,
  signal: Signal,
): Promise<SubmitResult> {
  const { code, text } = await parts.command(command, signal);
  if (code !== "rule-kept") return { kind: code === "rule" ? "said" : "refused", code, text };
  return parts.approvals.answer({ kind: "approve", token: command.token, endorses: false, notice: text });
}

function pastedCommand(name: string): string {
  return `Nothing was done: what is pasted or comes by a pipe is never a command. Type /${name} yourself, or name it as an argument: passepartout ask '/${name} …'.`;
}

/** What taking back words that wait needs. */
type TakeBackWordsParts = EndTurnParts & {
  readonly state: Pick<State, "turns">;
  readonly running: RunningTurns;
};

/** Ends a turn that has not begun: its owner takes the words back. */
async function takeBackWords(
  parts: TakeBackWordsParts,
  { turn: id, session }: { readonly turn: string; readonly session: string },
): Promise<SubmitResult> {
  const turn = await parts.state.turns.get(id);
  const waits = turn?.state === "queued" && parts.running.inSession(session)?.turn.id !== id;
  if (turn?.session !== session || !waits) {
    const text = "These words do not wait any more. Nothing was taken back.";
    return { kind: "said", code: "not-done", text };
  }
  await finishTurn(parts, turn, {
    state: "stopped",
    code: takenBackCode,
    text: "Taken back before it began.",
  });
  return { kind: "said", code: "taken-back", text: "" };
}
