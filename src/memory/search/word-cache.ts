/** A cache of values for ASCII words. It is looked up by character codes, so a repeated word allocates no string. */
export type WordCache<T> = {
  /** The value of the word between two offsets of `codes`, in any case. `hash` is `nextHash` over its codes in lower case. */
  readonly find: (codes: Uint16Array, begin: number, end: number, hash: number) => T;
};

const wordCodes = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(character) ? character.charCodeAt(0) : 0;
});

/** The code of an ASCII letter in lower case or of a digit; 0 for every other character. */
export function wordCode(code: number): number {
  return code < 128 ? (wordCodes[code] ?? 0) : 0;
}

/** The hash of a word with one more character. The empty word has hash 0. */
export function nextHash(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

/** Fields of a slot: the word's hash, the offset and the count of its characters, and its number; 0 for an empty slot. */
const fields = 4;

/** Average characters per word that a table has room for. */
const charactersOfWord = 16;

/** Initial capacity in words; a full table grows fourfold. */
const fewest = 1024;

/** The longest probe sequence. A word that collides more often, by chance or by an attack, is not cached. */
const farthest = 64;

/** Makes an empty table for this many words, a power of two. */
function emptyTable(words: number) {
  // Twice as many slots as words, so that probe sequences stay short.
  return {
    places: new Int32Array(words * 2 * fields),
    characters: new Uint8Array(words * charactersOfWord),
    filled: 0,
  };
}

/** Makes a cache of at most this many words. It is emptied when it grows and when it is full. `read` computes the value of a word in lower case. */
export function makeWordCache<T>(most: number, read: (form: string) => T): WordCache<T> {
  const values: T[] = [];
  let room = fewest;
  let table = emptyTable(room);
  const makeRoom = (): void => {
    values.length = 0;
    if (room < most) room *= 4;
    table = emptyTable(room);
  };
  const learn = (place: number, form: string, hash: number): T => {
    const value = read(form);
    const { places, characters, filled } = table;
    if (values.length === room || filled + form.length > characters.length) {
      makeRoom();
      return value;
    }
    places.set([hash, filled, form.length, values.push(value)], place);
    for (let at = 0; at < form.length; at += 1) characters[filled + at] = form.charCodeAt(at);
    table.filled += form.length;
    return value;
  };
  return {
    find(codes, begin, end, hash) {
      const { places, characters } = table;
      // The lowest bits of the hash depend on few characters.
      let place = Math.imul(hash ^ (hash >>> 15), fields) & (places.length - 1);
      for (let tries = 0; tries < farthest; tries += 1) {
        const number = places[place + 3] ?? 0;
        if (number === 0) return learn(place, readForm(codes, begin, end), hash);
        if (places[place] === hash && places[place + 2] === end - begin) {
          const value = values[number - 1];
          const from = places[place + 1] ?? 0;
          let at = begin;
          while (at < end && wordCode(codes[at] ?? 0) === characters[from + at - begin]) at += 1;
          if (at === end && value !== undefined) return value;
        }
        place = (place + fields) & (places.length - 1);
      }
      return read(readForm(codes, begin, end));
    },
  };
}

function readForm(codes: Uint16Array, begin: number, end: number): string {
  const bytes = Buffer.from(codes.buffer, codes.byteOffset + begin * 2, (end - begin) * 2);
  return bytes.toString("utf16le").toLowerCase();
}
