import { readTagGroups, tagGroupFinder } from "#org";
import { bottomLabel, type Label } from "../signal/label.ts";
import { linePrefixEnd } from "../text/line-prefix.ts";
import { withoutUnprinted } from "../text/unprinted.ts";
import { ExportedHeadings } from "./exported-headings.ts";
import { HeadTags, hashtagsIn } from "./markdown-tags.ts";

/** What a text is by the Org tags in it, and the parts of it that the tags cover. */
export type TextMarks = { readonly secrecy: Label["secrecy"]; readonly parts: readonly string[] };

/** Where a part begins, and the heading that it is the part of; level 0 is above all headings. */
type Part = { readonly kind: string; readonly level: number; readonly begin: number };

/** How much of a line tells whether it is a headline or a keyword, in code units. */
export const longestBeginning = 4000;
/** A line break, also an escaped one, as it stands in JSON. */
const lineBreak = /\r\n?|\n|\\r\\n|\\n|\u2028|\u2029/g;
const headline = /(?:^|[^*\p{L}\p{N}_])(\*+)[ \t]+\S/u;
/** At the end of a line, or of a quoted text in it, as in JSON and CSV. */
const tagsAtEnd = /(?:^|[ \t])(:[\p{L}\p{N}_@#%:]+:)(?:[ \t$"'`,)\]}]*$|\\?["'])/u;
const markdownHeadline = /^[+> -]?(#{1,6})[ \t]+\S/;
const tagsOfFile = /#\+filetags:(.*)$/iu;
const groupsOfFile = /#\+tags:(.*)$/iu;
const tagsOfArchive = /:archive_itags:(.*)$/iu;
const nextFile = /^(?:diff --git |commit [0-9a-f]{7,})/;

/**
 * Reads the privacy tags of a text that is not known as a file: a tool's output, part of a file, text in JSON. A headline with such a tag makes the text
 * below it private, `#+FILETAGS:` the rest of the text, `:ARCHIVE_ITAGS:` its entry; `tags:` in the head of
 * a note and `#@tag` make all of it private, and `:crypt:` makes them secret. What `git`, `grep`, `diff` or
 * a quotation put in front of a line does not matter. A heading of an export of Org (HTML, LaTeX, Markdown,
 * plain text, a calendar) counts as the headline that it was made from. A hashtag that may be a word or a
 * name in code counts in Markdown alone.
 */
export function readTextMarks(
  whole: string,
  privacyTags: readonly string[],
  { isMarkdown = false, isOrg = false }: { readonly isMarkdown?: boolean; readonly isOrg?: boolean } = {},
): TextMarks {
  const tags = new Set([...privacyTags, "crypt"]);
  const text = withoutUnprinted(whole);
  const folded = text.toLowerCase();
  if (![...tags].some((tag) => folded.includes(tag))) return { secrecy: "public", parts: [] };
  const groupsOf = groupsIn(text, folded);
  let secrecy: Label["secrecy"] = "public";
  const parts: string[] = [];
  let open: Part | null = null;
  let entry: Part | null = null;
  let noteBegin = 0;
  const head = new HeadTags();
  const exported = new ExportedHeadings();
  const isHashtag = (tag: string): boolean => isMarkdown || /[@%]/.test(tag);
  const close = (end: number): void => {
    if (open !== null) parts.push(text.slice(open.begin, end));
    open = null;
  };
  for (const { begin, line } of linesOf(text)) {
    const bare = line.slice(linePrefixEnd(line, 0));
    const heading = headline.exec(line) ?? (isMarkdown ? markdownHeadline.exec(bare) : null);
    const made = isOrg || heading !== null ? null : exported.next(line, bare);
    const level = heading?.[1]?.length ?? made?.level ?? null;
    if (level !== null) {
      entry = { kind: made?.kind ?? heading?.[1]?.charAt(0) ?? "", level, begin };
      // A heading of another kind is text of the part, as HTML in a note is.
      if (open !== null && entry.kind === open.kind && level <= open.level) close(begin);
    } else if (nextFile.test(line)) {
      entry = null;
      close(begin);
      noteBegin = begin;
      head.restart();
    }
    const ofNote = isOrg ? [] : [...head.next(bare), ...hashtagsIn(bare).filter(isHashtag)];
    const named = [...tagsIn(line, heading !== null), ...(made?.tags ?? []), ...ofNote];
    const found = named.flatMap((tag) => [tag, ...groupsOf(tag)]).filter((tag) => tags.has(tag));
    if (found.length === 0) continue;
    if (ofNote.some((tag) => found.includes(tag))) open = { kind: "", level: 0, begin: noteBegin };
    if (found.includes("crypt")) secrecy = "secret";
    else if (secrecy === "public") secrecy = "private";
    open ??= tagsOfFile.test(line) || entry === null ? { kind: "", level: 0, begin } : entry;
  }
  close(text.length);
  return { secrecy, parts: parts.flatMap(withoutPrefixes) };
}

/** The label that the marks of a text give it. */
export function labelOfMarks({ secrecy }: Pick<TextMarks, "secrecy">): Label {
  return { ...bottomLabel, secrecy };
}

/** The groups, in lower case, that a tag belongs to by the `#+TAGS:` lines of a text. */
function groupsIn(text: string, folded: string): (tag: string) => readonly string[] {
  if (!folded.includes("#+tags:")) return () => [];
  const lines = [...linesOf(text)].flatMap(({ line }) => groupsOfFile.exec(line)?.[1] ?? []);
  const find = tagGroupFinder(readTagGroups(lines), "careful");
  return (tag) => [...find(tag)].map((group) => group.toLowerCase());
}

function* linesOf(text: string): Generator<{ readonly begin: number; readonly line: string }> {
  let begin = 0;
  for (const { index, 0: mark } of text.matchAll(lineBreak)) {
    yield { begin, line: plainLine(text, begin, index) };
    begin = index + mark.length;
  }
  yield { begin, line: plainLine(text, begin, text.length) };
}

/** A line; of a long one that is neither a headline nor a keyword, its beginning. */
function plainLine(text: string, begin: number, end: number): string {
  if (end - begin <= longestBeginning) return text.slice(begin, end);
  const beginning = text.slice(begin, begin + longestBeginning);
  const namesTags = [headline, tagsOfFile, groupsOfFile, tagsOfArchive].some((form) => form.test(beginning));
  return namesTags ? text.slice(begin, end) : beginning;
}

/** The tags, in lower case, that a line gives a headline, a file or an archived entry. */
function tagsIn(line: string, isHeadline: boolean): readonly string[] {
  const named =
    tagsOfFile.exec(line)?.[1] ??
    tagsOfArchive.exec(line)?.[1] ??
    (isHeadline ? tagsAtEnd.exec(line)?.[1] : "");
  return (named ?? "").toLowerCase().match(/[\p{L}\p{N}_@#%]+/gu) ?? [];
}

/** A part as it stands, and without what a tool printed in front of its lines. */
function withoutPrefixes(part: string): readonly string[] {
  const bare = part
    .split("\n")
    .map((line) => line.slice(linePrefixEnd(line, 0)))
    .join("\n");
  return bare === part ? [part] : [part, bare];
}
