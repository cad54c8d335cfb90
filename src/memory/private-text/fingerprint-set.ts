import { TextWords } from "./text-words.ts";

/** How many words in a row make one fingerprint: the shortest private passage that is found. */
const fingerprintWords = 8;

/** Of the words of a fingerprint so many are no numbers: dates and times stand in every note. */
const fewestLettered = 4;

/** A place in a text that also stands in a private text, in UTF-16 code units. */
export type PrivatePassage = { readonly begin: number; readonly end: number };

/**
 * Known texts, by keyed fingerprints of every eight words in a row. A passage of eight words or more that stands in one of them is found
 * in any text, however it is carried (see `TextWords`). Two passages share a fingerprint of 48 bits by chance in one of 2^48 pairs.
 */
export class FingerprintSet {
  readonly #key: Uint32Array;
  readonly #words: TextWords;
  readonly #lowBase: number;
  readonly #highBase: number;
  /** A hash table with open addressing. An entry of zeros is free. */
  #low = new Uint32Array(1024);
  #high = new Uint16Array(1024);
  #size = 0;

  /** `key` has six secret numbers of 32 bits. */
  constructor(key: Uint32Array) {
    this.#key = key;
    this.#words = new TextWords(key.subarray(0, 4));
    this.#lowBase = (key[4] ?? 0) | 1;
    this.#highBase = (key[5] ?? 0) | 1;
  }

  /** How many fingerprints are known. */
  get size(): number {
    return this.#size;
  }

  /** Bytes that the fingerprints take in memory. */
  get bytes(): number {
    return this.#low.byteLength + this.#high.byteLength;
  }

  /** The fingerprints of a text, six bytes each: what is kept of a private text, and `add` takes back. None for a text of fewer than eight words. */
  fingerprints(text: string): Uint8Array {
    const made = new DataView(new ArrayBuffer(6 * Math.max(0, text.length)));
    let length = 0;
    this.#words.read(text, false);
    this.#scan((low, high) => {
      made.setUint32(length, low);
      made.setUint16(length + 4, high);
      length += 6;
    });
    return new Uint8Array(made.buffer.slice(0, length));
  }

  /** Learns fingerprints that `fingerprints` gave under the same key. */
  add(fingerprints: Uint8Array): void {
    for (const [low, high] of entries(fingerprints)) this.#insert(low, high);
  }

  /** The passages of a text that also stand in a private text, in order, none touching another. */
  find(text: string): readonly PrivatePassage[] {
    if (this.#size === 0) return [];
    const printed = this.#words.read(text, true);
    const found = this.#match();
    if (!printed) return found;
    this.#words.read(text, false);
    return merge([...found, ...this.#match()]);
  }

  #match(): readonly PrivatePassage[] {
    const found: { begin: number; end: number }[] = [];
    this.#scan((low, high, begin, end) => {
      if (!this.#has(low, high)) return;
      const last = found.at(-1);
      if (last !== undefined && begin <= last.end) last.end = end;
      else found.push({ begin, end });
    });
    return found;
  }

  /** Calls back for each eight words in a row of the text that was read. */
  #scan(each: (low: number, high: number, begin: number, end: number) => void): void {
    const words = this.#words;
    const [lowBase, highBase] = [this.#lowBase, this.#highBase];
    const [lowOut, highOut] = [power(lowBase, fingerprintWords), power(highBase, fingerprintWords)];
    let [low, high, lettered] = [0, 0, 0];
    for (let index = 0; index < words.count; index += 1) {
      const first = index - fingerprintWords;
      low = (Math.imul(low, lowBase) + (words.low[index] ?? 0)) | 0;
      high = (Math.imul(high, highBase) + (words.high[index] ?? 0)) | 0;
      lettered += words.lettered[index] ?? 0;
      if (first >= 0) {
        lettered -= words.lettered[first] ?? 0;
        low = (low - Math.imul(words.low[first] ?? 0, lowOut)) | 0;
        high = (high - Math.imul(words.high[first] ?? 0, highOut)) | 0;
      }
      if (first < -1 || lettered < fewestLettered) continue;
      each(mix(low ^ high), mix(high) & 0xffff, words.begin[first + 1] ?? 0, words.end[index] ?? 0);
    }
  }

  /** Those of some fingerprints that are not known yet, each once. */
  unknownOf(fingerprints: Uint8Array): Uint8Array {
    const unknown = new FingerprintSet(this.#key);
    for (const [low, high] of entries(fingerprints)) if (!this.#has(low, high)) unknown.#insert(low, high);
    return unknown.#all();
  }

  /** A set under the same key that knows all of these but some. */
  without(fingerprints: Uint8Array): FingerprintSet {
    const dropped = new FingerprintSet(this.#key);
    dropped.add(fingerprints);
    const left = new FingerprintSet(this.#key);
    left.add(dropped.unknownOf(this.#all()));
    return left;
  }

  #all(): Uint8Array {
    const all = new DataView(new ArrayBuffer(6 * this.#size));
    let length = 0;
    for (const [at, low] of this.#low.entries()) {
      const high = this.#high[at] ?? 0;
      if (low === 0 && high === 0) continue;
      all.setUint32(length, low);
      all.setUint16(length + 4, high);
      length += 6;
    }
    return new Uint8Array(all.buffer);
  }

  #has(low: number, high: number): boolean {
    const [lows, highs] = [this.#low, this.#high];
    const mask = lows.length - 1;
    for (let at = low & mask; ; at = (at + 1) & mask) {
      const there = lows[at];
      if (there === low && highs[at] === high) return true;
      if (there === 0 && highs[at] === 0) return false;
    }
  }

  #insert(low: number, high: number): void {
    if (2 * (this.#size + 1) > this.#low.length) this.#grow();
    const mask = this.#low.length - 1;
    let at = low & mask;
    while (this.#low[at] !== 0 || this.#high[at] !== 0) {
      if (this.#low[at] === low && this.#high[at] === high) return;
      at = (at + 1) & mask;
    }
    this.#low[at] = low;
    this.#high[at] = high;
    this.#size += 1;
  }

  #grow(): void {
    const [lows, highs] = [this.#low, this.#high];
    this.#low = new Uint32Array(2 * lows.length);
    this.#high = new Uint16Array(2 * highs.length);
    this.#size = 0;
    for (const [at, low] of lows.entries()) {
      const high = highs[at] ?? 0;
      if (low !== 0 || high !== 0) this.#insert(low, high);
    }
  }
}

/** The low and the high part of each fingerprint. */
function* entries(fingerprints: Uint8Array): Generator<readonly [low: number, high: number]> {
  const view = new DataView(fingerprints.buffer, fingerprints.byteOffset, fingerprints.byteLength);
  for (let at = 0; at + 6 <= view.byteLength; at += 6) yield [view.getUint32(at), view.getUint16(at + 4)];
}

/** Passages in order, with those joined that touch. */
function merge(passages: readonly PrivatePassage[]): readonly PrivatePassage[] {
  const merged: { begin: number; end: number }[] = [];
  for (const { begin, end } of passages.toSorted((one, other) => one.begin - other.begin)) {
    const last = merged.at(-1);
    if (last !== undefined && begin <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ begin, end });
  }
  return merged;
}

function power(base: number, exponent: number): number {
  let product = 1;
  for (let left = exponent; left > 0; left -= 1) product = Math.imul(product, base);
  return product;
}

/** Spreads the bits of a number over all of it (the finalizer of MurmurHash3). Never negative. */
function mix(value: number): number {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
