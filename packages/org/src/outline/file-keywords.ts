import { lineEnd } from "../text/emacs-characters.ts";
import { skipBlanksBack } from "../text/lines.ts";
import type { Range } from "../text/range.ts";

/**
 * A `#+KEY: value` line that stands outside blocks. `key` is in upper case. The range is the line without its line feed, in the setup file that it
 * stands in for `inSetup`.
 */
export type FileKeyword = Range & { readonly key: string; readonly value: string; readonly inSetup?: true };

/** A file that a `#+SETUPFILE:` line names. `path` identifies it. */
export type SetupFile = { readonly path: string; readonly text: string };

/** Gives the setup file of a name, as it is written without quotes; null to read none. `from` is the path of the setup file that names it, null for the text itself. */
export type ReadSetupFile = (name: string, from: string | null) => SetupFile | null;

const keys: ReadonlySet<string> = new Set([
  "ARCHIVE",
  "CATEGORY",
  "DEPENDS_ON",
  "FILETAGS",
  "LINK",
  "PRIORITIES",
  "PROPERTY",
  "SEQ_TODO",
  "SETUPFILE",
  "STARTUP",
  "TAGS",
  "TITLE",
  "TODO",
  "TYP_TODO",
]);

const blockBegin = /#\+begin_(src|example|export|comment|verse)(?![^ \t\n\r])/iy;
const blockEnd = new RegExp(`#\\+end_(src|example|export|comment|verse)[ \\t]*${lineEnd}`, "iy");
const keyword = /#\+(\S*):[ \t]*([^\n]*)/y;

/** The keywords that say how a text is read, those of its setup files where they are named. A setup file that names itself, directly or through others, is read once. */
export function findFileKeywords(
  text: string,
  readSetup: ReadSetupFile = () => null,
): readonly FileKeyword[] {
  return withSetupFiles(text, [], readSetup);
}

function withSetupFiles(
  text: string,
  above: readonly string[],
  readSetup: ReadSetupFile,
): readonly FileKeyword[] {
  return keywordsIn(text).flatMap((found) => {
    const name = found.key === "SETUPFILE" ? found.value.replace(/^"(.*)"$/, "$1") : "";
    const setup = name === "" ? null : readSetup(name, above.at(-1) ?? null);
    if (setup === null || above.includes(setup.path)) return [found];
    const set = withSetupFiles(setup.text, [...above, setup.path], readSetup);
    return [
      found,
      ...set.filter(({ key }) => !ofOneFile.has(key)).map((one) => ({ ...one, inSetup: true as const })),
    ];
  });
}

/** What a setup file says of itself alone. */
const ofOneFile: ReadonlySet<string> = new Set(["DEPENDS_ON", "TITLE"]);

function keywordsIn(text: string): readonly FileKeyword[] {
  const found: FileKeyword[] = [];
  for (const hit of marks(text, [])) {
    keyword.lastIndex = hit;
    const [whole, name, value] = keyword.exec(text) ?? [];
    const key = name?.toUpperCase();
    if (whole === undefined || key === undefined || !keys.has(key)) continue;
    found.push({ begin: hit, end: hit + whole.length, key, value: (value ?? "").trim() });
  }
  return found;
}

/** The source, example, export, comment and verse blocks of a range, whose contents are not parsed: from the `#` to the end of the last line. */
export function findBlocks(text: string, range: Range): readonly Range[] {
  const found: Range[] = [];
  const all = marks(text.slice(range.begin, range.end), found);
  while (all.next().done !== true);
  return found.map(({ begin, end }) => ({ begin: begin + range.begin, end: end + range.begin }));
}

/** The offsets of all `#+` that begin a line, outside blocks whose contents are not Org; the blocks go to `blocks`. */
function* marks(text: string, blocks: Range[]): Generator<number> {
  const headline = headlineAfter(text);
  // By type of block: the offset up to which no closing line was found.
  const endless = new Map<string, number>();
  for (let hit = nextMark(text, 0); hit !== -1; hit = nextMark(text, hit + 2)) {
    blockBegin.lastIndex = hit;
    const type = blockBegin.exec(text)?.[1]?.toLowerCase();
    if (type === undefined) {
      yield hit;
      continue;
    }
    if (hit < (endless.get(type) ?? 0)) continue;
    const limit = headline(hit);
    const close = endOfBlock(text, type, { begin: hit, end: limit });
    if (close === -1) {
      endless.set(type, limit);
      continue;
    }
    blocks.push({ begin: hit, end: close });
    hit = close - 2;
  }
}

function endOfBlock(text: string, type: string, { begin, end }: Range): number {
  for (let hit = nextMark(text, begin + 2); hit !== -1 && hit < end; hit = nextMark(text, hit + 2)) {
    blockEnd.lastIndex = hit;
    const [line, name] = blockEnd.exec(text) ?? [];
    if (line !== undefined && name?.toLowerCase() === type) return hit + line.length;
  }
  return -1;
}

/** The next `#+` with nothing but blanks before it on its line; -1 if there is none. */
function nextMark(text: string, from: number): number {
  for (let hit = text.indexOf("#+", from); hit !== -1; hit = text.indexOf("#+", hit + 2)) {
    const start = skipBlanksBack(text, hit, 0);
    if (start === 0 || text.charCodeAt(start - 1) === 0x0a) return hit;
  }
  return -1;
}

/** Finds the next headline from an offset on, for offsets that only grow. */
function headlineAfter(text: string): (from: number) => number {
  let known = -1;
  return (from) => {
    if (known < from) known = nextHeadline(text, from);
    return known;
  };
}

/** Where the next headline begins, from an offset on; the length of the text if there is none. */
export function nextHeadline(text: string, from: number): number {
  let at = from === 0 || text[from - 1] === "\n" ? from : lineAfter(text, from);
  while (at !== -1 && at < text.length) {
    let stars = at;
    while (text.charCodeAt(stars) === 0x2a) stars += 1;
    if (stars > at && text[stars] === " ") return at;
    const next = text.indexOf("\n*", stars);
    at = next === -1 ? -1 : next + 1;
  }
  return text.length;
}

function lineAfter(text: string, from: number): number {
  const next = text.indexOf("\n*", from);
  return next === -1 ? text.length : next + 1;
}
