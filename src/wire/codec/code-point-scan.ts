/** Where a scan stopped: after the last byte that it took, or at the first ill-formed byte. */
type Stop = { readonly end: number; readonly whole: boolean; readonly sound: boolean };

/** Counts the code points of UTF-8 that arrives in pieces, and finds the first ill-formed byte (Unicode 16, table 3-7). */
export type CodePointScan = {
  /** Starts to count this many code points. */
  readonly begin: (codePoints: number) => void;
  readonly advance: (bytes: Uint8Array, from: number) => Stop;
  /** How many code points are missing, including an incomplete one. */
  readonly missing: () => number;
};

/** Makes a scan; `begin` starts it. */
export function makeCodePointScan(): CodePointScan {
  let left = 0;
  /** How many more bytes the present code point needs, and the bounds of the next one. */
  let needed = 0;
  let low = 0x80;
  let high = 0xbf;

  const lead = (byte: number): boolean => {
    low = 0x80;
    high = 0xbf;
    if (byte >= 0xc2 && byte <= 0xdf) needed = 1;
    else if (byte >= 0xe0 && byte <= 0xef) {
      needed = 2;
      if (byte === 0xe0) low = 0xa0;
      if (byte === 0xed) high = 0x9f;
    } else if (byte >= 0xf0 && byte <= 0xf4) {
      needed = 3;
      if (byte === 0xf0) low = 0x90;
      if (byte === 0xf4) high = 0x8f;
    } else return false;
    return true;
  };

  return {
    begin(codePoints) {
      left = codePoints;
      needed = 0;
    },
    advance(bytes, from) {
      let at = from;
      for (; at < bytes.length && left > 0; at++) {
        const byte = bytes[at] ?? 0;
        if (needed > 0) {
          if (byte < low || byte > high) return { end: at, whole: false, sound: false };
          low = 0x80;
          high = 0xbf;
          needed -= 1;
          if (needed === 0) left -= 1;
        } else if (byte < 0x80) left -= 1;
        else if (!lead(byte)) return { end: at, whole: false, sound: false };
      }
      return { end: at, whole: left === 0, sound: true };
    },
    missing: () => left,
  };
}
