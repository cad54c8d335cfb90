import type { Headline, TodoState } from "../outline.ts";
import type { Moment } from "../timestamp.ts";
import type { Draft, Marker } from "./draft.ts";

/** What the files and Emacs's variables say about keeping a record. `null` keeps none. */
export type LogSettings = {
  readonly done: "time" | "note" | null;
  readonly repeat: "time" | "state" | "note" | null;
  readonly reschedule: "time" | "note" | null;
  readonly redeadline: "time" | "note" | null;
  readonly refile: "time" | "note" | null;
  readonly intoDrawer: boolean;
  /** New records go to the top. */
  readonly reversed: boolean;
  readonly states: ReadonlyMap<string, Pick<TodoState, "enter" | "leave">>;
};

/** A record that is yet to be written into an entry. */
export type PendingLog = {
  readonly purpose: "done" | "state" | "reschedule" | "delschedule" | "redeadline" | "deldeadline" | "refile";
  readonly state: string | null;
  readonly previous: string | null;
  readonly place: Marker;
};

/** One row of operations on one text. */
export type Session = {
  readonly draft: Draft;
  readonly now: Moment;
  readonly newId: () => string;
  readonly todo: readonly TodoState[];
  readonly log: LogSettings;
  readonly priorities: { readonly highest: string; readonly lowest: string };
  /** Every level counts for two (`#+STARTUP: odd`). */
  readonly odd: boolean;
  /** A record that this operation wants, and the words to go with it. */
  pending: PendingLog | null;
  note: string;
  /** The line of the clock that runs, and its heading. */
  clock: { readonly line: Marker; readonly heading: Marker } | null;
};

/** Why an operation was not done, or not wholly; null where it was. */
export type Refusal = string | null;

/** The headline that begins at a marker. */
export function headlineAt({ draft }: Session, place: Marker): Headline {
  const { headlines } = draft.outline;
  let low = 0;
  let high = headlines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((headlines[middle]?.begin ?? 0) <= place.at) low = middle;
    else high = middle - 1;
  }
  const found = headlines[low];
  if (found === undefined || found.begin !== place.at) {
    throw new Error(`no headline begins at ${place.at}`);
  }
  return strict(found, draft.text);
}

/** Emacs's commands take a line for a planning line only if its words are in upper case. */
function strict(headline: Headline, text: string): Headline {
  if (headline.planning === null) return headline;
  const word = text.slice(headline.planning.begin, headline.planning.end).trimStart();
  return /^[A-Z]/.test(word) ? headline : { ...headline, planning: null, properties: null };
}

/** The headline above one; null at the top. */
export function parentOf({ draft }: Session, headline: Headline): Headline | null {
  return draft.outline.headlines[headline.parent] ?? null;
}
