import type { ChildProcess } from "node:child_process";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { Outcome, OutputView } from "../../signal/tool.ts";
import { type TerminalSize, usualSize } from "../../text/terminal-size.ts";
import { areAsleep } from "./are-asleep.ts";
import { isBinaryUnchanged } from "./binary.ts";
import { awaitGone, type FirstProcess, readFirstProcess } from "./first-process.ts";
import { killGroup } from "./kill-group.ts";
import { terminalPrograms } from "./make-terminal.ts";
import type { SandboxStarted } from "./run.ts";
import { SecretAnswers } from "./secret-answers.ts";
import { findSecretPrompt, type PromptLooks, type SecretPrompt } from "./secret-prompt.ts";
import type { ProcessSpec } from "./streams.ts";
import { endOf, startIn } from "./terminal-child.ts";
import { resizeTerminal, TerminalFit } from "./terminal-fit.ts";
import {
  failedOutcome,
  type TerminalEnding,
  type TerminalLimits,
  terminalOutcome,
} from "./terminal-outcome.ts";
import { openTerminalScreen, type TerminalScreen } from "./terminal-screen.ts";

/** Milliseconds without output after which a program that sleeps is taken to wait: after it printed something, between two lines that are typed, and before it printed. */
const quiet = { after: 400, between: 100, before: 1_500, look: 60 };
/** Looks for a hidden prompt that fail before it is unknown. */
const mostLooks = 5;
/** Characters of what it says where it asks for a secret. */
const mostAsked = 300;
/** Bytes that wait to be put on the screen, and characters of answers that the terminal gives by itself between two inputs. */
const mostWaiting = 65_536;
const mostReplies = 4_096;

/** A program on a terminal: it is started once, and then read and typed into until it ends. */
export class TerminalProcess {
  readonly #limits: TerminalLimits;
  readonly #looks: PromptLooks;
  readonly #started = Promise.withResolvers<void>();
  #child: ChildProcess | null = null;
  #screen: TerminalScreen | null = null;
  #first: Promise<FirstProcess | null> = Promise.resolve(null);
  #ending: TerminalEnding | null = null;
  #ended = false;
  #view: OutputView | undefined;
  #bytes = 0;
  #printedAt = 0;
  #typedAt = 0;
  #unparsed = 0;
  #replied = 0;
  /** No text of the screen leaves with what is in it. */
  readonly answers = new SecretAnswers();
  readonly size: TerminalFit;

