import { alphanumeric, wordConstituent } from "../text/emacs-characters.ts";
import type { TagGroup } from "./outline.ts";
import { compilePattern, type Pattern } from "./tag-pattern.ts";

/** The group tags that a tag is a member of, directly or through other groups, and its own group. */
export type GroupsOfTag = (tag: string) => ReadonlySet<string>;

/** How many words of a file's `#+TAGS` lines are read. Groups may be nested, so that more words could take quadratic time. */
const mostWords = 1000;

/** Limits of a careful finder: how many pattern tests it runs, and how long tags and patterns may be, in UTF-16 units. */
const careful = { tests: 1000, length: 100 };

const tagWord = new RegExp(`^([${alphanumeric}_@#%]+|\\{.+?\\})(?:\\(.\\))?$`, "u");
const closers: ReadonlySet<string> = new Set(["}", "]"]);
const openers: ReadonlySet<string> = new Set(["{", "["]);

/** The groups of a file's `#+TAGS` lines (`[ group : member … ]`, `{ group : member … }`), as Emacs's `org-tag-alist-to-groups` reads them. */
export function readTagGroups(lines: readonly string[]): readonly TagGroup[] {
  const groups: TagGroup[] = [];
  let state: "outside" | "name" | "members" = "outside";
  let current: string[] = [];
  for (const word of lines.flatMap((line) => line.split(/[ \t\n\f\r]+/)).slice(0, mostWords)) {
    if (openers.has(word)) state = "name";
    else if (closers.has(word)) {
      const [name, ...members] = current;
      if (state === "members" && name !== undefined) groups.push({ name, members });
      state = "outside";
      current = [];
    } else if (word === ":") state = "members";
    else {
      const tag = tagWord.exec(word)?.[1];
      if (tag === undefined) continue;
      if (state === "name") current = [tag];
      else if (state === "members") current.push(tag);
    }
  }
  return groups;
}

/**
 * Finds the groups of tags as Emacs's `org-tags-expand` does with its agenda files: groups of one name are one, and case does not matter. A careful
 * finder takes it that a pattern matches where that cannot be told in little time, so that what might be private is; another one that it does not.
 */
export function tagGroupFinder(
  groups: readonly TagGroup[],
  care: "careful" | "exact" = "exact",
): GroupsOfTag {
  if (groups.length === 0) return () => none;
  const held = Map.groupBy(
    groups.flatMap(({ name, members }) => [name, ...members].map((member) => ({ name, member }))),
    ({ member }) => member,
  );
  const byWord = new Map<string, Set<string>>();
  const patterns: { readonly pattern: Pattern | null; readonly names: ReadonlySet<string> }[] = [];
  for (const member of held.keys()) {
    const names = namesAbove(member, held);
    const source = /^\{(.+?)\}/.exec(member)?.[1];
    if (source === undefined) addAll(byWord, member.toLowerCase(), names);
    else patterns.push({ pattern: patternOf(source), names });
  }
  let tests = 0;
  const matches = (pattern: Pattern | null, tag: string): boolean => {
    if (care === "exact") return pattern?.test(tag) ?? false;
    tests += 1;
    const isLong =
      tests > careful.tests || Math.max(tag.length, pattern?.source.length ?? 0) > careful.length;
    return pattern === null || isLong || pattern.test(tag);
  };
  const known = new Map<string, ReadonlySet<string>>();
  return (tag) => {
    const seen = known.get(tag);
    if (seen !== undefined) return seen;
    const found = new Set<string>();
    for (const word of wordsIn(tag)) for (const name of byWord.get(word) ?? none) found.add(name);
    for (const { pattern, names } of patterns) {
      if (matches(pattern, tag)) for (const name of names) found.add(name);
    }
    known.set(tag, found);
    return found;
  };
}

/** The groups of several tags, each once; null where there is none. */
export function groupsOfTags(tags: readonly string[], groupsOf: GroupsOfTag): readonly string[] | null {
  const found = new Set(tags.flatMap((tag) => [...groupsOf(tag)]));
  return found.size === 0 ? null : [...found];
}

const none: ReadonlySet<string> = new Set();

/** The names of all groups that hold a member, or a group that holds it. */
function namesAbove(
  member: string,
  held: ReadonlyMap<string, readonly { readonly name: string }[]>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [member];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const { name } of held.get(at) ?? []) {
      if (found.has(name)) continue;
      found.add(name);
      open.push(name);
    }
  }
  return found;
}

function addAll(to: Map<string, Set<string>>, word: string, names: ReadonlySet<string>): void {
  const all = to.get(word) ?? new Set();
  for (const name of names) all.add(name);
  to.set(word, all);
}

/** Null for what cannot be read. */
function patternOf(source: string): Pattern | null {
  const pattern = compilePattern(source);
  return "test" in pattern ? pattern : null;
}

const wordRun = new RegExp(`[${wordConstituent}_@]+`, "gu");

/** A tag and its words in lower case: what `\<…\>` can match in it. */
function wordsIn(tag: string): readonly string[] {
  const folded = tag.toLowerCase();
  return [...new Set([folded, ...(folded.match(wordRun) ?? [])])];
}
