import { resolve } from "node:path";
import { type QueryTime, sparseTree } from "#org";
import { pathOfNote } from "../../memory/notes/folder/notes-folders.ts";
import type { NoteProblem } from "../../memory/notes/folder/walk-notes.ts";
import { type QueryHit, readQuery } from "../../memory/notes/query-notes.ts";
import { loadConfig } from "../../settings/config.ts";
import { notesPlaceOf } from "../../settings/notes-place.ts";
import type { StartContext } from "../../settings/start-context.ts";
import { type NoteSelection, readNoteOutlines } from "./read-note-outlines.ts";

/** A query over the selected notes. */
export type QueryRequest = NoteSelection & { readonly expression: string; readonly now: QueryTime };

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
  const query = readQuery(request.expression, request.now);
  if (!query.ok) return { kind: "wrong", at: query.at, expected: query.expected };
  const notes = await readNoteOutlines(start, request);
  const hitsOf = query.over(notes.files);
  const found = notes.files.map((one) => ({ ...one, ...hitsOf(one) }));
  const place = notesPlaceOf(loadConfig(start.environment));
  return {
    kind: "found",
    hits: found.flatMap(({ hits }) => hits),
    trees: found
      .filter(({ hits }) => hits.length > 0)
      .map(({ file, outline, headlines }) => ({ file, tree: sparseTree(outline, headlines) })),
    pathOf: (file) => (request.files.length > 0 ? resolve(start.cwd, file) : pathOfNote(place, file)),
    problems: notes.problems,
    advice: notes.advice,
    isComplete: notes.isComplete,
  };
}
