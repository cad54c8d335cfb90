import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type { Outcome, OutputView } from "../../signal/tool.ts";
import { sendFilter } from "../sandbox/bubblewrap.ts";
import { isBinaryUnchanged } from "./binary.ts";
import { awaitGone, type FirstProcess, readFirstProcess } from "./first-process.ts";
import { killGroup, type SandboxStarted } from "./run.ts";
import type { ProcessSpec } from "./streams.ts";
import { openTerminalScreen, screenSize, type TerminalScreen } from "./terminal-screen.ts";

const programs = { script: "/usr/bin/script", stty: "/usr/bin/stty" };

/** What makes a terminal is missing here, in words; null where it is there. */
export function terminalProblem(): string | null {
  const missing = Object.values(programs).find((program) => !existsSync(program));
  if (missing === undefined) return null;
  const packages = missing === programs.script ? "bsdutils (Debian) or util-linux" : "coreutils";
  return `${missing} is missing; install the package ${packages}`;
}

/** The words that start a program on a terminal of its own, which is made inside the sandbox. */
export function inTerminal(argv: readonly string[]): readonly string[] {
  const { rows, columns } = screenSize;
  const line = `${programs.stty} rows ${rows} cols ${columns}; exec ${argv.map(quote).join(" ")}`;
  return [programs.script, "-q", "-e", "-f", "-E", "always", "-c", line, "/dev/null"];
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Limits in milliseconds and bytes: of the whole life, of the time in which nobody types, of what it prints; and how long an answer is waited for. */
export type TerminalLimits = {
  readonly life: number;
  readonly idle: number;
  readonly bytes: number;
  readonly answer: number;
};

/** Milliseconds without output after which a program that sleeps is taken to wait: after it printed something, and before. */
const quiet = { after: 400, before: 1_500, look: 60 };
/** Terminals of a program that are looked at. */
const mostTerminals = 16;
/** Characters that a program is shown to have printed since it was last read. */
const mostUnread = 30_000;
/** Bytes that wait to be put on the screen, and characters of answers that the terminal gives by itself between two inputs. */
const mostWaiting = 65_536;
const mostReplies = 4_096;

type Ending = "stopped" | "timed-out" | "idle" | "cut";

/** A program on a terminal: it is started once, and then read and typed into until it ends. */
export class TerminalProcess {
  readonly #limits: TerminalLimits;
  readonly #started = Promise.withResolvers<void>();
  #child: ChildProcess | null = null;
  #screen: TerminalScreen | null = null;
  #first: Promise<FirstProcess | null> = Promise.resolve(null);
  #ending: Ending | null = null;
  #ended = false;
  #view: OutputView | undefined;
  #bytes = 0;
  #printedAt = 0;
  #typedAt = 0;
  #unparsed = 0;
  #replied = 0;

  constructor(limits: TerminalLimits) {
    this.#limits = limits;
  }

  /** Runs the program to its end, however long that takes. */
  async run(
    step: ProcessSpec,
    { cwd, started }: { readonly cwd: string; readonly started?: SandboxStarted | undefined },
  ): Promise<Outcome> {
    for (const binary of step.binaries)
      if (!(await isBinaryUnchanged(binary)))
        return failed("binary-changed", `${binary.path} is no longer the file that was judged.`);
    const screen = await openTerminalScreen((text) => this.#reply(text));
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
      return this.#outcome(step.name, code);
    } catch (fault) {
      return failed("not-started", `${step.name} could not be started: ${String(fault)}.`);
    } finally {
      this.#ended = true;
      clearInterval(clock);
      clearTimeout(lifetime);
    }
  }

  get isOver(): boolean {
    return this.#ended;
  }

  /** Ends the program with all that it started. */
  stop(ending: Ending): void {
    this.#ending ??= ending;
    if (this.#child === null) return;
    killGroup(this.#child);
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream?.destroy();
  }

  /** Types something, if anything, and waits until the program waits again, has ended, or takes too long. */
  async step(input: string | null, cancel: AbortSignal, view: OutputView | undefined): Promise<TerminalStep> {
    await this.#started.promise;
    this.#view = view;
    const begun = Date.now();
    if (input !== null && input !== "" && !this.#ended) {
      this.#typedAt = begun;
      this.#printedAt = 0;
      this.#replied = 0;
      this.#child?.stdin?.write(input.replaceAll(/\r?\n/g, "\r"));
    }
    const before = input === "" ? this.#limits.answer : quiet.before;
    while (!this.#ended && !cancel.aborted && Date.now() - begun < this.#limits.answer) {
      await pause(quiet.look);
      const [since, enough] = this.#printedAt >= begun ? [this.#printedAt, quiet.after] : [begun, before];
      if (this.#unparsed === 0 && Date.now() - since >= enough && (await this.#isAsleep())) break;
    }
    this.#view = undefined;
    if (cancel.aborted) this.stop("stopped");
    if (this.#ended || cancel.aborted) return { isWaiting: false };
    const text = shorten(this.#screen?.unread() ?? "");
    const asksSecret = await this.asksSecret();
    this.#screen?.markRead();
    return { isWaiting: true, text, asksSecret };
  }

  /** Whether the program, or one on a terminal that it made, reads what nobody is to see: it switched off that typed words are shown, and does not show them itself. */
  async asksSecret(): Promise<boolean> {
    const first = await this.#first;
    if (first === null || this.#ended) return false;
    const silent = (await modesOfTerminals(first.pid)).filter((modes) => /\s-echo\s/.test(modes));
    const last = (this.#screen?.unread() ?? "").trimEnd().split("\n").at(-1) ?? "";
    return silent.some(
      (modes) => /\sicanon\s/.test(modes) || /pass(?:word|phrase|code)|secret|token|\bpin\b/i.test(last),
    );
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
      this.#view?.replace(() => shorten(this.#screen?.unread() ?? ""));
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

  /** Whether every process in the sandbox sleeps. Where nobody can look, silence counts. */
  async #isAsleep(): Promise<boolean> {
    const first = await this.#first;
    if (first === null) return true;
    const folder = join("/proc", String(first.pid), "root", "proc");
    const names = (await readdir(folder).catch(() => [])).filter((name) => /^\d+$/.test(name));
    const states = await Promise.all(
      names.map(async (name) => {
        const status = await readFile(join(folder, name, "stat"), "utf8").catch(() => "");
        return status.slice(status.lastIndexOf(")") + 2).charAt(0);
      }),
    );
    return !states.some((state) => "RD".includes(state) && state !== "");
  }

  #outcome(name: string, exitCode: number): Outcome {
    const text = shorten(this.#screen?.unread() ?? "");
    const said = text === "" ? "" : ` The end of its output: ${text.slice(-2_000)}`;
    switch (this.#ending) {
      case "stopped":
        return failed("stopped", `${name} was stopped.`);
      case "timed-out":
        return failed("timed-out", `${name} was ended after ${minutes(this.#limits.life)}.${said}`);
      case "idle":
        return failed(
          "timed-out",
          `${name} was ended, since nobody typed anything for ${minutes(this.#limits.idle)}.${said}`,
        );
      case "cut":
      case null: {
        const cut = `It printed more than ${this.#limits.bytes} bytes. It was ended there, and the rest of its output is unknown.`;
        return {
          status: "success",
          content: { stdout: text, stderr: "", exitCode, ...(this.#ending === null ? {} : { cut }) },
        };
      }
    }
  }
}

/** What `stty` says of each terminal in a sandbox. */
async function modesOfTerminals(pid: number): Promise<readonly string[]> {
  const folder = join("/proc", String(pid), "root", "dev", "pts");
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^\d+$/.test(name));
  const modes = names.slice(0, mostTerminals).map(async (name) => {
    const args = ["-a", "-F", join(folder, name)];
    const said = await promisify(execFile)(programs.stty, args, { timeout: 2_000 }).catch(() => null);
    return said?.stdout ?? "";
  });
  return await Promise.all(modes);
}

/** Where a program is: it waits, with what is new on its screen; or it has ended. */
export type TerminalStep =
  | { readonly isWaiting: true; readonly text: string; readonly asksSecret: boolean }
  | { readonly isWaiting: false };

function startIn(step: ProcessSpec, cwd: string): ChildProcess {
  const [program = "", ...args] = step.argv;
  const child = spawn(program, args, {
    cwd,
    env: Object.fromEntries(step.environment),
    detached: true,
    stdio: ["pipe", "pipe", "pipe", step.filter === null ? "ignore" : "pipe", "pipe"],
  });
  sendFilter(child, step.filter);
  return child;
}

function endOf(child: ChildProcess): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.on("error", reject);
  child.on("exit", () => killGroup(child));
  child.on("close", (code) => resolve(code ?? 137));
  return promise;
}

function failed(code: string, message: string): Outcome {
  return { status: "error", code, message };
}

function minutes(milliseconds: number): string {
  const count = Math.round(milliseconds / 60_000);
  return milliseconds < 60_000 ? `${milliseconds / 1000} s` : `${count} minute${count === 1 ? "" : "s"}`;
}

function shorten(text: string): string {
  if (text.length <= mostUnread) return text;
  return `(the lines before are left out)\n${text.slice(-mostUnread).toWellFormed()}`;
}
