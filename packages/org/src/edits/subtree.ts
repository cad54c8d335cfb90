import type { Headline } from "../outline/outline.ts";
import { scanOutline } from "../outline/scan-outline.ts";
import { endOfLine, isLineStart, nextLine } from "../text/lines.ts";
import type { Marker } from "./draft.ts";
import { type EditSession, headlineInTree } from "./session.ts";
import { alignTags } from "./tags.ts";

/** Takes a subtree out of the text, and a clock that runs in it; gives what it was. */
export function cutSubtree(session: EditSession, place: Marker): string {
  const { draft } = session;
  const headline = headlineInTree(session, place);
  const { begin } = headline;
  const end = Math.min(headline.end, endOfOrg(draft.text));
  const tree = draft.text.slice(begin, end);
  const clockAt = session.clock?.at ?? -1;
  draft.replace({ begin, end }, "");
  if (session.clock !== null && clockAt >= begin && clockAt < end) session.clock = null;
  return tree;
}

/** Takes a subtree from one place to another, and a clock that runs in it along; gives its new place. */
export function moveSubtree(
  session: EditSession,
  place: Marker,
  { at, level }: { readonly at: number; readonly level: number },
): Marker {
  const { draft, clock } = session;
  const { begin, end } = headlineInTree(session, place);
  const clocked = clock !== null && clock.at >= begin && clock.at < end;
  const lines = clocked ? linesBetween(draft.text, begin, clock.at) : 0;
  const target = draft.mark(at, true);
  const moved = pasteSubtree(session, cutSubtree(session, place), { at: target.at, level });
  if (clocked) session.clock = draft.mark(endOfLine(draft.text, lineBelow(draft.text, moved.at, lines)));
  return moved;
}

function linesBetween(text: string, from: number, to: number): number {
  return text.slice(from, to).split("\n").length - 1;
}

function lineBelow(text: string, from: number, lines: number): number {
  let at = from;
  for (let count = 0; count < lines; count += 1) at = nextLine(text, at);
  return at;
}

/** Puts headings with what is below them into the text, the first at a level and the rest by as much deeper; gives the place of the first. */
export function pasteSubtree(
  session: EditSession,
  tree: string,
  { at: wanted, level }: { at: number; level: number },
): Marker {
  const { draft } = session;
  const at = Math.min(wanted, endOfOrg(draft.text));
  const lead = isLineStart(draft.text, at) ? "" : "\n";
  const end = tree.endsWith("\n") ? "" : "\n";
  const { headlines } = scanOutline(tree);
  const shift = level - (headlines[0]?.level ?? level);
  draft.replace({ begin: at, end: at }, lead + withLevels(tree, headlines, shift) + end);
  const begin = at + lead.length + (headlines[0]?.begin ?? 0);
  if (shift !== 0) alignAll(session, begin, headlines.length);
  return draft.mark(begin, true);
}

const localVariables = /^[ \t]*#[ \t]+Local Variables:\n(?:[^\n]*\n)+?[ \t]*#[ \t]+End:\s*$/im;

/** Where the text ends that headings hold: before the list of variables for Emacs that may end a file. */
export function endOfOrg(text: string): number {
  const from = Math.max(0, text.length - 3000);
  const found = text.slice(from).search(localVariables);
  return found === -1 ? text.length : from + found;
}

/** The level of a heading right below one of a level. Where only odd levels count, it is odd. */
export function levelBelow({ odd }: EditSession, level: number): number {
  return odd ? 1 + 2 * Math.floor((level + 1) / 2) : level + 1;
}

function withLevels(tree: string, headlines: readonly Headline[], shift: number): string {
  let text = "";
  let from = 0;
  for (const { begin, level } of headlines) {
    text += tree.slice(from, begin) + "*".repeat(Math.max(1, level + shift));
    from = begin + level;
  }
  return text + tree.slice(from);
}

function alignAll(session: EditSession, begin: number, count: number): void {
  const { draft } = session;
  const { index } = headlineInTree(session, { at: begin });
  const places = draft.outline.headlines
    .slice(index, index + count)
    .map((headline) => draft.mark(headline.begin, true));
  for (const place of places) alignTags(session, place);
}
