/** A text as its differences from a base: copies of ranges of the base, each after some bytes of `literal`. */
export type Delta = {
  /** Each: bytes of `literal`, then the start and length of a range of the base. All in bytes. */
  readonly copies: readonly (readonly [literal: number, start: number, length: number])[];
  /** The bytes that do not come from the base, in order. */
  readonly literal: Uint8Array;
};

const anchorBytes = 32;
/** Distances in bytes behind a difference at which the texts may agree again. */
const distances = [0, 64, 256, 1024, 4096, 16_384, 65_536];
/** Copies in a delta; after the last the rest is literal. It bounds the time for texts that differ everywhere. */
const mostCopies = 256;

/**
 * The differences of a text from a base. Small edits in many places of a large text cost about their own size.
 * `applyDelta` of the result is the text again, byte for byte, whatever the two are.
 */
export function makeDelta(base: Uint8Array, target: Uint8Array): Delta {
  const [from, to] = [bufferOf(base), bufferOf(target)];
  const copies: [number, number, number][] = [];
  const literals: Uint8Array[] = [];
  const tail = sharedEnd(from, to);
  let done = 0;
  let place: Place | null = { base: 0, target: 0 };
  while (place !== null && copies.length < mostCopies) {
    const length = sharedStart(from, to, place);
    copies.push([place.target - done, place.base, length]);
    literals.push(target.subarray(done, place.target));
    done = place.target + length;
    const next: Place = { base: place.base + length, target: done };
    place = to.length - done <= tail ? null : agreement(from, to, next);
  }
  const end = Math.min(tail, target.length - done);
  literals.push(target.subarray(done, target.length - end));
  copies.push([target.length - end - done, base.length - end, end]);
  return { copies, literal: Buffer.concat(literals) };
}

/** The text that a delta was made of; null where the delta does not fit the base. */
export function applyDelta(base: Uint8Array, { copies, literal }: Delta): Uint8Array | null {
  const parts: Uint8Array[] = [];
  let used = 0;
  for (const [fresh, start, length] of copies) {
    if (used + fresh > literal.length || start + length > base.length) return null;
    parts.push(literal.subarray(used, used + fresh), base.subarray(start, start + length));
    used += fresh;
  }
  return used === literal.length ? Buffer.concat(parts) : null;
}

/** Where the two texts agree. */
type Place = { readonly base: number; readonly target: number };

const chunk = 65_536;

/** Bytes from a place on in which the texts are equal. */
function sharedStart(base: Buffer, target: Buffer, place: Place): number {
  const most = Math.min(base.length - place.base, target.length - place.target);
  let length = 0;
  const isEqual = (bytes: number): boolean =>
    base
      .subarray(place.base + length, place.base + length + bytes)
      .equals(target.subarray(place.target + length, place.target + length + bytes));
  while (length + chunk <= most && isEqual(chunk)) length += chunk;
  while (length < most && base[place.base + length] === target[place.target + length]) length += 1;
  return length;
}

/** Bytes at the ends in which the texts are equal. */
function sharedEnd(base: Buffer, target: Buffer): number {
  const most = Math.min(base.length, target.length);
  let length = 0;
  const isEqual = (bytes: number): boolean =>
    base
      .subarray(base.length - length - bytes, base.length - length)
      .equals(target.subarray(target.length - length - bytes, target.length - length));
  while (length + chunk <= most && isEqual(chunk)) length += chunk;
  while (length < most && base[base.length - length - 1] === target[target.length - length - 1]) length += 1;
  return length;
}

/** The next place at which the texts agree again for some bytes; null where none is found close by. */
function agreement(base: Buffer, target: Buffer, from: Place): Place | null {
  for (const distance of distances) {
    const anchor = target.subarray(from.target + distance, from.target + distance + anchorBytes);
    if (anchor.length < anchorBytes) return null;
    const window = base.subarray(from.base, from.base + 2 * distance + 4096);
    const isAligned = window.subarray(distance, distance + anchorBytes).equals(anchor);
    const at = isAligned ? distance : window.indexOf(anchor);
    if (at >= 0) return widened(base, target, { base: from.base + at, target: from.target + distance }, from);
  }
  return null;
}

/** The same agreement from its first byte on. */
function widened(base: Buffer, target: Buffer, found: Place, from: Place): Place {
  const most = Math.min(found.base - from.base, found.target - from.target);
  let back = 0;
  while (back < most && base[found.base - back - 1] === target[found.target - back - 1]) back += 1;
  return { base: found.base - back, target: found.target - back };
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
