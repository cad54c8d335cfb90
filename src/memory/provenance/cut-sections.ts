import { decodeOrgText, encodeOrgText } from "#org";
import type { NoteNode } from "../../notes/note-node.ts";

type PlacedNode = Pick<NoteNode, "level" | "begin" | "lineEnd" | "sectionEnd" | "end" | "words" | "title">;

/** A file without some sections: null where nothing else was in it. `headings` are those that stay, since other notes stand below them. */
export type CutFile = { readonly bytes: Uint8Array | null; readonly headings: readonly string[] };

/** What is cut. `earlier` gives a section to put back in the place of one that is cut; null for none. */
type Cutting = {
  readonly isCut: (node: PlacedNode) => boolean;
  readonly earlier?: (node: PlacedNode) => string | null;
};

/** Lines that say nothing by themselves: keywords, drawers, blank lines, the head of an archive. */
const settingLine = /^[ \t]*(?:$|#\+\S+:|#(?: |$)|:[^\s:]+:)|^Archived entries from file /;

/** Nothing but the mark of the origin of a file. */
const onlyOrigin = /^\s*(?::PROPERTIES:[ \t]*\n[ \t]*:ORIGIN:.*\n[ \t]*:END:\s*)?$/i;

/**
 * Cuts the sections of nodes out of a file, and no other byte. A heading stays where other notes stand below it, and so do the keywords of a file with other
 * notes in it.
 */
export function cutSections(
  bytes: Uint8Array,
  nodes: readonly PlacedNode[],
  { isCut, earlier = () => null }: Cutting,
): CutFile {
  const org = decodeOrgText(bytes);
  const sectionOf = ({ begin, sectionEnd }: PlacedNode): string => org.text.slice(begin, sectionEnd);
  const stays = (node: PlacedNode): boolean =>
    earlier(node) !== null || (!isCut(node) && !onlyOrigin.test(sectionOf(node)));
  const isSetting = (node: PlacedNode): boolean =>
    sectionOf(node)
      .split("\n")
      .every((line) => settingLine.test(line));
  if (nodes.some(isCut) && !nodes.some(stays)) return { bytes: null, headings: [] };
  const ranges: { readonly begin: number; readonly end: number; readonly text?: string }[] = [];
  const headings: string[] = [];
  for (const node of nodes.filter(isCut)) {
    const below = nodes.filter(
      ({ level, begin }) => level > 0 && begin >= node.sectionEnd && begin < node.end,
    );
    const before = earlier(node);
    if (before !== null) ranges.push({ begin: node.begin, end: node.sectionEnd, text: before });
    else if (node.level === 0) {
      if (!isSetting(node)) ranges.push({ begin: node.begin, end: node.sectionEnd });
    } else if (below.some(stays)) {
      headings.push(node.title);
      ranges.push({ begin: node.lineEnd, end: node.sectionEnd });
    } else ranges.push({ begin: node.begin, end: node.end });
  }
  let text = "";
  let at = 0;
  for (const { begin, end, text: before = "" } of ranges.toSorted((one, other) => one.begin - other.begin)) {
    if (end <= at) continue;
    text += org.text.slice(at, Math.max(at, begin)) + before;
    at = end;
  }
  return { bytes: encodeOrgText({ ...org, text: text + org.text.slice(at) }), headings };
}
