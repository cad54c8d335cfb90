import type { Headline } from "../outline/outline.ts";
import { scanOutline } from "../outline/scan-outline.ts";
import { endOfLine, isLineStart, nextLine } from "../text/lines.ts";
import type { Marker } from "./draft.ts";
import { type EditSession, headlineInTree } from "./session.ts";
import { alignTags } from "./tags.ts";

/** Cuts a subtree, and forgets a clock that runs in it. Returns the cut text. */
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

/** Moves a subtree, with a clock that runs in it. Returns its new position. */
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

/** Pastes subtrees. The first heading gets the given level, the others keep their relative level. Returns the position of the first. */
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

/** The end of the Org text: before the list of Emacs's local variables that may end a file. */
export function endOfOrg(text: string): number {
  const from = Math.max(0, text.length - 3000);
  const found = text.slice(from).search(localVariables);
  return found === -1 ? text.length : from + found;
}

/** The level of a child heading. With odd levels only, it is odd. */
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