  constructor(
    limits: TerminalLimits,
    size: TerminalSize = usualSize,
    looks: PromptLooks = { processes: "/proc", stty: terminalPrograms.stty },
  ) {
    this.#limits = limits;
    this.#looks = looks;
    this.size = new TerminalFit(size, (wanted) => this.#give(wanted));
  }

  /** Runs the program to its end, however long that takes. */
  async run(
    step: ProcessSpec,
    { cwd, started }: { readonly cwd: string; readonly started?: SandboxStarted | undefined },
  ): Promise<Outcome> {
    for (const binary of step.binaries)
      if (!(await isBinaryUnchanged(binary)))
        return failedOutcome("binary-changed", `${binary.path} is no longer the file that was judged.`);
    const screen = await openTerminalScreen(this.size.start, (text) => this.#reply(text));
    const child = startIn(step, cwd);
    this.#child = child;
    this.#screen = screen;
    const pipe = child.stdio[4];
    this.#first = pipe instanceof Readable ? readFirstProcess(pipe) : Promise.resolve(null);
    const known = this.#first.then((first) => (first === null ? undefined : started?.(first.pid)));
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (bytes: Buffer) => this.#print(bytes, stream));
    child.stdin?.on("error", () => child.stdin?.destroy());
    this.#typedAt = Date.now();
    const clock = setInterval(() => this.#watch(), 1_000);
    const lifetime = setTimeout(() => this.stop("timed-out"), this.#limits.life);
    if (this.#ending !== null) this.stop(this.#ending);
    this.#started.resolve();
    try {
      const code = await endOf(child);
      const first = await this.#first;
      if (first !== null) await awaitGone(first);
      (await known)?.();
      while (this.#unparsed > 0) await pause(quiet.look);
      return terminalOutcome(this.#ending, {
        name: step.name,
        exitCode: code,
        text: this.#unread(),
        limits: this.#limits,
      });
    } catch (fault) {
      return failedOutcome("not-started", `${step.name} could not be started: ${String(fault)}.`);
    } finally {
      this.#ended = true;
      clearInterval(clock);
      clearTimeout(lifetime);
    }
  }

  get isOver(): boolean {
    return this.#ended;
  }

  /** Gives its terminal another size: at once where the program runs on it already, else when it first waits. */
  resize(size: TerminalSize): Promise<void> {
    this.size.want(size);
    return this.#bytes > 0 ? this.size.fit() : Promise.resolve();
  }

  async #give(size: TerminalSize): Promise<boolean> {
    const first = await this.#first;
    this.#screen?.resize(size);
    return first !== null && (await resizeTerminal(first, size, this.#looks)) === null;
  }

  /** Ends the program with all that it started. */
  stop(ending: TerminalEnding): void {
    this.#ending ??= ending;
    if (this.#child === null) return;
    killGroup(this.#child);
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream?.destroy();
  }

  /**
   * Types line by line, as long as no prompt hides what is typed, and waits until the program waits again, has ended, or takes too long.
   * Each line is typed once the program waits for it, right after a look at its terminals.
   */
  async step(input: string | null, cancel: AbortSignal, view: OutputView | undefined): Promise<TerminalStep> {
    await this.#started.promise;
    this.#view = view;
    const end = Date.now() + this.#limits.answer;
    if (input === "" && (await this.secretPrompt()).kind === "hidden") return this.#rest(cancel, "", true);
    let untyped = input ?? "";
    do {
      const line = firstLine(untyped);
      if (!answersNothing.has(untyped) && (await this.secretPrompt()).kind !== "none") break;
      untyped = untyped.slice(line.length);
      this.#type(line);
      const after = untyped === "" ? quiet.after : quiet.between;
      const before = input === "" ? this.#limits.answer : quiet.before;
      await this.#settle({ before, after, end }, cancel);
    } while (untyped !== "" && Date.now() < end && !this.#ended && !cancel.aborted);
    return this.#rest(cancel, untyped, untyped === "" || untyped !== input);
  }

  /** Types the line with which the owner answered a prompt, if a look right before still finds that it hides it; else nothing. The line is wiped either way. */
  async typeHidden(line: Uint8Array): Promise<boolean> {
    const prompt = await this.secretPrompt();
    const input = this.#child?.stdin;
    const isHidden = prompt.kind === "hidden" && !this.#ended && input?.writable === true;
    if (isHidden) {
      this.answers.add(Buffer.from(line).toString());
      this.#begin();
      const bytes = Buffer.concat([line, Buffer.from("\r")]);
      input.write(bytes, () => bytes.fill(0));
    }
    line.fill(0);
    return isHidden;
  }

  /** Waits until the program waits again, has ended, or takes too long, after something was typed. */
  async settle(cancel: AbortSignal, view: OutputView | undefined): Promise<TerminalStep> {
    this.#view = view;
    const end = Date.now() + this.#limits.answer;
    await this.#settle({ before: quiet.before, after: quiet.after, end }, cancel);
    return this.#rest(cancel, "", true);
  }

  /** What the program says where it asks, in its own words. */
  get question(): string {
    return this.answers
      .hide(this.#screen?.cursorRow() ?? "")
      .trim()
      .slice(-mostAsked)
      .toWellFormed();
  }

  /** Where it is once it waits again, or that it has ended. */
  async #rest(cancel: AbortSignal, untyped: string, isRead: boolean): Promise<TerminalStep> {
    this.#view = undefined;
    if (cancel.aborted) this.stop("stopped");
    if (this.#ended || cancel.aborted) return { isWaiting: false };
    await this.size.fit();
    const prompt = await this.secretPrompt();
    const text = this.#unread();
    if (isRead) this.#screen?.markRead();
    return { isWaiting: true, text, prompt, untyped };
  }

  /** What is new on the screen, without what the owner answered in secret. */
  #unread(): string {
    return this.answers.shown(this.#screen?.unread() ?? "");
  }

  /** Whether it asks for what nobody is to see, by a look at its terminals now. */
  async secretPrompt(): Promise<SecretPrompt> {
    const first = await this.#first;
    for (let looks = 1; !this.#ended; looks += 1) {
      const found: SecretPrompt =
        first === null
          ? { kind: "unknown", reason: "the first process of its sandbox is not known" }
          : await findSecretPrompt(first, this.#screen?.cursorRow() ?? "", this.#looks);
      if (found.kind !== "unknown" || looks === mostLooks) return found;
      await pause(quiet.look);
    }
    return { kind: "none" };
  }

  #type(line: string): void {
    if (line === "") return;
    this.#begin();
    this.#child?.stdin?.write(line.replaceAll(/\r?\n/g, "\r"));
  }

  /** Something is typed: what it prints from now on follows that. */
  #begin(): void {
    this.#typedAt = Date.now();
    this.#printedAt = 0;
    this.#replied = 0;
  }

  /** Waits until the program seems to wait: silent for some milliseconds `after` it printed something, or `before`; at most until `end`. */
  async #settle(
    { before, after, end }: { readonly before: number; readonly after: number; readonly end: number },
    cancel: AbortSignal,
  ): Promise<void> {
    const begun = Date.now();
    while (!this.#ended && !cancel.aborted && Date.now() < end) {
      await pause(quiet.look);
      const [since, enough] = this.#printedAt >= begun ? [this.#printedAt, after] : [begun, before];
      if (this.#unparsed === 0 && Date.now() - since >= enough && (await areAsleep(await this.#first)))
        return;
    }
  }

  #print(bytes: Uint8Array, stream: Readable): void {
    this.#printedAt = Date.now();
    this.#bytes += bytes.length;
    if (this.#bytes > this.#limits.bytes) {
      this.stop("cut");
      return;
    }
    this.#unparsed += bytes.length;
    if (this.#unparsed > mostWaiting) stream.pause();
    void this.#screen?.write(bytes).then(() => {
      this.#unparsed -= bytes.length;
      if (this.#unparsed <= mostWaiting) stream.resume();
      this.#view?.replace(() => this.#unread());
    });
  }

  #reply(text: string): void {
    const input = this.#child?.stdin;
    this.#replied += text.length;
    if (input?.writable === true && this.#replied <= mostReplies) input.write(text);
  }

  #watch(): void {
    if (Date.now() - Math.max(this.#typedAt, this.#printedAt) > this.#limits.idle) this.stop("idle");
  }
}

/** To wait, Ctrl-C and Ctrl-D: keys that answer no prompt. */
const answersNothing: ReadonlySet<string> = new Set(["", "\u0003", "\u0004"]);

function firstLine(text: string): string {
  return /^[^\r\n]*(?:\r\n?|\n)?/.exec(text)?.[0] ?? "";
}

/** Where a program is: it waits, with what is new on its screen, and what of the words was not typed; or it has ended. */
export type TerminalStep =
  | {
      readonly isWaiting: true;
      readonly text: string;
      readonly prompt: SecretPrompt;
      readonly untyped: string;
    }
  | { readonly isWaiting: false };
