/** A shorter passage is searched for by its beginning, which the platform finds: that time may grow with the product of both lengths. */
const longPassage = 32;

/** Finds the places where a passage stands in a text, overlapping ones too, in time that grows with the sum of both lengths, whatever they hold. An empty passage stands nowhere. */
export function placesOf(passage: string, text: string): Generator<number> {
  if (passage.length < longPassage || passage.length > text.length) return shortPlaces(passage, text);
  return longPlaces(unitsOf(passage), unitsOf(text));
}

/** The first of these places; -1 if there is none. */
export function firstPlaceOf(passage: string, text: string): number {
  for (const at of placesOf(passage, text)) return at;
  return -1;
}

/** `placesOf` for bytes. */
export function placesOfBytes(passage: Uint8Array, text: Uint8Array): Generator<number> {
  return passage.length < longPassage ? shortBytePlaces(passage, text) : longPlaces(passage, text);
}

function* shortBytePlaces(passage: Uint8Array, text: Uint8Array): Generator<number> {
  const [first] = passage;
  if (first === undefined) return;
  for (let at = text.indexOf(first); at !== -1; at = text.indexOf(first, at + 1)) {
    let same = 1;
    while (same < passage.length && passage[same] === text[at + same]) same += 1;
    if (same === passage.length) yield at;
  }
}

function* shortPlaces(passage: string, text: string): Generator<number> {
  if (passage === "" || passage.length > text.length) return;
  for (let at = text.indexOf(passage); at !== -1; at = text.indexOf(passage, at + 1)) yield at;
}

/** The algorithm of Knuth, Morris and Pratt (1977). */
function* longPlaces(passage: Units, text: Units): Generator<number> {
  const { length } = passage;
  if (length === 0 || length > text.length) return;
  const borders = bordersOf(passage);
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    while (matched > 0 && (matched === length || passage[matched] !== text[at]))
      matched = borders[matched - 1] ?? 0;
    if (passage[matched] === text[at]) matched += 1;
    if (matched === length) yield at + 1 - length;
  }
}

/** For each beginning of a passage, the length of its longest own beginning that is also its end. */
function bordersOf(passage: Units): Uint32Array {
  const borders = new Uint32Array(passage.length);
  let matched = 0;
  for (let at = 1; at < passage.length; at += 1) {
    while (matched > 0 && passage[matched] !== passage[at]) matched = borders[matched - 1] ?? 0;
    if (passage[matched] === passage[at]) matched += 1;
    borders[at] = matched;
  }
  return borders;
}

type Units = Uint8Array | Uint16Array;

function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
  return units;
}
