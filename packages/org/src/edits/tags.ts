import { columnOf } from "../text/column.ts";
import { endOfLine, skipBlanksBack, startOfLine } from "../text/lines.ts";
import type { Marker } from "./draft.ts";
import { type EditSession, headlineAt, type Refusal } from "./session.ts";

const column = 77;
const tag = /^[\p{L}\p{M}\p{Nl}\p{Nd}_@#%]+$/u;

/** Sets the tags of a heading, aligned at Emacs's column. If they are set already, only realigns them. */
export function setTags(session: EditSession, place: Marker, tags: readonly string[]): Refusal {
  const wrong = tags.find((name) => !tag.test(name));
  if (wrong !== undefined) return `'${wrong}' is not a valid tag: use letters, digits, _, @, # and %`;
  const { draft } = session;
  const headline = headlineAt(session, place);
  const before = headline.tags?.names ?? [];
  if (before.join(":") !== tags.join(":")) {
    const end = endOfLine(draft.text, headline.begin);
    const from = skipBlanksBack(draft.text, headline.tags?.begin ?? end, headline.begin);
    // A heading without anything keeps the blank that makes it one.
    const bare = from === headline.begin + headline.level ? " " : "";
    draft.replace({ begin: from, end }, bare + (tags.length === 0 ? "" : ` :${tags.join(":")}:`));
  }
  if (tags.length > 0) alignTags(session, place);
  return null;
}

/** Adds a tag, at the end, or takes it away. */
export function toggleTag(
  session: EditSession,
  place: Marker,
  name: string,
  to: "on" | "off" | "other",
): void {
  const names = headlineAt(session, place).tags?.names ?? [];
  const has = names.includes(name);
  const on = to === "on" || (to === "other" && !has);
  const without = names.filter((other) => other !== name);
  setTags(session, place, on ? (has ? names : [...names, name]) : without);
}

/** Moves a heading's tags to where Emacs keeps them: so that they end in column 77, or one blank after a long title. */
export function alignTags(session: EditSession, place: Marker): void {
  const { draft } = session;
  const headline = headlineAt(session, place);
  if (headline.tags === null) return;
  const { begin, end } = headline.tags;
  const { text } = draft;
  const line = startOfLine(text, begin);
  const blanks = skipBlanksBack(text, begin, line);
  const title = columnOf(text.slice(line, blanks));
  const wanted = Math.max(column - columnOf(text.slice(begin, end)), title + 1);
  if (wanted !== columnOf(text.slice(line, begin))) {
    draft.replace({ begin: blanks, end: begin }, " ".repeat(wanted - title));
  }
}
