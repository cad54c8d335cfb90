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
  /** A bit for each fingerprint by its upper bits: most fingerprints of other texts are told apart by it, in a sixth of the memory. */
  #bits = new Uint32Array(256);
  #size = 0;
  #reach = 0;
  /** The fingerprints of the text that was read last, by the place of their last word; the high part is not mixed yet, since few are looked up further than by the low one. */
  #madeLow = new Uint32Array(0);
  #madeHigh = new Uint32Array(0);

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
    return this.#low.byteLength + this.#high.byteLength + this.#bits.byteLength;
  }

  /** How many words around a found passage count as found: as many as the largest window has of which one fingerprint is known. */
  get reach(): number {
    return this.#reach;
  }

  set reach(words: number) {
    this.#reach = words;
  }

  /**
   * The fingerprints of a text, six bytes each: what is kept of a private text, and `add` takes back. None for a text of fewer than eight words. With a window, one
   * of each so many in a row (winnowing): then a passage of `window - 1` words more is sure to be found.
   */
  fingerprints(text: string, window = 1): Uint8Array {
    this.#words.read(text, false);
    this.#makeFingerprints();
    const places = this.#winnow(window);
    const made = new DataView(new ArrayBuffer(6 * places.length));
    for (const [at, place] of places.entries()) {
      made.setUint32(6 * at, this.#madeLow[place] ?? 0);
      made.setUint16(6 * at + 4, highPart(this.#madeHigh[place] ?? 0));
    }
    return new Uint8Array(made.buffer);
  }

  /** The places of the fingerprints that were made; of each `window` in a row that of the least one. */
  #winnow(window: number): readonly number[] {
    const [lows, highs] = [this.#madeLow, this.#madeHigh];
    const all: number[] = [];
    for (let index = 0; index < this.#words.count; index += 1)
      if (((lows[index] ?? 0) | (highs[index] ?? 0)) !== 0) all.push(index);
    if (window <= 1) return all;
    const chosen: number[] = [];
    let least = -1;
    for (let last = Math.min(window, all.length) - 1; last >= 0 && last < all.length; last += 1) {
      const first = Math.max(0, last + 1 - window);
      const from = least < first ? first : last;
      if (least < first) least = first;
      for (let at = from; at <= last; at += 1)
        if ((lows[all[at] ?? 0] ?? 0) <= (lows[all[least] ?? 0] ?? 0)) least = at;
      const place = all[least] ?? 0;
      if (chosen.at(-1) !== place) chosen.push(place);
    }
    return chosen;
  }

  /** Learns fingerprints that `fingerprints` gave under the same key. */
  add(fingerprints: Uint8Array): void {
    for (const [low, high] of entries(fingerprints)) this.#insert(low, high);
  }

  /** The passages of a text that also stand in a private text, in order, none touching another. */
  find(text: string): readonly PrivatePassage[] {
    if (this.#size === 0) return [];
    const printed = this.#words.read(text, true);
    const found = [this.#match()];
    for (const lines of this.#words.printedLines()) {
      this.#words.readPart(lines);
      found.push(this.#match());
    }
    if (printed) {
      this.#words.read(text, false);
      found.push(this.#match());
    }
    const [first = [], ...others] = found.filter(({ length }) => length > 0);
    return others.length === 0 ? first : merge([...first, ...others.flat()]);
  }

  #match(): readonly PrivatePassage[] {
    const { begin: begins, end: ends, count } = this.#words;
    const found: { begin: number; end: number }[] = [];
    this.#makeFingerprints();
    const [lows, highs] = [this.#madeLow, this.#madeHigh];
    for (let index = fingerprintWords - 1; index < count; index += 1) {
      const low = lows[index] ?? 0;
      if (!this.#mayHave(low)) continue;
      const high = highs[index] ?? 0;
      if ((low | high) === 0 || !this.#has(low, highPart(high))) continue;
      const begin = begins[Math.max(0, index + 1 - fingerprintWords - this.#reach)] ?? 0;
      const end = ends[Math.min(count - 1, index + this.#reach)] ?? 0;
      const last = found.at(-1);
      if (last !== undefined && begin <= last.end) last.end = end;
      else found.push({ begin, end });
    }
    return found;
  }

  /** Makes the fingerprint of the eight words that end at each word of the text that was read; zeros where there is none. */
  #makeFingerprints(): void {
    const { low: wordLows, high: wordHighs, lettered: letters, count } = this.#words;
    if (this.#madeLow.length < count) {
      this.#madeLow = new Uint32Array(2 * count);
      this.#madeHigh = new Uint32Array(2 * count);
    }
    const [lows, highs] = [this.#madeLow, this.#madeHigh];
    const [lowBase, highBase] = [this.#lowBase, this.#highBase];
    const [lowOut, highOut] = [power(lowBase, fingerprintWords), power(highBase, fingerprintWords)];
    let [low, high, lettered] = [0, 0, 0];
    for (let index = 0; index < count; index += 1) {
      const first = index - fingerprintWords;
      low = (Math.imul(low, lowBase) + (wordLows[index] ?? 0)) | 0;
      high = (Math.imul(high, highBase) + (wordHighs[index] ?? 0)) | 0;
      lettered += letters[index] ?? 0;
      if (first >= 0) {
        lettered -= letters[first] ?? 0;
        low = (low - Math.imul(wordLows[first] ?? 0, lowOut)) | 0;
        high = (high - Math.imul(wordHighs[first] ?? 0, highOut)) | 0;
      }
      const isOne = first >= -1 && lettered >= fewestLettered;
      lows[index] = isOne ? mix(low ^ high) : 0;
      highs[index] = isOne ? high : 0;
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
    left.reach = this.#reach;
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

  #mayHave(low: number): boolean {
    const bits = this.#bits;
    return ((bits[(low >>> 5) & (bits.length - 1)] ?? 0) & (1 << low)) !== 0;
  }

  #has(low: number, high: number): boolean {
    if (!this.#mayHave(low)) return false;
    const [lows, highs] = [this.#low, this.#high];
    const mask = lows.length - 1;
    for (let at = low & mask; ; at = (at + 1) & mask) {
      const there = lows[at];
      if (there === low && highs[at] === high) return true;
      if (there === 0 && highs[at] === 0) return false;
    }
  }

  #insert(low: number, high: number): void {
    if (5 * this.#size >= 4 * this.#low.length) this.#grow();
    const mask = this.#low.length - 1;
    let at = low & mask;
    while (this.#low[at] !== 0 || this.#high[at] !== 0) {
      if (this.#low[at] === low && this.#high[at] === high) return;
      at = (at + 1) & mask;
    }
    this.#low[at] = low;
    this.#high[at] = high;
    const bit = (low >>> 5) & (this.#bits.length - 1);
    this.#bits[bit] = (this.#bits[bit] ?? 0) | (1 << low);
    this.#size += 1;
  }

  #grow(): void {
    const [lows, highs] = [this.#low, this.#high];
    this.#low = new Uint32Array(2 * lows.length);
    this.#high = new Uint16Array(2 * highs.length);
    this.#bits = new Uint32Array(this.#low.length >> 2);
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

/** The high part of a fingerprint, from the sum that it is made of. */
function highPart(sum: number): number {
  return mix(sum) & 0xffff;
}

/** Spreads the bits of a number over all of it (the finalizer of MurmurHash3). Never negative. */
function mix(value: number): number {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
