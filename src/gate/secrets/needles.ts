import { codesOf, gramAt, gramEntries, gramHash, gramLength } from "./fold-text.ts";

/** What stands for the configured keys in a search. It is made once for all searches. */
export type Needles = {
  /** Texts that are searched for as they are. */
  readonly texts: readonly string[];
  /** Encodings of the keys as codes of their letters and digits, searched for in texts folded in the same way. */
  readonly forms: readonly Uint8Array[];
  /** Each place of five codes in the forms, by these codes as a number. */
  readonly grams: ReadonlyMap<number, readonly FormPlace[]>;
  /** Whether a number may be in `grams`, by `gramHash`. */
  readonly mayBeGram: Uint8Array;
};

/** Where five codes stand in a form. */
export type FormPlace = { readonly form: Uint8Array; readonly offset: number };

/** Makes the needles of the configured keys. Keys under 8 characters are ignored, because they would match everywhere. A key is found as it is, reversed, percent-encoded, in hexadecimal digits and inside base64 or base32 at any alignment; in any case, with anything between its characters, and each part of twelve characters alone. */
export function makeNeedles(keys: readonly string[]): Needles {
  const whole = [...new Set(keys.flatMap((key) => [key, key.trim()]))].filter(
    (key) => key.trim().length >= 8,
  );
  const encodings = whole.flatMap(encodingsOf);
  const forms = distinct(encodings.map(codesOf)).filter(({ length }) => length >= leastWindow);
  const short = encodings
    .filter((text) => codesOf(text).length < leastWindow)
    .flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")]);
  const texts = [...new Set([...whole, ...whole.map(percentEncoded), ...short])].filter(
    ({ length }) => length >= 8,
  );
  return index(
    texts.sort((a, b) => b.length - a.length || (a < b ? -1 : 1)),
    forms,
  );
}

/** The fewest codes of a key that count as a part of it. */
export const leastWindow = 12;
const mostPlaces = 8;

function index(texts: readonly string[], forms: readonly Uint8Array[]): Needles {
  const grams = new Map<number, FormPlace[]>();
  const mayBeGram = new Uint8Array(gramEntries);
  for (const form of forms) {
    for (let offset = 0; offset + gramLength <= form.length; offset += 1) {
      const gram = gramAt(form, offset);
      const places = grams.get(gram) ?? [];
      if (places.length < mostPlaces) places.push({ form, offset });
      grams.set(gram, places);
      mayBeGram[gramHash(gram)] = 1;
    }
  }
  return { texts, forms, grams, mayBeGram };
}

/** The alphabet of base64 for addresses differs from that of base64 in no letter or digit. */
function encodingsOf(key: string): readonly string[] {
  const bytes = new TextEncoder().encode(key);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const shifted = [0, 1, 2].map((shift) => middle(bytes, shift, base64));
  const words = [0, 1, 2, 3, 4].map((shift) => middle(bytes, shift, base32));
  return [key, [...key].reverse().join(""), hex, ...shifted, ...words];
}

/** The characters of base64 or base32 that depend on these bytes alone, with `shift` bytes before them in their group. */
function middle(bytes: Uint8Array, shift: number, alphabet: string): string {
  const width = alphabet.length === 64 ? 6 : 5;
  let skipped = Math.ceil((shift * 8) / width) * width - shift * 8;
  let [bits, count, text] = [0, 0, ""];
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xffff;
    count += 8 - skipped;
    skipped = 0;
    for (; count >= width; count -= width)
      text += alphabet[(bits >> (count - width)) & (alphabet.length - 1)];
  }
  return text;
}

function percentEncoded(key: string): string {
  return encodeURIComponent(key.toWellFormed());
}

function distinct(all: readonly Uint8Array[]): readonly Uint8Array[] {
  return [...new Map(all.map((codes) => [codes.join(), codes])).values()];
}

const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
