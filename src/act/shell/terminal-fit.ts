import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describeError } from "../../text/describe-error.ts";
import type { TerminalSize } from "../../text/terminal-size.ts";
import type { FirstProcess } from "./first-process.ts";
import type { PromptLooks } from "./secret-prompt.ts";

/** Keeps a program's terminal at the size that is wanted: of several that are wanted meanwhile, the last counts. */
export class TerminalFit {
  /** The size that the terminal begins with. */
  readonly start: TerminalSize;
  readonly #give: (size: TerminalSize) => Promise<boolean>;
  #wanted: TerminalSize;
  #given: TerminalSize;
  #work: Promise<void> | null = null;

  /** `give`: false where the terminal does not have the size now. */
  constructor(start: TerminalSize, give: (size: TerminalSize) => Promise<boolean>) {
    this.start = start;
    this.#give = give;
    this.#wanted = start;
    this.#given = start;
  }

  want(size: TerminalSize): void {
    this.#wanted = size;
  }

  /** Gives the terminal the size that is wanted. One that it could not be given is tried again by the next call. */
  fit(): Promise<void> {
    this.#work ??= this.#fit().finally(() => {
      this.#work = null;
    });
    return this.#work;
  }

  async #fit(): Promise<void> {
    while (this.#wanted !== this.#given) {
      const size = this.#wanted;
      if (!(await this.#give(size))) return;
      this.#given = size;
    }
  }
}

/** Milliseconds in which a terminal has to take its size. */
const patience = 10_000;

/** Gives the first terminal of a sandbox a size, by which the kernel sends SIGWINCH to the program in its foreground. Says why it could not; null where it did. */
export async function resizeTerminal(
  first: FirstProcess,
  { rows, columns }: TerminalSize,
  { processes, stty }: PromptLooks,
): Promise<string | null> {
  const folder = join(processes, String(first.pid), "root", "dev", "pts");
  const names = await readdir(folder).catch(describeError);
  if (typeof names === "string") return names;
  // The sandbox has terminals of its own, and the first that was made in it is the program's.
  const [own] = names.filter((name) => /^\d+$/.test(name)).sort((one, other) => Number(one) - Number(other));
  if (own === undefined) return "it has no terminal at the moment";
  const size = ["rows", String(rows), "cols", String(columns)];
  const options = { timeout: patience, env: { LC_ALL: "C" } };
  const said = await promisify(execFile)(stty, ["-F", join(folder, own), ...size], options).catch(
    describeError,
  );
  return typeof said === "string" ? said : null;
}
