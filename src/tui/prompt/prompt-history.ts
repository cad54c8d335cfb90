import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describeError } from "../../text/describe-error.ts";
import { parseJson } from "../../text/parse-json.ts";

/** What the owner said before, oldest first, kept over restarts. */
export type PromptHistory = {
  readonly entries: () => readonly string[];
  readonly add: (text: string) => void;
};

/** The first line of the file: what follows is one JSON string a line. */
const header = '{"passepartout":"prompt history","version":1}';
/** Entries that are read, and a length above which a text is not kept. */
const mostEntries = 1_000;
const longestEntry = 20_000;

/**
 * Opens the history in a file of the state folder, which only the owner can read. A file of another version is left alone and not used. What cannot
 * be kept is told once.
 */
export function openPromptHistory(path: string, report: (problem: string) => void): PromptHistory {
  return new HistoryFile(path, report);
}

class HistoryFile implements PromptHistory {
  readonly #path: string;
  readonly #report: (problem: string) => void;
  readonly #entries: string[];
  /** Why nothing is kept; empty for a file of another version, which is nobody's fault. Null where it is kept. */
  #problem: string | null = null;
  #isTold = false;

  constructor(path: string, report: (problem: string) => void) {
    this.#path = path;
    this.#report = report;
    const read = this.#read();
    this.#problem = "problem" in read ? read.problem : null;
    this.#entries = "entries" in read ? [...read.entries] : [];
  }

  readonly entries = (): readonly string[] => this.#entries;

  readonly add = (text: string): void => {
    if (text.length > longestEntry || text === this.#entries.at(-1)) return;
    this.#entries.push(text);
    // The agent makes the folder; until it has, what was said is kept here.
    if (this.#problem === null && existsSync(dirname(this.#path))) this.#write(text);
    if (this.#isTold || this.#problem === null || this.#problem === "") return;
    this.#isTold = true;
    this.#report(`What you say here is not kept for the next time: ${this.#problem}`);
  };

  #read(): { readonly entries: readonly string[] } | { readonly problem: string } {
    try {
      const entries = readEntries(this.#path);
      return entries === null ? { problem: "" } : { entries };
    } catch (error) {
      return { problem: this.#describe("read", error) };
    }
  }

  #describe(what: "read" | "written", error: unknown): string {
    const code = error instanceof Error && "code" in error ? String(error.code) : describeError(error);
    return `${this.#path} cannot be ${what} (${code}). Give your user the right to read and write it, or move it aside, then start again.`;
  }

  #write(text: string): void {
    try {
      this.#append(text);
    } catch (error) {
      this.#problem = this.#describe("written", error);
    }
  }

  #append(text: string): void {
    const entries = this.#entries;
    if (existsSync(this.#path) && entries.length <= 2 * mostEntries) {
      appendFileSync(this.#path, `${JSON.stringify(text)}\n`, { mode: 0o600 });
      return;
    }
    entries.splice(0, Math.max(0, entries.length - mostEntries));
    const lines = [header, ...entries.map((entry) => JSON.stringify(entry))];
    writeFileSync(this.#path, `${lines.join("\n")}\n`, { mode: 0o600 });
  }
}

/** Null for a file of another version. */
function readEntries(path: string): readonly string[] | null {
  if (!existsSync(path)) return [];
  const [first, ...lines] = readFileSync(path, "utf8").split("\n");
  if (first !== header) return null;
  return lines.slice(-mostEntries).flatMap((line) => {
    const entry = parseEntry(line);
    return entry === null ? [] : [entry];
  });
}

/** A line that a crash cut off is no entry. */
function parseEntry(line: string): string | null {
  if (!/^".*"$/.test(line)) return null;
  const value = parseJson(line);
  return typeof value === "string" ? value : null;
}
