import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describeError } from "../signal/describe-error.ts";

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
  #isKept: boolean;

  constructor(path: string, report: (problem: string) => void) {
    const read = readEntries(path);
    this.#path = path;
    this.#report = report;
    this.#entries = [...(read ?? [])];
    this.#isKept = read !== null;
  }

  readonly entries = (): readonly string[] => this.#entries;

  readonly add = (text: string): void => {
    if (text.length > longestEntry || text === this.#entries.at(-1)) return;
    this.#entries.push(text);
    // The agent makes the folder; until it has, what was said is kept here.
    if (!this.#isKept || !existsSync(dirname(this.#path))) return;
    try {
      this.#write(text);
    } catch (error) {
      this.#isKept = false;
      this.#report(`What you say here is not kept for the next time: ${describeError(error)}`);
    }
  };

  #write(text: string): void {
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
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "string" ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
