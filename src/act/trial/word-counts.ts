/** Kinds of words that are counted. */
const mostKinds = 100_000;

/** For each byte what it is in a word, without its case; 0 between words. */
const letters = Uint8Array.from({ length: 256 }, (_, byte) => {
  const letter = String.fromCharCode(byte).toLowerCase();
  return /[\w\u0080-\u00ff]/.test(letter) ? letter.charCodeAt(0) : 0;
});

/**
 * How often each word stands in a text, in bounded memory: what an editor or a formatter moves about is the
 * same afterwards. Of many kinds of words a part is counted. `like`: only its words are counted.
 */
export class WordCounts {
  /** By the hash of a word. */
  readonly #counts = new Map<number, number>();
  readonly #like: WordCounts | null;
  /** Only hashes with none of these bits are counted. */
  #left = 0;
  /** Of the letters of a word that may go on. */
  #hash = 0;
  #isEmpty = true;

  constructor(like: WordCounts | null = null) {
    this.#like = like;
  }

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Takes the next piece of the text. */
  add(bytes: Uint8Array): void {
    let hash = this.#hash;
    for (const byte of bytes) {
      const letter = letters[byte] ?? 0;
      if (letter > 0) hash = Math.imul(hash ^ letter, 0x01000193) + 1;
      else if (hash !== 0) {
        this.#count(hash);
        hash = 0;
      }
    }
    this.#hash = hash;
  }

  /**
   * The share of the words that another text, which was counted like this one, has as often; all where
   * there are none.
   */
  keptIn(other: WordCounts): number {
    let [all, kept] = [0, 0];
    for (const [hash, count] of this.#counts) {
      all += count;
      kept += Math.min(count, other.#counts.get(hash) ?? 0);
    }
    return all === 0 ? 1 : kept / all;
  }

  #count(word: number): void {
    this.#isEmpty = false;
    // The low bits of the last step say little of the letters before it.
    const hash = Math.imul(word ^ (word >>> 15), 0x2c1b3c6d) >>> 0;
    if (this.#like === null ? (hash & this.#left) !== 0 : !this.#like.#counts.has(hash)) return;
    this.#counts.set(hash, (this.#counts.get(hash) ?? 0) + 1);
    if (this.#counts.size <= mostKinds) return;
    this.#left = this.#left * 2 + 1;
    for (const each of this.#counts.keys()) if ((each & this.#left) !== 0) this.#counts.delete(each);
  }
}

/** Whether a text has more words than `most`. It is read no further than that takes. */
export async function hasMoreWords(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  most: number,
): Promise<boolean> {
  let words = 0;
  for await (const piece of pieces) {
    words += countEndedWords(piece, most + 1 - words);
    if (words > most) return true;
  }
  return false;
}

/**
 * Whether two texts begin and end so much alike that the second has at least this share of the words of the
 * first. All words between count as gone.
 */
export function keepsByEnds(before: Uint8Array, after: Uint8Array, share: number): boolean {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = before.length;
  const longer = after.length - before.length;
  while (end > start && end + longer > start && before[end - 1] === after[end - 1 + longer]) end -= 1;
  // A word may go on at either end of what is between, and one more may end with it.
  const between = countEndedWords(before.subarray(start, end)) + 3;
  const least = Math.ceil((between * share) / (1 - share));
  const first = countEndedWords(before.subarray(0, start), least);
  // The first word of the end may have begun before it.
  return first + countEndedWords(before.subarray(end), least - first + 1) - 1 >= least;
}

/** Words of a text that something follows which is no letter, until there are enough of them. */
function countEndedWords(bytes: Uint8Array, enough = Number.POSITIVE_INFINITY): number {
  let words = 0;
  let isInWord = false;
  for (const byte of bytes) {
    const isLetter = (letters[byte] ?? 0) > 0;
    if (isInWord && !isLetter) {
      words += 1;
      if (words >= enough) break;
    }
    isInWord = isLetter;
  }
  return words;
}
