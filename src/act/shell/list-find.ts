import { lstat, readdir } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { pushAll } from "../../text/lists.ts";
import { readGlobSegment } from "./glob-segment.ts";

/** An entry that `find` looks at: its path as find names it, and how deep below its root it is. */
type Entry = {
  readonly path: string;
  readonly depth: number;
  readonly type: "f" | "d" | "l" | "other";
  readonly age: number;
};
type Test = (entry: Entry) => boolean;

const mostEntries = 20_000;

/**
 * The files and folders that `find` (find(1)) would give to what destroys them, relative to `cwd`. Null where its words are more than names,
 * kinds, depths and ages, joined by "and", and where there are too many.
 */
export async function listFind(words: readonly string[], cwd: string): Promise<readonly string[] | null> {
  const first = words.findIndex((word) => /^[-(!]/.test(word));
  const roots = first < 0 ? words : words.slice(0, first);
  const read = readTests(first < 0 ? [] : words.slice(first));
  if (read === null || roots.some((root) => root.startsWith("-"))) return null;
  const found: string[] = [];
  for (const root of roots.length === 0 ? ["."] : roots) {
    const entries = await entriesOf(root, cwd);
    if (entries === null) return null;
    const matched = entries.filter((entry) => read.every((test) => test(entry)));
    pushAll(
      found,
      matched.map(({ path }) => relative(cwd, resolve(cwd, path)) || "."),
    );
  }
  return found.sort();
}

/** The tests before the first action that destroys: those behind it hold nothing back. Null for words that are not understood. */
function readTests(words: readonly string[]): readonly Test[] | null {
  const tests: Test[] = [];
  let isNegated = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (/^-(?:delete|exec|execdir|ok|okdir)$/.test(word)) return tests;
    if (/^-(?:depth|print0?|a|and|mount|xdev)$/.test(word)) continue;
    if (/^(?:!|-not)$/.test(word)) {
      isNegated = !isNegated;
      continue;
    }
    const test = makeTest(word, words[at + 1]);
    if (test === null) return null;
    tests.push(isNegated ? (entry) => !test(entry) : test);
    isNegated = false;
    at += 1;
  }
  return tests;
}

function makeTest(option: string, value: string | undefined): Test | null {
  if (value === undefined) return null;
  switch (option) {
    case "-name":
    case "-iname": {
      const fold = option === "-iname" ? (text: string) => text.toLowerCase() : (text: string) => text;
      // A leading dot is an ordinary character for find.
      const segment = value.includes("/") ? null : readGlobSegment(`x${fold(value)}`);
      return segment && ((entry) => segment.matches(`x${fold(nameOf(entry.path))}`));
    }
    case "-type":
      return /^[fdl]$/.test(value) ? ({ type }) => type === value : null;
    case "-maxdepth":
      return /^\d+$/.test(value) ? ({ depth }) => depth <= Number(value) : null;
    case "-mindepth":
      return /^\d+$/.test(value) ? ({ depth }) => depth >= Number(value) : null;
    case "-mtime":
      return ageTest(value, 24 * 60);
    case "-mmin":
      return ageTest(value, 1);
    default:
      return null;
  }
}

function nameOf(path: string): string {
  return path.replace(/\/+$/, "").split("/").at(-1) ?? path;
}

/** `+n` is more, `-n` less, `n` exactly so many times `minutes`, without fractions. */
function ageTest(value: string, minutes: number): Test | null {
  const [, sign = "", number = ""] = /^([+-]?)(\d+)$/.exec(value) ?? [];
  if (number === "") return null;
  return ({ age }) => {
    const units = Math.floor(age / minutes);
    return sign === "+"
      ? units > Number(number)
      : sign === "-"
        ? units < Number(number)
        : units === Number(number);
  };
}

async function entriesOf(root: string, cwd: string): Promise<readonly Entry[] | null> {
  const now = Date.now();
  const found: Entry[] = [];
  const waiting = [{ path: root, depth: 0 }];
  for (const { path, depth } of waiting) {
    const status = await lstat(resolve(cwd, path)).catch(() => null);
    if (status === null) continue;
    if (found.length >= mostEntries) return null;
    const type = status.isDirectory() ? "d" : status.isFile() ? "f" : status.isSymbolicLink() ? "l" : "other";
    found.push({ path, depth, type, age: (now - status.mtimeMs) / 60_000 });
    if (type !== "d") continue;
    const names = await readdir(resolve(cwd, path)).catch(() => []);
    pushAll(
      waiting,
      names.map((name) => ({ path: join(path, name), depth: depth + 1 })),
    );
  }
  return found;
}
