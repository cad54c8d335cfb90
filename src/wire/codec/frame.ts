import { type CodePointScan, makeCodePointScan } from "./code-point-scan.ts";

/** The text of a whole frame, or what is wrong with the stream. `offset` counts bytes from the start of the connection. */
export type FrameEvent =
  | { readonly kind: "frame"; readonly text: string }
  | {
      readonly kind: "error";
      readonly code: "bad-header" | "too-long" | "ill-formed-text" | "cut-off";
      readonly text: string;
      readonly offset: number;
    };

/** Turns the bytes of one connection into frames. After an error it gives nothing more. */
export type FrameReader = {
  /** Takes the next bytes and gives the frames that they complete. */
  readonly push: (bytes: Uint8Array) => readonly FrameEvent[];
  /** Sets the most code points that a frame may have. Applies to frames whose header has not been read yet. */
  readonly setLimit: (codePoints: number) => void;
  /** True while part of a frame has arrived. */
  readonly pending: () => boolean;
  /** Ends the stream. Gives an error if the stream ends inside a body, and null if it ends between frames or inside a header. */
  readonly end: () => FrameEvent | null;
};

/**
 * The most code points that a header of six hexadecimal digits can announce.
 * @internal
 */
export const longestFrame = 0xffffff;

const headerDigits = 6;
/** A buffer that grew beyond this size is released after its frame. Bytes. */
const retainedBytes = 65_536;

/** Frames a text (`WIRE.md`, Frame): its length in code points as six hexadecimal digits, then the text. Lone surrogates become U+FFFD. Throws if the text is too long for one frame. */
export function frame(text: string): string {
  const wellFormed = text.toWellFormed();
  let length = wellFormed.length;
  for (let index = 0; index < wellFormed.length; index++) {
    const unit = wellFormed.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff) length -= 1;
  }
  if (length > longestFrame) {
    throw new RangeError(`A text of ${length} code points does not fit into a frame: send it in parts.`);
  }
  return length.toString(16).toUpperCase().padStart(headerDigits, "0") + wellFormed;
}

/** Makes a reader that finds the same frames however the bytes are split. It takes linear time and holds at most one frame. */
export function makeFrameReader(limits: { readonly codePoints: number }): FrameReader {
  return new IncrementalFrameReader(limits.codePoints);
}

class IncrementalFrameReader implements FrameReader {
  readonly #scan: CodePointScan = makeCodePointScan();
  readonly #body = new BodyBuffer();
  #limit: number;
  #broken = false;
  /** Bytes of the connection before those of the present `push`. */
  #bytesBefore = 0;
  #digits = 0;
  #announced = 0;
  #inBody = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  readonly push = (bytes: Uint8Array): readonly FrameEvent[] => {
    const events: FrameEvent[] = [];
    let at = 0;
    while (at < bytes.length && !this.#broken) {
      const { end, event } = this.#inBody ? this.#readBody(bytes, at) : this.#readHeader(bytes, at);
      at = end;
      if (event !== null) events.push(event);
    }
    this.#bytesBefore += bytes.length;
    return events;
  };

  readonly setLimit = (codePoints: number): void => {
    this.#limit = codePoints;
  };

  readonly pending = (): boolean => !this.#broken && (this.#digits > 0 || this.#inBody);

  readonly end = (): FrameEvent | null => {
    if (this.#broken || !this.#inBody) return null;
    this.#broken = true;
    const missing = this.#scan.missing();
    const text = `The stream ended inside a frame: ${missing} of ${this.#announced} code points are missing.`;
    return { kind: "error", code: "cut-off", text, offset: this.#bytesBefore };
  };

  /** Reads one byte: a digit of the header, or a blank before it. */
  #readHeader(bytes: Uint8Array, at: number): Step {
    const byte = bytes[at] ?? 0;
    const event = this.#digits > 0 || !isBlank(byte) ? this.#readDigit(byte, at) : null;
    return { end: at + 1, event };
  }

  #readDigit(byte: number, at: number): FrameEvent | null {
    const digit = hexadecimal(byte);
    if (digit < 0) {
      const found = `0x${byte.toString(16).padStart(2, "0")}`;
      const text = `Expected the length of a frame (six hexadecimal digits), found the byte ${found}.`;
      return this.#fail("bad-header", text, at);
    }
    this.#announced = this.#announced * 16 + digit;
    this.#digits += 1;
    if (this.#digits < headerDigits) return null;
    if (this.#announced > this.#limit) {
      const text = `A frame of ${this.#announced} code points was announced; at most ${this.#limit} are allowed.`;
      return this.#fail("too-long", text, at - headerDigits + 1);
    }
    this.#scan.begin(this.#announced);
    this.#inBody = true;
    return this.#announced === 0 ? this.#finish(new Uint8Array(0)) : null;
  }

  #readBody(bytes: Uint8Array, from: number): Step {
    const { end, whole, sound } = this.#scan.advance(bytes, from);
    if (!sound) {
      const text = "The bytes of a frame are not well-formed UTF-8.";
      return { end, event: this.#fail("ill-formed-text", text, end) };
    }
    const part = bytes.subarray(from, end);
    if (whole) return { end, event: this.#finish(part) };
    this.#body.append(part);
    return { end, event: null };
  }

  #finish(last: Uint8Array): FrameEvent {
    this.#digits = 0;
    this.#announced = 0;
    this.#inBody = false;
    return { kind: "frame", text: this.#body.takeText(last) };
  }

  #fail(code: "bad-header" | "too-long" | "ill-formed-text", text: string, at: number): FrameEvent {
    this.#broken = true;
    this.#body.release();
    return { kind: "error", code, text, offset: this.#bytesBefore + at };
  }
}

/** How far a step of the reader got, and what it found. */
type Step = { readonly end: number; readonly event: FrameEvent | null };

/** The bytes of a body that have arrived so far. Grows by doubling. */
class BodyBuffer {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #bytes = new Uint8Array(0);
  #length = 0;

  append(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + bytes.length));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Gives the text of all bytes and `last`, and empties the buffer. A body that arrived in one piece is not copied. */
  takeText(last: Uint8Array): string {
    if (this.#length > 0) this.append(last);
    const text = this.#decoder.decode(this.#length > 0 ? this.#bytes.subarray(0, this.#length) : last);
    if (this.#bytes.length > retainedBytes) this.#bytes = new Uint8Array(0);
    this.#length = 0;
    return text;
  }

  release(): void {
    this.#bytes = new Uint8Array(0);
    this.#length = 0;
  }
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
