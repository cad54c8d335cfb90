import { resolve } from "node:path";
import { compileQuery, parseQuery, type QueryTime, queryEntries, sparseTree, tagGroupFinder } from "#org";
import { pathOfNote } from "../../memory/notes/folder/notes-folders.ts";
import type { NoteProblem } from "../../memory/notes/folder/walk-notes.ts";
import { loadConfig } from "../../settings/config.ts";
import { notesPlaceOf } from "../../settings/notes-place.ts";
import type { StartContext } from "../../settings/start-context.ts";
import { codePointOffsets } from "./code-point-offsets.ts";
import { defaultCategory, type NoteSelection, readNoteOutlines } from "./read-note-outlines.ts";

/** A query over the selected notes. */
export type QueryRequest = NoteSelection & { readonly expression: string; readonly now: QueryTime };

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

/** The matches of a query, or where its expression is wrong. `at` counts characters from 1. */
export type QueryResult =
  | { readonly kind: "wrong"; readonly at: number; readonly expected: string }
  | {
      readonly kind: "found";
      readonly hits: readonly QueryHit[];
      /** For each file with hits: its headlines that match, and those above them. */
      readonly trees: readonly { readonly file: string; readonly tree: string }[];
      /** The absolute path of a file with hits. */
      readonly pathOf: (file: string) => string;
      readonly problems: readonly NoteProblem[];
      /** What to do if there are no notes; else null. */
      readonly advice: string | null;
      /** False where a notes folder is not there, which was said. */
      readonly isComplete: boolean;
    };

/** Finds the headlines that match a query. */
export async function runQuery(start: StartContext, request: QueryRequest): Promise<QueryResult> {
  const parsed = parseQuery(request.expression);
  if ("problem" in parsed) return { kind: "wrong", ...parsed.problem };
  const matches = compileQuery(parsed.query, request.now);
  const notes = await readNoteOutlines(start, request);
  const groupsOf = tagGroupFinder(notes.files.flatMap(({ outline }) => outline.settings.tagGroups));
  const found = notes.files.map(({ file, outline }) => {
    const entries = queryEntries(outline, { file, category: defaultCategory(file), groupsOf }).filter(
      matches,
    );
    const tree = sparseTree(
      outline,
      entries.map(({ headline }) => headline),
    );
    const lineOf = lineCounter(outline.text);
    const offsetOf = codePointOffsets(() => outline.text);
    const hits = entries.map(
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
    return { file, hits, tree };
  });
  const place = notesPlaceOf(loadConfig(start.environment));
  return {
    kind: "found",
    hits: found.flatMap(({ hits }) => hits),
    trees: found.filter(({ hits }) => hits.length > 0).map(({ file, tree }) => ({ file, tree })),
    pathOf: (file) => (request.files.length > 0 ? resolve(start.cwd, file) : pathOfNote(place, file)),
    problems: notes.problems,
    advice: notes.advice,
    isComplete: notes.isComplete,
  };
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
