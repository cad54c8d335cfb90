import type { Outcome } from "../../signal/tool.ts";

/** Limits in milliseconds and bytes: of the whole life, of the time in which nobody types, of what it prints; and how long an answer is waited for. */
export type TerminalLimits = {
  readonly life: number;
  readonly idle: number;
  readonly bytes: number;
  readonly answer: number;
};

/** Why a program on a terminal was ended. */
export type TerminalEnding = "stopped" | "timed-out" | "idle" | "cut";

type Ended = {
  readonly name: string;
  readonly exitCode: number;
  /** What nobody has read of its screen. */
  readonly text: string;
  readonly limits: TerminalLimits;
};

/** The outcome of the whole run of a program that has ended; by itself where there is no ending. */
export function terminalOutcome(
  ending: TerminalEnding | null,
  { name, exitCode, text, limits }: Ended,
): Outcome {
  const said = text === "" ? "" : `The end of its output: ${text.slice(-2_000)}\n`;
  switch (ending) {
    case "stopped":
      return failedOutcome("stopped", `${name} was stopped.`);
    case "timed-out":
      return failedOutcome("timed-out", `${said}${name} was ended after ${minutes(limits.life)}.`);
    case "idle":
      return failedOutcome(
        "timed-out",
        `${said}${name} was ended, since nobody typed anything for ${minutes(limits.idle)}.`,
      );
    case "cut":
    case null: {
      const cut = `It printed more than ${limits.bytes} bytes. It was ended there, and the rest of its output is unknown.`;
      return {
        status: "success",
        content: { stdout: text, stderr: "", exitCode, ...(ending === null ? {} : { cut }) },
      };
    }
  }
}

export function failedOutcome(code: string, message: string): Outcome {
  return { status: "error", code, message };
}

function minutes(milliseconds: number): string {
  const count = Math.round(milliseconds / 60_000);
  return milliseconds < 60_000 ? `${milliseconds / 1000} s` : `${count} minute${count === 1 ? "" : "s"}`;
}
