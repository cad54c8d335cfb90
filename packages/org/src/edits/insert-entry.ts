import { scanOutline } from "../outline/scan-outline.ts";
import type { Marker } from "./draft.ts";
import type { EditSession, Refusal } from "./session.ts";
import { headlineAt, headlineInTree } from "./session.ts";
import { endOfOrg, levelBelow, moveSubtree, pasteSubtree } from "./subtree.ts";
import { alignTags } from "./tags.ts";

/** Where headings are inserted: as the last child of a heading, before or after it, or, without a heading, at the end of the file. */
export type InsertPosition = { readonly place: Marker | null; readonly where: "under" | "after" | "before" };

/** Inserts a new heading with its text. Headings in the text become its children. */
export function insertEntry(
  session: EditSession,
  at: InsertPosition,
  { title, text }: { readonly title: string; readonly text: string },
): Refusal {
  const { level, offset } = target(session, at);
  const below = raise(text, level + 1);
  const entry = `${"*".repeat(level)} ${title.trim()}${below === "" ? "" : `\n${below}`}`;
  alignTags(session, paste(session, entry, { at: offset, level }));
  return null;
}

/** Inserts headings. The first gets the level of the position, the others keep their relative level. */
export function pasteEntries(session: EditSession, at: InsertPosition, text: string): Refusal {
  const [first] = scanOutline(text).headlines;
  if (first === undefined || text.slice(0, first.begin).trim() !== "")
    return "the text does not begin with a heading";
  const { level, offset } = target(session, at);
  paste(session, text.slice(first.begin), { at: offset, level });
  return null;
}

/** Promotes or demotes a subtree by one level. */
export function changeLevel(session: EditSession, place: Marker, by: 1 | -1): Refusal {
  const { draft, odd } = session;
  const { begin, level, end, index } = headlineInTree(session, place);
  const step = odd ? 2 * by : by;
  if (level + step < 1) return "it is already at the top level";
  const inside = draft.outline.headlines.slice(index).filter((headline) => headline.begin < end);
  for (const headline of inside.toReversed()) {
    // The first star stays, so that markers at the heading stay.
    const last = headline.begin + headline.level;
    const from = step < 0 ? Math.max(headline.begin + 1, last + step) : last;
    draft.replace({ begin: from, end: last }, "*".repeat(Math.max(0, step)));
  }
  const places = inside.map((_, at) => index + at);
  for (const at of places) alignTags(session, { at: draft.outline.headlines[at]?.begin ?? begin });
  return null;
}

/** Moves a subtree past its next or previous sibling. */
export function moveSibling(session: EditSession, place: Marker, to: "up" | "down"): Refusal {
  const { draft } = session;
  const headline = headlineInTree(session, place);
  const siblings = draft.outline.headlines.filter(({ parent }) => parent === headline.parent);
  const at = siblings.findIndex(({ begin }) => begin === headline.begin);
  const other = siblings[to === "up" ? at - 1 : at + 1];
  if (other === undefined || other.level !== headline.level)
    return `there is no sibling ${to === "up" ? "before" : "after"} it`;
  const [first, second] = to === "up" ? [other, headline] : [headline, other];
  const open = !draft.text.endsWith("\n");
  moveSubtree(session, { at: second.begin }, { at: first.begin, level: headline.level });
  const { length } = draft.text;
  if (open && draft.text.endsWith("\n")) draft.replace({ begin: length - 1, end: length }, "");
  return null;
}

/** Replaces the title of a heading. State, priority and tags stay. */
export function setTitle(session: EditSession, place: Marker, title: string): Refusal {
  const { draft } = session;
  const { titleRange, level, begin } = headlineAt(session, place);
  const bare = titleRange.begin === begin + level ? " " : "";
  draft.replace(titleRange, bare + title.trim());
  alignTags(session, place);
  return null;
}

/** Pastes at an offset; a text without a line feed at its end stays so. */
function paste(session: EditSession, tree: string, { at, level }: { at: number; level: number }): Marker {
  const { draft } = session;
  const open = at === draft.text.length && at > 0 && draft.text[at - 1] !== "\n";
  const place = pasteSubtree(session, tree, { at, level });
  if (open && draft.text.endsWith("\n")) {
    draft.replace({ begin: draft.text.length - 1, end: draft.text.length }, "");
  }
  return place;
}

function target(session: EditSession, { place, where }: InsertPosition): { level: number; offset: number } {
  const { text } = session.draft;
  if (place === null) return { level: 1, offset: endOfOrg(text) };
  const { level, begin, end } = headlineInTree(session, place);
  if (where === "before") return { level, offset: begin };
  return {
    level: where === "after" ? level : levelBelow(session, level),
    offset: Math.min(end, endOfOrg(text)),
  };
}

/** Shifts the headings of a text so that the highest has the given level. */
function raise(text: string, level: number): string {
  const { headlines } = scanOutline(text);
  if (headlines.length === 0) return text;
  const shift =
    level -
    headlines.map((headline) => headline.level).reduce((one, other) => Math.min(one, other), Infinity);
  return text
    .split("\n")
    .map((line) => {
      const stars = /^\*+(?= )/.exec(line)?.[0].length ?? 0;
      return stars === 0 ? line : "*".repeat(stars + shift) + line.slice(stars);
    })
    .join("\n");
}

/** True where a line of a text would be read as a heading. */
export function hasHeading(text: string): boolean {
  return text.split("\n").some((line) => /^\*+ /.test(line));
}
