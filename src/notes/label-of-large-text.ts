import { bottomLabel, joinLabels, type Label } from "../signal/label.ts";
import { isOrgFile } from "../text/is-org-file.ts";
import { labelOfMarks, longestBeginning, readTextMarks } from "./label-of-text.ts";

/** How much of a text is looked through, in code units. What lies behind that of a note counts as private, and of anything else as it stands. */
const most = 256 * 1024 * 1024;
/** How much is kept of the lines that define groups of tags. */
const mostGroups = 20_000;
const groupLines = /#\+tags:.*$/gim;
const setupLine = /^[ \t]*#\+setupfile:/im;
const somePrivacy: Label = { ...bottomLabel, secrecy: "private" };

/**
 * The label of a text that is too large to be held as a whole, by the privacy tags in its pieces, which end
 * with lines; a line over several pieces is read with its beginning. What a setup file says of it is not
 * known, so such a text is private.
 */
export async function labelOfLargeText(
  pieces: AsyncIterable<string>,
  { path, privacyTags }: { readonly path: string; readonly privacyTags: readonly string[] },
): Promise<Label> {
  let label = bottomLabel;
  let groups = "";
  let cutLine = "";
  let read = 0;
  for await (const piece of pieces) {
    read += piece.length;
    if (read > most) return isOrgFile(path) ? joinLabels(label, somePrivacy) : label;
    label = joinLabels(label, labelOfMarks(readTextMarks(groups + cutLine + piece, privacyTags)));
    if (label.secrecy === "secret") return label;
    cutLine = openLine(cutLine + piece);
    if (setupLine.test(piece)) label = joinLabels(label, somePrivacy);
    if (groups.length < mostGroups)
      groups += (piece.match(groupLines) ?? []).map((line) => `${line}\n`).join("");
  }
  return label;
}

/** The line that a text ends in, without its middle where it is long: it may name tags behind the text. */
function openLine(text: string): string {
  const line = text.slice(text.lastIndexOf("\n") + 1);
  const isLong = line.length > 2 * longestBeginning;
  return isLong ? line.slice(0, longestBeginning) + line.slice(-longestBeginning) : line;
}
