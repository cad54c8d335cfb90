/** A private key in PEM or PGP armour. `isKey` is false if only the first line is there so far. `settled` is false if more text could still change the block. */
export type KeyBlock = {
  readonly start: number;
  readonly end: number;
  readonly isKey: boolean;
  readonly settled: boolean;
};

/** The private keys in a text from a position on: each from its first line to its last, within 16,000 characters, or, without a last line, as far as the key text goes. Takes linear time. */
export function privateKeyBlocks(text: string, from: number): readonly KeyBlock[] {
  const blocks: KeyBlock[] = [];
  const ends = [...text.slice(from).matchAll(endLine)].map((match) => ({
    start: from + match.index,
    end: from + match.index + match[0].length,
  }));
  let next = 0;
  let position = from;
  for (const match of text.slice(from).matchAll(beginLine)) {
    const start = from + match.index;
    const body = start + match[0].length;
    if (start < position) continue;
    while (next < ends.length && (ends[next]?.start ?? 0) < body) next += 1;
    const block = blockAt(text, { start, body, ending: ends[next] });
    if (block === null) continue;
    blocks.push(block);
    if (block.isKey) position = block.end;
  }
  return blocks;
}

/** The start of an incomplete first line of a private key at the end of a text; the text's length if there is none. */
export function unfinishedBeginLine(text: string, from: number): number {
  const start = Math.max(from, text.length - 120);
  const match = /-----[A-Z0-9 ]{0,70}-{0,5}$/.exec(text.slice(start));
  return match === null ? text.length : start + match.index;
}

const maxBlockLength = 16_000;
const beginLine = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const endLine = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/**
 * What may follow the first line up to the end of a key without a last line. Quoted and numbered lines have
 * more.
 */
const keyRun = /^[A-Za-z0-9+/=\s\\:,-]*/;
const keyRunInMarks = /^[A-Za-z0-9+/=\s\\:,.>#*|"'-]*/;

type Place = {
  readonly start: number;
  readonly body: number;
  readonly ending: { readonly start: number; readonly end: number } | undefined;
};

/** Null if the first line of a key is only mentioned: no key text follows it. */
function blockAt(text: string, { start, body, ending }: Place): KeyBlock | null {
  const known = text.length - body;
  const begun = beginsKey(text, body);
  if (begun === "no") return null;
  if (begun === "open") return { start, end: body, isKey: false, settled: false };
  if (ending !== undefined && ending.start < body + maxBlockLength) {
    return { start, end: ending.end, isKey: true, settled: true };
  }
  const run = begun === "plain" ? keyRun : keyRunInMarks;
  const length = run.exec(text.slice(body, body + maxBlockLength))?.[0].length ?? 0;
  return { start, end: body + length, isKey: true, settled: known > maxBlockLength + 100 };
}

/**
 * Whether key text follows the first line of a key: plainly, or behind headers of the armour and the marks of
 * lines that are quoted, numbered or commented out. "open" where more text decides it.
 */
function beginsKey(text: string, body: number): "plain" | "marked" | "no" | "open" {
  let isPlain = true;
  let at = body;
  while (at < body + maxHeadLength) {
    at += sticky(plainMarks, text, at);
    const marks = sticky(otherMarks, text, at);
    const run = sticky(base64Run, text, at + marks);
    const end = at + marks + run;
    if (marks > 0) isPlain = false;
    if (isPlain && run >= 12) return "plain";
    const found = text.slice(end - run, end);
    if (run >= 24 && /\d/.test(found)) return "marked";
    if (end === text.length) return "open";
    const header = sticky(headerRest, text, end);
    const isMark = /^(?:\d{1,7}|\/{1,3})$/.test(found) || (run === 0 && marks > 0);
    if (!isMark && (run === 0 || header === 0)) return isLineOver(text, at) ? "no" : "open";
    if (!isMark && end + header === text.length) return "open";
    isPlain = false;
    at = isMark ? end : end + header;
  }
  return "no";
}

/**
 * Whether more text cannot change a line from a place on: its end is there, or it is longer than a header.
 */
function isLineOver(text: string, from: number): boolean {
  return text.length > from + 300 || text.includes("\n", from);
}

/** The most characters between the first line of a key and its text. */
const maxHeadLength = 600;
const plainMarks = /(?:\s|\\[nrt]|["'+]){0,80}/y;
const otherMarks = /[>#*|:.)-]{0,8}/y;
const base64Run = /[A-Za-z0-9+/=]{0,80}/y;
/** What follows the first word of a header: `-Info: AES-128-CBC,…` up to its line's end. */
const headerRest = /[A-Za-z-]{0,40}:[ \t][^\n\\]{0,200}/y;

/** How many characters a pattern takes at a place. */
function sticky(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}
