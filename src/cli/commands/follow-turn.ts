import type { LoopEvent } from "../../signal/loop-event.ts";
import { formatApprovalQuestion } from "./approval-question.ts";
import { exitCodes, type Io } from "./io.ts";

/** How a turn is shown while it goes on. */
export type TurnDisplayOptions = { readonly json: boolean; readonly quiet: boolean };

/** Follows the events of one turn onto standard output and error, and knows the exit code that its end means. */
export type TurnFollower = {
  readonly listen: (event: LoopEvent) => void;
  readonly exitCode: () => number;
};

/** Milliseconds after which a person is told that something is going on. */
const progressAfter = 1000;

/**
 * Shows a turn: its answer on standard output, or with `json` every event as a line; progress goes to standard error.
 * What is said before the answer is shown as it comes on a terminal, and on standard error where there is none.
 */
export function followTurn(io: Io, turn: () => string | null, follow: TurnDisplayOptions): TurnFollower {
  let code: number = exitCodes.failed;
  let streamed = false;
  let unshown = "";
  let patience: NodeJS.Timeout | undefined;
  let refusals: readonly string[] = [];
  const progress = (text: string): void => {
    if (!follow.quiet && !follow.json) io.err(`${text}\n`);
  };
  /** Tells why calls were blocked, once it is known that the turn's end does not tell the same. */
  const tellRefusals = (end: string): void => {
    for (const reason of refusals) if (!end.includes(reason)) progress(`block: ${reason}`);
    refusals = [];
  };
  const endStep = (): void => {
    if (streamed) io.out("\n");
    if (unshown.trim() !== "") progress(unshown.trimEnd());
    streamed = false;
    unshown = "";
  };
  const show = (event: LoopEvent): void => {
    if (event.type !== "verdict" && event.type !== "proposed") {
      tellRefusals(event.type === "blocked" ? event.reason : "");
    }
    switch (event.type) {
      case "text":
        if (event.reset && !streamed) return;
        if (event.reset) {
          unshown = "";
          endStep();
          if (io.outIsTerminal) progress(`(withdrawn: ${event.text})`);
        } else if (io.outIsTerminal) {
          io.out(event.text);
          streamed = true;
        } else unshown += event.text;
        return;
      case "thinking":
        if (event.text !== "") {
          progress(event.text);
          return;
        }
        endStep();
        if (io.errIsTerminal) patience = setTimeout(() => progress("thinking …"), progressAfter).unref();
        return;
      case "verdict":
        if (event.verdict === "block") refusals = [...refusals, event.reason];
        return;
      case "outcome":
        progress(`${event.tool}: ${event.status === "success" ? "done" : `failed (${event.code})`}`);
        return;
      case "approval-required":
        endStep();
        io.out(formatApprovalQuestion(event));
        return;
      case "answered":
        io.out(streamed ? "\n" : `${event.text}\n`);
        streamed = false;
        unshown = "";
        return;
      case "blocked":
      case "failed":
      case "stopped":
        endStep();
        io.err(`${event.type}: ${event.reason}\n`);
        return;
      case "proposed":
        endStep();
        return;
      case "accepted":
        return;
    }
  };
  return {
    listen(event) {
      const mine = turn();
      if (mine !== null && event.turn !== mine) return;
      code = exitOf(event) ?? code;
      clearTimeout(patience);
      if (follow.json) io.out(jsonLine(event));
      else show(event);
    },
    exitCode: () => code,
  };
}

/** An event as a line of JSON; its type is under the key `event`. */
function jsonLine({ type, ...rest }: LoopEvent): string {
  return `${JSON.stringify({ event: type, ...rest })}\n`;
}

function exitOf(event: LoopEvent): number | null {
  switch (event.type) {
    case "answered":
      return exitCodes.done;
    case "blocked":
      return exitCodes.blocked;
    case "approval-required":
      return exitCodes.approvalPending;
    case "failed":
      if (event.code === "over-budget") return exitCodes.overBudget;
      return event.code === "no-provider" || event.code === "exhausted"
        ? exitCodes.noProvider
        : exitCodes.failed;
    case "stopped":
      return exitCodes.failed;
    case "accepted":
    case "thinking":
    case "text":
    case "proposed":
    case "verdict":
    case "outcome":
      return null;
  }
}
