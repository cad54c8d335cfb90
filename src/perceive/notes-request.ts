import type { Json, JsonObject } from "../text/json.ts";
import type { OrgTreeRequest } from "./org-tree-request.ts";

const views = ["agenda", "query", "search", "backlinks"] as const;

/**
 * Asks for a list of notes: what is due from a day on, the headlines that match an expression, what words
 * find, or the notes that link to one. It comes page by page; `cursor` is where a page ended, and `limit` how
 * many entries a page has at most. Nobody types this.
 */
export type NotesRequest = {
  readonly kind: "notes";
  readonly view: (typeof views)[number];
  readonly what: string;
  readonly cursor: string | null;
  readonly limit: number | null;
};

/** The request that a message of a client is; null where there is no such list. */
export function notesRequestOf({ view: named, what, cursor, limit }: JsonObject): NotesRequest | null {
  const view = views.find((one) => one === named);
  if (view === undefined) return null;
  return {
    kind: "notes",
    view,
    what: textOrNull(what) ?? "",
    cursor: textOrNull(cursor),
    limit: typeof limit === "number" ? limit : null,
  };
}

/**
 * The place of a note: its file, and the titles of its headline and of those above it, the outermost first.
 */
export type NotePlace = { readonly file: string; readonly outline: readonly string[]; readonly line: number };

/** Sets the focus to what stands at a place, or takes it away. Nobody types this. */
type FocusAt = { readonly kind: "focus-at"; readonly place: NotePlace | null };

/** What a client asks of the notes, and nobody types. */
export type NotesCommand = OrgTreeRequest | NotesRequest | FocusAt;

/** The place that a message of a client names; null where it names none. */
export function notePlaceOf({ file, outline, line }: JsonObject): NotePlace | null {
  if (typeof file !== "string" || file === "") return null;
  const titles = Array.isArray(outline) ? outline.filter((title) => typeof title === "string") : [];
  return { file, outline: titles, line: typeof line === "number" ? line : 1 };
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}
