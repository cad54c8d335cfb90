/** A private key in armour: of PEM, PGP, SSH2, OpenVPN, or the private lines of PuTTY. `isKey` is false if only the first line is there so far. `settled` is false if more text could still change the block. */
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
  const match = /(?:-{4,5}[A-Z0-9 ]{0,70}-{0,5}|-{1,5}|\bPrivate-L[a-z]{0,4}:?[ \d]{0,8})$/i.exec(
    text.slice(start),
  );
  return match === null ? text.length : start + match.index;
}

const maxBlockLength = 16_000;
const armour = "(?:[A-Z0-9 ]{0,40}(?:PRIVATE|SECRET) KEY(?: BLOCK)?|OPENVPN STATIC KEY V\\d)";
const beginLine = new RegExp(`-{4,5} ?BEGIN ${armour} ?-{4,5}|\\bPrivate-Lines: \\d{1,4}(?=\\s)`, "gi");
const endLine = new RegExp(`-{4,5} ?END ${armour} ?-{4,5}|\\bPrivate-MAC: [0-9a-f]{1,128}`, "gi");
const keyText = /^(?:\s|\\[nr]|["'+]){0,8}[A-Za-z0-9+/=]{12}/;
const keyRun = /^[A-Za-z0-9+/=\s\\:,-]*/;

type Place = {
  readonly start: number;
  readonly body: number;
  readonly ending: { readonly start: number; readonly end: number } | undefined;
};

/** Null if the first line of a key is only mentioned: no key text follows it. */
function blockAt(text: string, { start, body, ending }: Place): KeyBlock | null {
  const known = text.length - body;
  const isBare = keyText.test(text.slice(body, body + 32));
  const behindHead = isBare ? "none" : findBehindHead(text, body);
  if (behindHead === "none" && !isBare)
    return known < 32 ? { start, end: body, isKey: false, settled: false } : null;
  if (behindHead === "open") return { start, end: body, isKey: false, settled: false };
  if (ending !== undefined && ending.start < body + maxBlockLength) {
    return { start, end: ending.end, isKey: true, settled: true };
  }
  const end =
    typeof behindHead === "number"
      ? endOfLines(text, behindHead, body + maxBlockLength)
      : body + (keyRun.exec(text.slice(body, body + maxBlockLength))?.[0].length ?? 0);
  return { start, end, isKey: true, settled: known > maxBlockLength + 100 };
}

/** What may stand behind each line of a key: the end of a line as it is, escaped or as a tag. */
const lineEnd = /\r?\n|(?:\\r)?\\n|<br ?\/?>/;
/** A line of a key, behind whatever a program or a quotation puts before it. */
const keyLine = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{32,}/;
/** A line before the key: a header ("Version: GnuPG v2"), or one without words. */
const headLine = /^(?:[^\p{L}]{0,100}|[^\p{L}]{0,20}[A-Za-z][\w./-]{0,60}:.{0,200})$/u;
const longestHead = 1_000;

/**
 * Where the first line of a key begins behind the headers of its armour, or behind what a quotation, a list
 * with numbers or a page puts before each line; `none` where other words follow, `open` where the text ends
 * before that is known.
 */
function findBehindHead(text: string, body: number): number | "none" | "open" {
  const lines = text.slice(body, body + longestHead).split(lineEnd);
  let at = body;
  for (const [order, line] of lines.entries()) {
    const place = text.indexOf(line, at);
    if (order > 0 && keyLine.test(line)) return place;
    at = place + line.length;
    const seen = line.replaceAll(/<[^<>]{0,40}>/g, "");
    if (order === lines.length - 1 && text.length < body + longestHead) {
      const begun = seen.replace(/<[^<>]{0,40}$|\\r?\\?$/, "");
      const isOpen = order === 0 ? !/\p{L}/u.test(begun) : seen.length < 120 || headLine.test(seen);
      return isOpen ? "open" : "none";
    }
    if (order === 0 ? /\p{L}/u.test(seen) : !headLine.test(seen)) return "none";
  }
  return "none";
}

/** Where the lines of a key without its last line end. */
function endOfLines(text: string, from: number, limit: number): number {
  let at = from;
  let end = from;
  for (const line of text.slice(from, limit).split(lineEnd)) {
    const place = text.indexOf(line, at);
    at = place + line.length;
    const isRest = /^[^A-Za-z0-9+/=]*[A-Za-z0-9+/=]{1,80}(?:<[^<>]{0,40}>)?["',+ ]*$/.test(line);
    if (!keyLine.test(line) && !isRest) break;
    end = at;
  }
  return end;
}
