import { decodeOrgText, type Headline, propertyOf, scanOutline, type Timestamp } from "#org";
import { makeEventLoopYield } from "../../../machine/yield-to-event-loop.ts";
import { readNoteBytes } from "../folder/read-note-file.ts";
import type { NotesPlace } from "../folder/setup-files.ts";
import { walkNotes } from "../folder/walk-notes.ts";
import { isArchive } from "./is-archive.ts";

/** The done trees of a file, each by its ID, or by its title if no other entry has the same. */
export type DoneTrees = { readonly file: string; readonly entries: readonly string[] };

/** Finds the topmost trees that were closed on a day, `YYYY-MM-DD`, or before it, and in which nothing is open. Archives are skipped. */
export async function findDoneTrees(place: NotesPlace, until: string): Promise<readonly DoneTrees[]> {
  const pause = makeEventLoopYield();
  const found: DoneTrees[] = [];
  for (const seen of (await walkNotes(place, pause)).files.values()) {
    const wait = pause();
    if (wait !== null) await wait;
    const read = await readNoteBytes(place, seen);
    if (read.kind !== "read" || !read.bytes.includes("CLOSED:")) continue;
    const { text } = decodeOrgText(read.bytes);
    if (isArchive(seen.path, text)) continue;
    const entries = doneTreesIn(text, place, until);
    if (entries.length > 0) found.push({ file: seen.path, entries });
  }
  return found;
}

function doneTreesIn(text: string, place: NotesPlace, until: string): readonly string[] {
  const { headlines } = scanOutline(text, { variables: place.variables ?? [] });
  const entries: string[] = [];
  let end = 0;
  for (const headline of headlines) {
    if (headline.begin < end || !isDone(headline, headlines, until)) continue;
    end = headline.end;
    const name = nameOf(headline, headlines);
    if (name !== null && headline.tags?.names.includes("ARCHIVE") !== true) entries.push(name);
  }
  return entries;
}

function isDone({ todo, planning, begin, end }: Headline, all: readonly Headline[], until: string): boolean {
  const closed = planning?.closed ?? null;
  if (todo?.done !== true || closed === null || dayOf(closed) > until) return false;
  return all.every(
    (other) => other.begin < begin || other.begin >= end || other.todo === null || other.todo.done,
  );
}

function dayOf({ start: { year, month, day } }: Timestamp): string {
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** Null if an edit could not tell the entry from another. */
function nameOf({ properties, title }: Headline, all: readonly Headline[]): string | null {
  const id = propertyOf(properties, "ID");
  if (id !== null && id !== "") return id;
  return title !== "" && all.filter((other) => other.title === title).length === 1 ? title : null;
}
