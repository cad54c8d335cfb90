import { nextHeadline } from "../outline/file-keywords.ts";
import type { FileSettings, Headline, TodoState } from "../outline/outline.ts";
import { moveHeadline } from "../outline/rescan.ts";
import { scanHeadlines } from "../outline/scan-outline.ts";
import type { Moment } from "../time/timestamp.ts";
import type { Draft, Marker } from "./draft.ts";

/** What is logged, according to the file and to Emacs's variables. `null` logs nothing. */
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

/** A log record that is not written yet. */
export type PendingLog = {
  readonly purpose: "done" | "state" | "reschedule" | "delschedule" | "redeadline" | "deldeadline" | "refile";
  readonly state: string | null;
  readonly previous: string | null;
  readonly place: Marker;
};

/** The state of a list of operations on one text. */
export type EditSession = {
  readonly draft: Draft;
  readonly now: Moment;
  readonly newId: () => string;
  /** What the file's keywords set before the first operation. */
  readonly settings: FileSettings;
  readonly log: LogSettings;
  /** Every level counts for two (`#+STARTUP: odd`). */
  readonly odd: boolean;
  /** The log record that the current operation asks for, and its note. */
  pending: PendingLog | null;
  note: string;
  /** The end of the line of the clock that runs. */
  clock: Marker | null;
};

/** The reason why an operation was refused; null if it was applied. */
export type Refusal = string | null;

/** A headline without its position in the outline. */
export type EditableHeadline = Omit<Headline, "index" | "parent" | "end">;

/** The headline that begins at a marker; reads no more of the text than its section. */
export function headlineAt({ draft, settings }: EditSession, place: Marker): EditableHeadline {
  const { text } = draft;
  const section = text.slice(place.at, nextHeadline(text, place.at + 1));
  const [found] = scanHeadlines(section, settings, {});
  if (found === undefined || found.begin !== 0) throw new Error(`no headline begins at ${place.at}`);
  return strict(moveHeadline(found, place.at), text);
}

/** The headline that begins at a marker, with its place in the outline. */
export function headlineInTree({ draft }: EditSession, place: Marker): Headline {
  const { headlines } = draft.outline;
  let low = 0;
  let high = headlines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((headlines[middle]?.begin ?? 0) <= place.at) low = middle;
    else high = middle - 1;
  }
  const found = headlines[low];
  if (found === undefined || found.begin !== place.at) throw new Error(`no headline begins at ${place.at}`);
  return found;
}

/** Emacs's commands accept a planning line only if its keywords are in upper case. */
function strict(headline: EditableHeadline, text: string): EditableHeadline {
  if (headline.planning === null) return headline;
  const word = text.slice(headline.planning.begin, headline.planning.end).trimStart();
  return /^[A-Z]/.test(word) ? headline : { ...headline, planning: null, properties: null };
}

/** The parent of a headline; null at the top. */
export function parentOf(
  session: EditSession,
  { begin, level }: Pick<EditableHeadline, "begin" | "level">,
): EditableHeadline | null {
  const { text } = session.draft;
  for (let at = begin; at > 0; ) {
    at = at < 2 ? 0 : text.lastIndexOf("\n*", at - 2) + 1;
    const stars = /^\*+(?= )/.exec(text.slice(at, at + level))?.[0].length ?? level;
    if (stars < level) return headlineAt(session, { at });
    if (at === 0) return null;
  }
  return null;
}
