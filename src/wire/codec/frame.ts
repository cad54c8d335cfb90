import { makeCodePointScan } from "./code-point-scan.ts";

/** A whole frame's text, or what is wrong with the stream. `offset` counts bytes from the beginning of the connection. */
export type FrameEvent =
  | { readonly kind: "frame"; readonly text: string }
  | {
      readonly kind: "error";
      readonly code: "bad-header" | "too-long" | "ill-formed-text" | "cut-off";
      readonly text: string;
      readonly offset: number;
    };

/** Takes the bytes of one connection as they come and gives the frames in them. After an error it gives nothing more. */
export type FrameReader = {
  readonly push: (bytes: Uint8Array) => readonly FrameEvent[];
  /** Sets how many code points a frame may have, for the frames whose header is still to come. */
  readonly setLimit: (codePoints: number) => void;
  /** True while a frame has begun and is not whole. */
  readonly pending: () => boolean;
  /** What the end of the stream means: an error inside a body, nothing between frames or inside a header. */
  readonly end: () => FrameEvent | null;
};

/** The most code points that six hexadecimal digits can announce. */
export const longestFrame = 0xffffff;

const digitsOfHeader = 6;
/** A store that grew beyond this is given back after its frame. Bytes. */
const storeKept = 65_536;

/** Puts a text into a frame (`WIRE.md`, Frame): six hexadecimal digits, its length in code points, then the text. Lone surrogates become U+FFFD. A text that is too long throws: it goes in parts. */
export function frame(text: string): string {
  const whole = text.toWellFormed();
  let length = whole.length;
  for (let index = 0; index < whole.length; index++) {
    const unit = whole.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff) length -= 1;
  }
  if (length > longestFrame) {
    throw new RangeError(`A text of ${length} code points does not fit into a frame: send it in parts.`);
  }
  return length.toString(16).toUpperCase().padStart(digitsOfHeader, "0") + whole;
}

/** Makes a reader that finds the same frames however the bytes are split, in linear time, and holds no more than what has come of one frame. */
export function makeFrameReader(limits: { readonly codePoints: number }): FrameReader {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const scan = makeCodePointScan();
  let longest = limits.codePoints;
  let broken = false;
  /** Bytes of the connection before the chunk at hand. */
  let before = 0;
  let digits = 0;
  let announced = 0;
  let inBody = false;
  let store = new Uint8Array(0);
  let stored = 0;

  const fail = (
    code: "bad-header" | "too-long" | "ill-formed-text",
    text: string,
    at: number,
  ): FrameEvent => {
    broken = true;
    store = new Uint8Array(0);
    return { kind: "error", code, text, offset: before + at };
  };
  const keep = (bytes: Uint8Array): void => {
    if (stored + bytes.length > store.length) {
      const larger = new Uint8Array(Math.max(store.length * 2, stored + bytes.length));
      larger.set(store.subarray(0, stored));
      store = larger;
    }
    store.set(bytes, stored);
    stored += bytes.length;
  };
  const finish = (last: Uint8Array): FrameEvent => {
    if (stored > 0) keep(last);
    const text = decoder.decode(stored > 0 ? store.subarray(0, stored) : last);
    if (store.length > storeKept) store = new Uint8Array(0);
    digits = 0;
    announced = 0;
    stored = 0;
    inBody = false;
    return { kind: "frame", text };
  };
  const readDigit = (byte: number, at: number): FrameEvent | null => {
    const digit = hexadecimal(byte);
    if (digit < 0) {
      const what = `byte 0x${byte.toString(16).padStart(2, "0")} stands where a frame's length is expected`;
      return fail("bad-header", `The ${what}: six hexadecimal digits, then as many code points.`, at);
    }
    announced = announced * 16 + digit;
    digits += 1;
    if (digits < digitsOfHeader) return null;
    if (announced > longest) {
      const text = `A frame of ${announced} code points was announced; ${longest} are allowed here.`;
      return fail("too-long", text, at - digitsOfHeader + 1);
    }
    scan.begin(announced);
    inBody = true;
    return announced === 0 ? finish(new Uint8Array(0)) : null;
  };
  const readBody = (bytes: Uint8Array, from: number): { readonly end: number; event: FrameEvent | null } => {
    const { end, whole, sound } = scan.advance(bytes, from);
    if (!sound) {
      return { end, event: fail("ill-formed-text", "The bytes of a frame are not well-formed UTF-8.", end) };
    }
    const part = bytes.subarray(from, end);
    if (whole) return { end, event: finish(part) };
    keep(part);
    return { end, event: null };
  };

  return {
    push(bytes) {
      const events: FrameEvent[] = [];
      let at = 0;
      while (at < bytes.length && !broken) {
        const byte = bytes[at] ?? 0;
        let event: FrameEvent | null = null;
        if (inBody) {
          const read = readBody(bytes, at);
          at = read.end;
          event = read.event;
        } else {
          if (digits > 0 || !isBlank(byte)) event = readDigit(byte, at);
          at += 1;
        }
        if (event !== null) events.push(event);
      }
      before += bytes.length;
      return events;
    },
    setLimit(codePoints) {
      longest = codePoints;
    },
    pending: () => !broken && (digits > 0 || inBody),
    end() {
      if (broken || !inBody) return null;
      broken = true;
      const missing = scan.missing();
      const text = `The stream ended inside a frame: ${missing} of ${announced} code points are missing.`;
      return { kind: "error", code: "cut-off", text, offset: before };
    },
  };
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x09 || byte === 0x0d;
}

/** The value of a hexadecimal digit of either case, -1 for any other byte. */
function hexadecimal(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
