import type { Io } from "../kernel/io.ts";
import { type AnswerForm, formatApprovalQuestion } from "../shown/approval-question.ts";
import { formatOutcome } from "../shown/format-outcome.ts";
import type { Action } from "../signal/action.ts";
import type { LoopEvent } from "../signal/loop-event.ts";
import { exitCodes } from "./io.ts";
import { RunningOutput } from "./running-output.ts";
import { Screen } from "./screen.ts";

/** How a turn is shown while it runs. */
export type TurnDisplayOptions = {
  /** Prints every event as a line of JSON. */
  readonly json: boolean;
  /** Shows no progress. */
  readonly quiet: boolean;
  /** Answers stand among other output, so each has a margin. */
  readonly inConversation?: boolean;
  /** The person answers a question by a short word: they type on a terminal, and see each question. */
  readonly answersByWord?: boolean;
};

/** Milliseconds after which a person is told that the model is still thinking. */
const progressDelay = 1000;

/**
 * Shows a turn: its answer on standard output, or with `json` every event as a line; progress goes to standard error.
 * On a terminal, text that comes before the answer is shown as it streams; otherwise it is progress.
 */
export class TurnFollower {
  readonly #io: Io;
  readonly #screen: Screen;
  readonly #turn: () => string | null;
  readonly #options: TurnDisplayOptions;
  #exitCode: number = exitCodes.failed;
  /** True after text of the present step was written on the terminal. */
  #isStreaming = false;
  /** Streamed text that is held back: without a terminal all of it, else the last row. */
  #unshown = "";
  #progressTimer: NodeJS.Timeout | undefined;
  /** Reasons of blocked calls that have not been shown yet. */
  #refusals: readonly string[] = [];
  readonly #output = new RunningOutput(Date.now);
  /** The proposed actions by their calls, to say what an outcome is about. */
  readonly #proposed = new Map<string, Action>();

  /** `turn` gives the turn to follow; null follows every turn. */
  constructor(io: Io, turn: () => string | null, options: TurnDisplayOptions) {
    this.#io = io;
    this.#screen = new Screen(io);
    this.#turn = turn;
    this.#options = options;
  }

  /** The exit code for the latest event of the turn. */
  get exitCode(): number {
    return this.#exitCode;
  }

  /** Shows an event, where it belongs to the turn. */
  listen(event: LoopEvent): void {
    const turn = this.#turn();
    if (turn !== null && event.turn !== turn) return;
    this.#exitCode = exitCodeOf(event) ?? this.#exitCode;
    clearTimeout(this.#progressTimer);
    if (this.#options.json) this.#io.out(jsonLine(event));
    else this.#show(event);
  }

  #show(event: LoopEvent): void {
    if (event.type !== "verdict" && event.type !== "proposed") {
      this.#showRefusals(event.type === "blocked" ? event.reason : "");
    }
    switch (event.type) {
      case "text":
        this.#showText(event);
        return;
      case "thinking":
        this.#showThinking(event.text);
        return;
      case "verdict":
        if (event.verdict === "block") this.#refusals = this.#refusals.concat(event.reason);
        return;
      case "output":
        this.#showOutput(this.#output.take(event.call, event.text));
        return;
      case "outcome":
        this.#showOutput(this.#output.end(event.call));
        for (const line of formatOutcome(event, this.#proposed.get(event.call) ?? null))
          this.#showProgress(line);
        this.#proposed.delete(event.call);
        return;
      case "approval-required":
        this.#endStep();
        this.#screen.program(
          formatApprovalQuestion(event, Date.now(), this.#answerForm),
          this.#questionOutput,
        );
        return;
      case "answered":
        this.#showAnswer(event.text);
        return;
      case "blocked":
      case "failed":
      case "stopped":
        this.#endStep();
        this.#proposed.clear();
        this.#screen.line(`${event.type}: ${event.reason}`);
        return;
      case "proposed":
        this.#proposed.set(event.call, event.action);
        this.#endStep();
        return;
      case "accepted":
      case "thought":
        return;
    }
  }

  /** Shows what a running call printed to a person who looks. */
  #showOutput(lines: readonly string[]): void {
    if (lines.length > 0 && this.#io.errIsTerminal && !this.#options.quiet)
      this.#screen.model(lines.join("\n"), "err");
  }

  get #answerForm(): AnswerForm {
    if (this.#options.inConversation !== true) return "by-command";
    return this.#options.answersByWord === true ? "by-word" : "by-token";
  }

  get #questionOutput(): "out" | "err" {
    return this.#options.inConversation !== true && this.#screen.answersAlone ? "err" : "out";
  }

  #showText({ text, reset }: { readonly text: string; readonly reset: boolean }): void {
    if (reset) {
      this.#unshown = "";
      if (!this.#isStreaming) return;
      this.#endStep();
      if (this.#io.outIsTerminal) this.#showProgress(`(withdrawn: ${text})`);
    } else if (this.#io.outIsTerminal) {
      this.#unshown = this.#screen.stream(this.#unshown + text);
      this.#isStreaming = true;
    } else this.#unshown += text;
  }

  #showAnswer(text: string): void {
    if (!this.#isStreaming) {
      if (this.#options.inConversation === true) this.#screen.model(text, "out");
      else this.#screen.answer(text);
    } else if (this.#unshown !== "") this.#screen.model(this.#unshown, "out");
    this.#isStreaming = false;
    this.#unshown = "";
    this.#proposed.clear();
  }

  #showThinking(text: string): void {
    if (text !== "") {
      this.#showProgress(text);
      return;
    }
    this.#endStep();
    if (!this.#io.errIsTerminal) return;
    this.#progressTimer = setTimeout(() => this.#showProgress("thinking …"), progressDelay).unref();
  }

  #showProgress(text: string): void {
    if (!this.#options.quiet && !this.#options.json) this.#screen.line(text);
  }

  /** Shows why calls were blocked, unless the end of the turn says the same. */
  #showRefusals(end: string): void {
    for (const reason of this.#refusals) {
      if (!end.includes(reason)) this.#showProgress(`block: ${reason}`);
    }
    this.#refusals = [];
  }

  /** Shows what is held back of the model's words before a step of the program. */
  #endStep(): void {
    if (this.#unshown.trim() !== "") {
      if (this.#isStreaming) this.#screen.model(this.#unshown.trimEnd(), "out");
      else if (!this.#options.quiet) this.#screen.model(this.#unshown.trimEnd(), "err");
    }
    this.#isStreaming = false;
    this.#unshown = "";
  }
}

/** An event as a line of JSON; its type is under the key `event`. The trace of an answer is for clients of the wire. */
function jsonLine({ type, ...rest }: LoopEvent): string {
  const shown = type === "answered" ? { ...rest, trace: undefined } : rest;
  return `${JSON.stringify({ event: type, ...shown })}\n`;
}

/** The exit code that an event means if it is the last; null where it says nothing about the end. */
function exitCodeOf(event: LoopEvent): number | null {
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
    case "thought":
    case "text":
    case "proposed":
    case "verdict":
    case "output":
    case "outcome":
      return null;
  }
}
