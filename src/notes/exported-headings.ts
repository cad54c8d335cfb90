/**
 * A heading of a text that was made from a note, with its tags in lower case. Its level, from 1, orders it
 * among the headings of its kind; null where the tags are those of the heading above.
 */
type ExportedHeading = {
  readonly kind: "html" | "latex" | "calendar" | "plain";
  readonly level: number | null;
  readonly tags: readonly string[];
};

const htmlHeading = /<h([1-9])[\s>]/i;
/** `<span class="tag"><span class="personal">personal</span></span>`, also with blanks and further spans. */
const htmlTags =
  /<span class="tag"[^>]{0,200}>((?:<[^<>]{0,200}>|&[#\w]{1,10};|[^<>&]){1,2000}?)<\/span>\s*<\/(?:span|h\d)/gi;
const latexHeading = /\\(part|chapter|section|subsection|subsubsection|paragraph|subparagraph)\b/;
const latexLevels = "part chapter section subsection subsubsection paragraph subparagraph".split(" ");
const latexTags = /\\hfill\{\}\\textsc\{([^{}]{1,500})\}/;
const calendarEntry = /(?:^|[\s+>|:-])BEGIN:V(?:EVENT|TODO|JOURNAL)\b/i;
const categories = /(?:^|[\s+>|:-])CATEGORIES(?:;[^:]{0,200})?:(.*)$/i;
const property = /(?:^|[\s+>|:-])[A-Z-]{3,40}[:;]/;
/** Plain text and Markdown have the tags behind several blanks, at the end of the line of a heading. */
const plainTags = /^(#{0,9})[^#].*\S[ \t]{2,}:([\p{L}\p{N}_@#%:]+):[ \t]*$/u;

/**
 * Reads the headings of what was made from a note, line by line: HTML, LaTeX, Markdown, plain text and
 * calendars as Org exports them.
 */
export class ExportedHeadings {
  /** The line before ends a list of categories that may go on. */
  #isList = false;

  /**
   * The heading in the next line, with its tags; null where it has none. `bare`: without what a tool put in
   * front of it.
   */
  next(line: string, bare: string): ExportedHeading | null {
    const list = categories.exec(line)?.[1] ?? (this.#isList && !property.test(line) ? line : null);
    this.#isList = list !== null;
    if (list !== null) return { kind: "calendar", level: null, tags: tagsOf(list) };
    if (calendarEntry.test(line)) return { kind: "calendar", level: 1, tags: [] };
    const html = htmlHeading.exec(line);
    if (html !== null) {
      const shown = [...line.matchAll(htmlTags)].map(([, inside = ""]) =>
        inside.replaceAll(/<[^<>]*>|&[#\w]+;/g, " "),
      );
      return { kind: "html", level: Number(html[1]), tags: tagsOf(shown.join(" ")) };
    }
    const latex = latexHeading.exec(line);
    if (latex !== null)
      return {
        kind: "latex",
        level: latexLevels.indexOf(latex[1] ?? "") + 1,
        tags: tagsOf(latexTags.exec(line)?.[1]?.replaceAll("\\", "") ?? ""),
      };
    const [, marks = "", tags = ""] = plainTags.exec(bare) ?? [];
    return tags === "" ? null : { kind: "plain", level: Math.max(1, marks.length), tags: tagsOf(tags) };
  }
}

function tagsOf(list: string): readonly string[] {
  return list.toLowerCase().match(/[\p{L}\p{N}_@#%]+/gu) ?? [];
}
