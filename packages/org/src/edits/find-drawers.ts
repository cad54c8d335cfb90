import { findBlocks } from "../outline/file-keywords.ts";
import type { Headline } from "../outline/outline.ts";
import { nextLine } from "../text/lines.ts";
import type { Range } from "../text/range.ts";

/** A drawer of a section: from its first line's start to its last line's end; `contents` are the lines between. */
export type Drawer = Range & { readonly name: string; readonly contents: Range };

const opening = /^[ \t]*:([\w-]+):[ \t]*$/;
const closing = /^[ \t]*:end:[ \t]*$/i;

/** All closed drawers of an entry, outside blocks, its property drawer among them. */
export function findDrawers(
  text: string,
  { lineEnd, sectionEnd }: Pick<Headline, "lineEnd" | "sectionEnd">,
): readonly Drawer[] {
  const blocks = findBlocks(text, { begin: lineEnd, end: sectionEnd });
  const found: Drawer[] = [];
  for (let line = lineEnd; line < sectionEnd; ) {
    const block = blocks.find(({ begin, end }) => begin < nextLine(text, line) && line < end);
    const drawer = block === undefined ? drawerAt(text, line, sectionEnd) : null;
    if (drawer !== null) found.push(drawer);
    line = nextLine(text, Math.max(drawer === null ? line : drawer.end - 1, (block?.end ?? 1) - 1, line));
  }
  return found;
}

/** The place below an entry's planning line and property drawer. */
export function endOfMetadata({
  lineEnd,
  planning,
  properties,
}: Pick<Headline, "lineEnd" | "planning" | "properties">): number {
  return properties?.end ?? planning?.end ?? lineEnd;
}

function drawerAt(text: string, begin: number, limit: number): Drawer | null {
  const name = opening.exec(lineAt(text, begin))?.[1];
  if (name === undefined || name.toUpperCase() === "END") return null;
  const contents = nextLine(text, begin);
  for (let line = contents; line < limit; line = nextLine(text, line)) {
    if (!closing.test(lineAt(text, line))) continue;
    return { name, begin, end: nextLine(text, line), contents: { begin: contents, end: line } };
  }
  return null;
}

function lineAt(text: string, begin: number): string {
  return text.slice(begin, nextLine(text, begin)).replace(/\n$/, "");
}
