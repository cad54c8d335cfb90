import type { Headline } from "../outline.ts";
import { scanOutline } from "../scan-outline.ts";
import type { Marker } from "./draft.ts";
import { headlineAt, type Session } from "./session.ts";
import { alignTags } from "./tags.ts";
import { beginsLine } from "./text-lines.ts";

/** Takes a subtree out of the text; gives what it was. */
export function cutSubtree(session: Session, place: Marker): string {
  const { draft } = session;
  const headline = headlineAt(session, place);
  const tree = draft.text.slice(headline.begin, headline.end);
  draft.replace(headline, "");
  return tree;
}

/** Puts headings with what is below them into the text, the first at a level and the rest by as much deeper; gives the place of the first. */
export function pasteSubtree(
  session: Session,
  tree: string,
  { at, level }: { at: number; level: number },
): Marker {
  const { draft } = session;
  const lead = beginsLine(draft.text, at) ? "" : "\n";
  const end = tree.endsWith("\n") ? "" : "\n";
  const { headlines } = scanOutline(tree);
  const shift = level - (headlines[0]?.level ?? level);
  draft.replace({ begin: at, end: at }, lead + withLevels(tree, headlines, shift) + end);
  const begin = at + lead.length + (headlines[0]?.begin ?? 0);
  if (shift !== 0) alignAll(session, begin, headlines.length);
  return draft.mark(begin, true);
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

function alignAll(session: Session, begin: number, count: number): void {
  const { draft } = session;
  const { index } = headlineAt(session, { at: begin });
  const places = draft.outline.headlines
    .slice(index, index + count)
    .map((headline) => draft.mark(headline.begin, true));
  for (const place of places) alignTags(session, place);
}
