import type { Finding, Repair } from "./finding.ts";
import { lineAt } from "./line-at.ts";
import type { FileFacts } from "./read-file-facts.ts";

/** Finds property drawers that Org ignores. One of an entry that has no other is moved right below its heading and planning. */
export function findStrayDrawers({ file, text, strayDrawers, outline }: FileFacts): readonly {
  readonly finding: Finding;
  readonly repair: Repair | null;
}[] {
  return strayDrawers.map((begin) => {
    const line = lineAt(text, begin);
    const repair = moveUp({ file, text, outline }, begin, strayDrawers);
    const message = "the property drawer is not right below its heading, so Org ignores it.";
    return {
      finding: { code: "misplaced-drawer", file, line, message, repairable: repair !== null },
      repair,
    };
  });
}

const property = /^[ \t]*:[^\s:]+:(?:[ \t].*)?$/;
const closing = /^[ \t]*:END:[ \t]*\r?$/i;

/** Null if its entry is unknown or has another drawer, or if a line of the drawer is not a property. */
function moveUp(
  { file, text, outline }: Pick<FileFacts, "file" | "text" | "outline">,
  begin: number,
  all: readonly number[],
): Repair | null {
  const entry = outline.headlines.findLast((headline) => headline.begin <= begin);
  if (entry === undefined || entry.properties !== null || begin >= entry.sectionEnd) return null;
  if (all.filter((other) => other >= entry.begin && other < entry.sectionEnd).length > 1) return null;
  const end = endOfDrawer(text, begin, entry.sectionEnd);
  const to = entry.planning?.end ?? entry.lineEnd;
  if (end === null || to > begin || (to > 0 && text[to - 1] !== "\n")) return null;
  const drawer = text.slice(begin, end);
  return {
    file,
    title: `Move the property drawer of '${entry.title}' below its heading`,
    why: "Org reads a property drawer only right below its heading, or below the planning line. Here it stands further down, so its properties do not count.",
    line: lineAt(text, begin),
    splices: [
      { begin: to, end: to, insert: drawer },
      { begin, end, insert: "" },
    ],
  };
}

/** The end of a drawer, its last line included; null if a line is not a property, or the end is missing. */
function endOfDrawer(text: string, begin: number, limit: number): number | null {
  let at = text.indexOf("\n", begin) + 1;
  while (at > 0 && at < limit) {
    const feed = text.indexOf("\n", at);
    if (feed === -1) return null;
    const line = text.slice(at, feed);
    if (closing.test(line)) return feed + 1;
    if (!property.test(line.replace(/\r$/, ""))) return null;
    at = feed + 1;
  }
  return null;
}
