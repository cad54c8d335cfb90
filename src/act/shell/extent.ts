import { readdir } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import type { Extent } from "../../signal/effect.ts";
import { isInside } from "../../signal/is-inside.ts";
import { readGlobSegment } from "./glob-segment.ts";

import { type DestroyedSet, destroyedSet } from "./programs/destroyed-set.ts";
import type { ResolvedChange } from "./said-changes.ts";

/** What the extent of a command is worked out from. */
export type ExtentRequest = {
  readonly argv: readonly string[];
  readonly worded: readonly ResolvedChange[];
  readonly cwd: string;
  /** The whole command line: a pattern that the owner typed counts where it stands in it. */
  readonly cmd: string;
  /** What the owner typed in this turn. */
  readonly words: readonly string[];
  readonly mayLook: boolean;
};

const mostListed = 1_000;
const mostShown = 20;

/** How much a command deletes, stops or replaces at once, and how much of that the owner's words of this turn name. Null for a single thing, and where it is not known to destroy anything. */
export async function findExtent(request: ExtentRequest): Promise<Extent | null> {
  const set = destroyedSet(request.argv) ?? (await filesOf(request));
  if (set === null) return null;
  const named = makeNaming(request);
  if (set.items === null) return { kind: set.kind, count: null, shown: [], unnamed: 1, others: [] };
  if (set.items.length < 2) return null;
  const unnamed = named.count(set.items.length) ? [] : set.items.filter((item) => !named.item(item));
  return {
    kind: set.kind,
    count: set.items.length,
    shown: set.items.slice(0, mostShown),
    unnamed: unnamed.length,
    others: set.kind === "files" ? await neighbours(request, set.items) : [],
  };
}

/** The files that a command deletes or replaces, those in folders included. A folder that the owner named is one thing. */
async function filesOf(request: ExtentRequest): Promise<DestroyedSet | null> {
  const { worded, cwd, mayLook } = request;
  const named = makeNaming(request);
  const lost = worded.filter(({ how, exists }) => how === "delete" || (how === "write" && exists));
  const items: string[] = [];
  for (const { path, tree, how } of lost) {
    const shown = isInside(cwd, path) ? relative(cwd, path) || "." : path;
    if (!tree || how !== "delete" || named.item(shown) || !mayLook) items.push(shown);
    else items.push(...(await filesBelow(path, cwd, mostListed - items.length)));
  }
  return items.length === 0 ? null : { kind: "files", items: [...new Set(items)] };
}

async function filesBelow(folder: string, cwd: string, limit: number): Promise<readonly string[]> {
  const found: string[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined && found.length < limit; next = waiting.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => null);
    if (entries === null) found.push(isInside(cwd, next) ? relative(cwd, next) : next);
    for (const entry of entries ?? []) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else found.push(isInside(cwd, path) ? relative(cwd, path) : path);
    }
  }
  return found.sort();
}

/** What else is in the folders of the set. */
async function neighbours(
  { cwd, mayLook }: ExtentRequest,
  items: readonly string[],
): Promise<readonly string[]> {
  if (!mayLook) return [];
  const folders = new Set(items.slice(0, mostListed).map((item) => join(cwd, item, "..")));
  const names = await Promise.all(
    [...folders].slice(0, 5).map(async (folder) => {
      const entries = await readdir(folder).catch(() => []);
      return entries.map((name) => relative(cwd, join(folder, name)));
    }),
  );
  const held = new Set(items);
  return names
    .flat()
    .filter((name) => !held.has(name) && !items.some((item) => item.startsWith(`${name}/`)))
    .sort()
    .slice(0, mostShown);
}

type Naming = { readonly item: (item: string) => boolean; readonly count: (count: number) => boolean };

const numbers = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const germanNumbers = "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf".split(" ");
/** What stands behind these words in a sentence is to stay. */
const exceptions =
  /\b(?:except|but|besides|without|keep|not|leave|außer|ausser|ohne|behalte|nicht|lass)\b.*$/isu;

/** What the owner's words name: a thing by its own name or path, a pattern that they typed, or a number. */
function makeNaming({ words, cmd }: ExtentRequest): Naming {
  const sentences = words
    .flatMap((text) => text.split(/(?<=[.!?])\s+|\n+/))
    .map((text) => text.replace(exceptions, ""));
  const tokens = new Set(
    sentences
      .flatMap((text) => text.split(/[\s,;"'`()<>„“”‘’]+/u))
      .map((token) => token.replace(/[.:!?/]+$/, "").replace(/^\.\//, "")),
  );
  const patterns = [...tokens].filter((token) => /[*?]/.test(token) && cmd.includes(token));
  const segments = patterns.flatMap((pattern) => readGlobSegment(basename(pattern)) ?? []);
  const counts = new Set(
    [...tokens].flatMap((token) => {
      const lower = token.toLowerCase();
      const at = Math.max(numbers.indexOf(lower), germanNumbers.indexOf(lower));
      return /^\d{1,4}$/.test(token) ? Number(token) : at > 1 ? at : [];
    }),
  );
  return {
    item: (item) =>
      tokens.has(item) ||
      tokens.has(basename(item)) ||
      segments.some(({ matches }) => matches(basename(item))),
    count: (count) => counts.has(count),
  };
}
