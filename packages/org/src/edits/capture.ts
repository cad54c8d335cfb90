import type { Moment } from "../time/timestamp.ts";
import { findDay, wholeSubtree } from "./date-tree.ts";
import type { Marker } from "./draft.ts";
import { insertEntry } from "./insert-entry.ts";
import type { EditSession, Refusal } from "./session.ts";

type Entry = {
  readonly date: Moment;
  readonly under: Marker | null;
  readonly title: string;
  readonly text: string;
};

/** Adds an entry below its day in a date tree, which is extended where needed. */
export function captureEntry(session: EditSession, { date, under, title, text }: Entry): Refusal {
  const day = findDay(session, { under, date, extent: wholeSubtree });
  return insertEntry(session, { place: day, where: "under" }, { title, text });
}
