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
  if (!keyText.test(text.slice(body, body + 32))) {
    return known < 32 ? { start, end: body, isKey: false, settled: false } : null;
  }
  if (ending !== undefined && ending.start < body + maxBlockLength) {
    return { start, end: ending.end, isKey: true, settled: true };
  }
  const run = keyRun.exec(text.slice(body, body + maxBlockLength))?.[0].length ?? 0;
  return { start, end: body + run, isKey: true, settled: known > maxBlockLength + 100 };
}
