/** Words in ASCII that were looked up before, each with what it stands for: found by the codes of a text, so that no string is made of a word that comes again. */
export type WordCache<T> = {
  /** What the word between two places of `codes` stands for, in whatever case it is written. `hash` is `nextHash` over its codes in lower case. */
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

/** The hash of a word with one more character; that of no characters is 0. */
export function nextHash(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

/** Numbers at each place of a table: a word's hash, where its characters stand, how many they are, and its number; 0 where there is none. */
const fields = 4;

/** How many characters a table holds for each of its words. */
const charactersOfWord = 16;

/** Words that a table has room for when it is made; it grows fourfold when it is filled. */
const fewest = 1024;

/** So many places are looked at for a word: one that chance or somebody's will has put behind more of them is not remembered. */
const farthest = 64;

/** A table for so many words, a power of two, with no words yet. */
function emptyTable(words: number) {
  // Twice as many places as words, so that a free one is near.
  return {
    places: new Int32Array(words * 2 * fields),
    characters: new Uint8Array(words * charactersOfWord),
    filled: 0,
  };
}

/** Makes a table of at most so many words; it forgets them all to grow, and when it is full. `read` is asked for each word once, in lower case. */
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
