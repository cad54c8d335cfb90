import { readWholeFile } from "../../../act/files/contents.ts";
import { isSystemFault } from "../../../act/files/fallible.ts";
import { readPieces } from "../../../act/files/read-pieces.ts";
import { statusUnlessClosed } from "../../../act/files/status-if-there.ts";
import { type FileLabelRules, labelOfFile } from "../../../memory/notes/labels/label-of-file.ts";
import { labelOfLargeText } from "../../../notes/label-of-large-text.ts";
import type { Label } from "../../../signal/label.ts";
import { isOrgFile } from "../../../text/is-org-file.ts";
import { textOfBytes } from "../../../text/utf16-text.ts";

/**
 * The lines of a file that are private, and its other ones; `unknown` where it is private and cannot be read
 * as a whole, or cannot be read at all: it may be private by now.
 */
export type FileLines =
  | { readonly hidden: ReadonlySet<string>; readonly open: ReadonlySet<string> }
  | "unknown";

/** What telling the lines of a file needs. */
type FileLinesParts = {
  readonly rules: FileLabelRules;
  readonly labelOfAttached: (paths: readonly string[]) => Promise<Label>;
  /** Remembers private texts, so that their passages are known everywhere. */
  readonly keep: (texts: readonly string[]) => Promise<void>;
};

const maxBytes = 5 * 1024 * 1024;
const mostKnown = 1000;
/** Letters and digits of the shortest line that tells something. */
const shortest = 3;
/** The lines of a file in which nothing is private. */
const noLines: FileLines = { hidden: new Set(), open: new Set() };

/**
 * Tells which lines of files are private as the files are now. A file that is no note is read again only once
 * it changed.
 */
export function makeFileLines(parts: FileLinesParts): (path: string) => Promise<FileLines> {
  const known = new Map<string, { readonly version: string; readonly lines: FileLines }>();
  const look = async (path: string): Promise<FileLines> => {
    const status = await statusUnlessClosed(path);
    if (status?.isFile() !== true) return noLines;
    const version = [status.ino, status.size, status.mtimeMs, status.ctimeMs].join(" ");
    const before = known.get(path);
    // The tags of a note may stand in another file, and a file is as private as what it is attached to.
    const isOwn = !isOrgFile(path) && (await parts.labelOfAttached([path])).secrecy === "public";
    if (isOwn && before?.version === version) return before.lines;
    const lines = await linesOf(path, parts);
    if (known.size >= mostKnown) known.clear();
    if (isOwn) known.set(path, { version, lines });
    return lines;
  };
  return (path) =>
    look(path).catch((fault: unknown) => {
      if (!isSystemFault(fault)) throw fault;
      return "unknown";
    });
}

async function linesOf(path: string, parts: FileLinesParts): Promise<FileLines> {
  const read = await readWholeFile(path, maxBytes);
  if (!read.ok || read.value === null) {
    const label = await labelOfLargeText(readPieces(path), { path, privacyTags: parts.rules.privacyTags });
    return label.secrecy === "public" ? noLines : "unknown";
  }
  const text = textOfBytes(read.value.bytes);
  const { privateTexts } = await labelOfFile(path, read.value.bytes, parts.rules);
  const attached = await parts.labelOfAttached([path]);
  const texts = attached.secrecy === "public" ? privateTexts : [text];
  if (texts.length === 0) return noLines;
  await parts.keep(texts);
  const hidden = new Set(texts.flatMap(tellingLines));
  const open = texts.reduce((rest, each) => rest.replace(each, "\n"), text);
  return { hidden, open: new Set(tellingLines(open)) };
}

/** The lines of a text as they stand in what shows it: a headline without its stars and tags. */
function tellingLines(text: string): readonly string[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const shown = line
      .replace(/^\*+\s+/, "")
      .replace(/\s+:[\p{L}\p{N}_@#%:]+:\s*$/u, "")
      .trim();
    return (shown.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < shortest ? [] : [shown];
  });
}
