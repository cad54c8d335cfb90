import { isAbsolute, join } from "node:path";
import { isJsonArray, isJsonObject, type Json } from "../../text/json.ts";
import { makeVisible } from "../../text/visible.ts";
import type { ListedCommand } from "../conversation/command-list.ts";
import type { ListNames } from "../screen/list-names.ts";
import type { AutocompleteProvider } from "../screen/toolkit.ts";

/** A note that can be named: its id, title and file. */
export type ListedNote = { readonly id: string; readonly title: string; readonly file: string };

/** Reads the notes that the daemon lists. */
export function notesIn(data: Json): readonly ListedNote[] {
  return (isJsonArray(data) ? data : []).flatMap((one) => {
    if (!isJsonObject(one)) return [];
    const { id, title, file } = one;
    const isWhole = typeof id === "string" && typeof title === "string" && typeof file === "string";
    return isWhole ? [{ id, title, file }] : [];
  });
}

/** What a completion needs. */
export type CompletionParts = {
  readonly commands: () => readonly ListedCommand[];
  /** Asks for the commands anew, when one is begun. */
  readonly learnCommands: () => void;
  readonly folder: () => string;
  readonly home: string;
  readonly listNames: ListNames;
  /** The notes whose title holds these words; none where nobody waits for them any more. */
  readonly listNotes: (words: string, unwanted: AbortSignal) => Promise<readonly ListedNote[]>;
};

/** Names that are offered at once. */
const mostNames = 50;
/** Milliseconds that names of files wait for titles of notes. */
const mostWait = 300;
/** Letters of a title with which notes are looked for. */
const fewestLetters = 2;

/** Completes commands after `/` at the beginning of a message, and files and notes after `@`. */
export function makeCompletion(parts: CompletionParts): AutocompleteProvider {
  return {
    triggerCharacters: ["@"],
    async getSuggestions(lines, line, column, { signal }) {
      const before = (lines[line] ?? "").slice(0, column);
      if (line === 0 && /^\/[a-z-]*$/i.test(before)) return commandsLike(before, parts);
      const [, prefix] = /(?:^|\s)(@[^\s]*)$/.exec(before) ?? [];
      if (prefix === undefined) return null;
      const names = await namesLike(prefix, parts);
      const notes = notesLike(prefix, parts, signal);
      const items = [
        ...names,
        ...(await (names.length === 0 ? notes : Promise.race([notes, nothingAfter(mostWait)]))),
      ];
      return items.length === 0 ? null : { items, prefix };
    },
    applyCompletion(lines, line, column, item, prefix) {
      const text = lines[line] ?? "";
      const before = text.slice(0, column - prefix.length);
      const gap = item.value.endsWith("/") ? "" : " ";
      const next = [...lines];
      next[line] = `${before}${item.value}${gap}${text.slice(column)}`;
      return { lines: next, cursorLine: line, cursorCol: before.length + item.value.length + gap.length };
    },
  };
}

function nothingAfter(milliseconds: number): Promise<readonly never[]> {
  return new Promise((resolve) => {
    setTimeout(() => resolve([]), milliseconds);
  });
}

function commandsLike(prefix: string, { commands, learnCommands }: CompletionParts) {
  if (prefix === "/") learnCommands();
  const items = ranked(commands(), prefix.slice(1), ({ name }) => name).map(({ name, usage, help }) => ({
    value: `/${name}`,
    label: usage,
    description: help,
  }));
  return items.length === 0 ? null : { items, prefix };
}

async function namesLike(prefix: string, { folder, home, listNames }: CompletionParts) {
  const typed = prefix.slice(1);
  const at = typed.lastIndexOf("/") + 1;
  const [parent, begin] = [typed.slice(0, at), typed.slice(at)];
  const base = parent.startsWith("~/") ? join(home, parent.slice(2)) : parent;
  const names = await listNames(isAbsolute(base) ? base : join(folder(), base));
  // A name with a character that nobody sees is not offered.
  const offered = names
    .filter((name) => makeVisible(name) === name && !/\s/.test(name))
    .filter((name) => begin.startsWith(".") || !name.startsWith("."));
  return ranked(offered, begin, (name) => name)
    .slice(0, mostNames)
    .map((name) => ({ value: `@${parent}${name}`, label: name }));
}

async function notesLike(prefix: string, { listNotes }: CompletionParts, unwanted: AbortSignal) {
  const words = prefix.slice(1);
  if (words.length < fewestLetters || words.includes("/")) return [];
  const notes = await listNotes(words, unwanted);
  return notes.map((note) => ({ value: linkTo(note), label: note.title, description: note.file }));
}

/** A link as Org writes it. A headline without an ID is named by its title in its file. */
function linkTo({ id, title, file }: ListedNote): string {
  const shown = title.replaceAll(/[[\]]/g, "");
  const target =
    id.includes("::") || id === file ? `file:${file}${id === file ? "" : `::*${shown}`}` : `id:${id}`;
  return `[[${target}][${shown}]]`;
}

/** What fits, best first: what begins with the letters, then where a word in it does, then where they stand in it, then where they stand in their order. */
function ranked<T>(all: readonly T[], letters: string, nameOf: (one: T) => string): readonly T[] {
  const wanted = letters.toLowerCase();
  return all
    .map((one) => ({ one, rank: rankOf(nameOf(one).toLowerCase(), wanted) }))
    .filter(({ rank }) => rank < noMatch)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ one }) => one);
}

const noMatch = 4;

function rankOf(name: string, wanted: string): number {
  if (name.startsWith(wanted)) return 0;
  const at = name.indexOf(wanted);
  if (at > 0) return /[^\p{L}\p{N}]/u.test(name[at - 1] ?? "") ? 1 : 2;
  let found = 0;
  for (const letter of name) if (letter === wanted[found]) found += 1;
  return found === wanted.length ? 3 : noMatch;
}
