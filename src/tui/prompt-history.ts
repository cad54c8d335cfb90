import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";

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

/** Opens the history in a file of the state folder, which only the owner can read. A file of another version is left alone and not used. */
export function openPromptHistory(path: string): PromptHistory {
  const kept = readEntries(path);
  const entries = [...(kept ?? [])];
  return {
    entries: () => entries,
    add(text) {
      if (text.length > longestEntry || text === entries.at(-1)) return;
      entries.push(text);
      if (kept === null) return;
      if (!existsSync(path) || entries.length > 2 * mostEntries) {
        entries.splice(0, Math.max(0, entries.length - mostEntries));
        writeFileSync(path, `${[header, ...entries.map((entry) => JSON.stringify(entry))].join("\n")}\n`, {
          mode: 0o600,
        });
      } else appendFileSync(path, `${JSON.stringify(text)}\n`, { mode: 0o600 });
    },
  };
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
