import { basename } from "node:path";
import {
  compileQuery,
  decodeOrgText,
  type Outline,
  parseQuery,
  type QueryTime,
  queryEntries,
  tagGroupFinder,
} from "#org";
import { makeEventLoopYield } from "../../machine/yield-to-event-loop.ts";
import { outlineOf } from "../../notes/parse-note-file.ts";
import { codePointOffsets } from "./code-point-offsets.ts";
import { readNoteBytes } from "./folder/read-note-file.ts";
import { openSetupFilesOfAny } from "./folder/setup-files.ts";
import type { Notes } from "./open-notes.ts";

/** A file with its outline. */
export type OutlinedFile = { readonly file: string; readonly outline: Outline };

/** A headline that matches a query. */
export type QueryHit = {
  readonly file: string;
  /** Where the headline begins, in code points. */
  readonly begin: number;
  readonly title: string;
  readonly todo: string | null;
  readonly tags: readonly string[];
  /** From 1. */
  readonly line: number;
  readonly level: number;
  readonly priority: string | null;
  readonly id: string | null;
};

/** What of a file matches: its hits, and their headlines in its outline. */
export type FileHits = {
  readonly hits: readonly QueryHit[];
  readonly headlines: readonly Outline["headlines"][number][];
};

/** A query that can be asked, or where its expression is wrong. `at` counts characters from 1. */
export type ReadyQuery =
  | { readonly ok: false; readonly at: number; readonly expected: string }
  | {
      readonly ok: true;
      /** The tag groups of all files count in each. */
      readonly over: (files: readonly OutlinedFile[]) => (file: OutlinedFile) => FileHits;
    };

/** Reads the expression of a query. */
export function readQuery(expression: string, now: QueryTime): ReadyQuery {
  const parsed = parseQuery(expression);
  if ("problem" in parsed) return { ok: false, ...parsed.problem };
  const matches = compileQuery(parsed.query, now);
  return {
    ok: true,
    over(files) {
      const groupsOf = tagGroupFinder(files.flatMap(({ outline }) => outline.settings.tagGroups));
      return ({ file, outline }) => {
        const entries = queryEntries(outline, { file, category: defaultCategory(file), groupsOf });
        const found = entries.filter(matches);
        const lineOf = lineCounter(outline.text);
        const offsetOf = codePointOffsets(() => outline.text);
        const hits = found.map(
          ({ headline: { begin, level, title, priority }, todo, tags, property }): QueryHit => ({
            file,
            begin: offsetOf(file, begin),
            title,
            todo,
            tags,
            line: lineOf(begin),
            level,
            priority: priority?.value ?? null,
            id: property("ID"),
          }),
        );
        return { hits, headlines: found.map(({ headline }) => headline) };
      };
    },
  };
}

/** The headlines of all notes but archives that match a query; other tasks run in between. */
export async function queryNotes(
  notes: Pick<Notes, "index" | "place" | "pathOf">,
  query: Extract<ReadyQuery, { readonly ok: true }>,
): Promise<readonly QueryHit[]> {
  const yieldToEventLoop = makeEventLoopYield();
  const files: OutlinedFile[] = [];
  const known = (await notes.index.files()).filter(({ path }) => !path.endsWith("_archive"));
  for (const seen of known.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    const result = await readNoteBytes(notes.place, seen);
    if (result.kind !== "read") continue;
    const path = notes.pathOf(seen.path);
    const { text } = decodeOrgText(result.bytes);
    files.push({ file: seen.path, outline: outlineOf(path, text, openSetupFilesOfAny(path, notes.place)) });
    await yieldToEventLoop();
  }
  const hitsOf = query.over(files);
  const hits: (readonly QueryHit[])[] = [];
  for (const file of files) {
    hits.push(hitsOf(file).hits);
    await yieldToEventLoop();
  }
  return hits.flat();
}

/** The category of a file that names none: its base name. */
export function defaultCategory(file: string): string {
  return basename(file).replace(/\.org(_archive)?$/, "");
}

/** Gives the line of an offset. The offsets of successive calls must not decrease. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let at = 0;
  return (offset) => {
    for (let feed = text.indexOf("\n", at); feed !== -1 && feed < offset; feed = text.indexOf("\n", at)) {
      line += 1;
      at = feed + 1;
    }
    return line;
  };
}
