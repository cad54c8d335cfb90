import { joinAroundCut } from "./cut-middle.ts";
import { openTextDecoder } from "./utf16-text.ts";

/**
 * What a stream printed: what is kept of it, and how many characters that were where not all of them are
 * kept. Of what is no text the size is told instead.
 */
export type Collected = { readonly text: string; readonly cutFrom: number | null; readonly isText: boolean };

/** Collects the head and the tail of what a stream prints, in bounded memory. */
export type Collector = {
  /**
   * Adds bytes and gives them as text; what begins with a mark of UTF-16 is read as such. Bytes that are no
   * text become U+FFFD, and a character over two pieces stays whole.
   */
  readonly add: (bytes: Uint8Array) => string;
  readonly collected: () => Collected;
};

/**
 * Makes a collector that keeps about `limit` characters: the first half and the last half of what comes.
 * Bytes that are no text are counted and not kept.
 */
export function openCollector(limit: number): Collector {
  const half = Math.max(1, Math.floor(limit / 2));
  const decode = openTextDecoder();
  let head = "";
  let tail = "";
  let [characters, size] = [0, 0];
  const keep = (piece: string): void => {
    characters += piece.length;
    const room = half - head.length;
    head += piece.slice(0, room);
    tail += piece.slice(room).slice(-half);
    if (tail.length > 2 * half) tail = tail.slice(-half);
  };
  return {
    add: (bytes) => {
      size += bytes.length;
      const piece = decode(bytes);
      keep(piece);
      return piece;
    },
    collected: () => {
      keep(decode());
      tail = tail.slice(-half);
      if (!isText(head + tail)) return { text: notShown(size), cutFrom: null, isText: false };
      const left = characters - head.length - tail.length;
      return left === 0
        ? { text: head + tail, cutFrom: null, isText: true }
        : { text: joinAroundCut(head, tail, left), cutFrom: characters, isText: true };
    },
  };
}

/** Characters that are looked at, and how many of them may be none of a text: so many, or this share. */
const sample = 20_000;
const fewOdd = 8;
const shareOdd = 0.1;

/** Whether characters are those of a text. Names that NUL separates are one. */
function isText(characters: string): boolean {
  const begin = characters.slice(0, sample);
  const letters = begin.replaceAll("\0", "");
  if (letters === "") return begin.length <= fewOdd;
  const odd = Array.from(letters).filter((letter) => isOdd(letter.codePointAt(0) ?? 0)).length;
  return odd <= Math.max(fewOdd, shareOdd * letters.length);
}

/** Stands for bytes that are not UTF-8, or is a control character that no terminal is told. */
function isOdd(code: number): boolean {
  const isForTerminal = code === 0x1b || (code >= 0x07 && code <= 0x0d);
  return code === 0xfffd || code === 0x7f || (code < 0x20 && !isForTerminal);
}

function notShown(bytes: number): string {
  return `[${bytes.toLocaleString("en-US")} bytes that are no text; they are not shown]`;
}
