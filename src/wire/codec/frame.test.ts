import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type FrameEvent, type FrameReader, frame, longestFrame, makeFrameReader } from "./frame.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const reader = (codePoints = longestFrame): FrameReader => makeFrameReader({ codePoints });
const frames = (...texts: string[]): FrameEvent[] => texts.map((text) => ({ kind: "frame", text }));

/** What a fresh reader makes of bytes that come in these pieces, with what their end means. */
function readPieces(pieces: readonly Uint8Array[]): readonly FrameEvent[] {
  const { push, end } = reader();
  const events = pieces.flatMap((piece) => push(piece));
  const last = end();
  return last === null ? events : [...events, last];
}

function readAll(...parts: readonly (string | readonly number[])[]): readonly FrameEvent[] {
  const bytes = parts.map((part) => (typeof part === "string" ? bytesOf(part) : Uint8Array.from(part)));
  return readPieces([Buffer.concat(bytes)]);
}

/** The one error that bytes come to. */
function errorOf(...parts: readonly (string | readonly number[])[]): { code: string; offset: number } {
  const [event, ...more] = readAll(...parts);
  assert.equal(more.length, 0);
  assert.ok(event?.kind === "error");
  return { code: event.code, offset: event.offset };
}

test("the example of the reference has its length", () => {
  assert.equal(
    frame("(:TYPE :EVENT :PAYLOAD (:ACTION :HANDSHAKE))"),
    "00002C(:TYPE :EVENT :PAYLOAD (:ACTION :HANDSHAKE))",
  );
});

test("a length counts code points, and lone surrogates become U+FFFD before they are counted", () => {
  assert.equal(frame("é😀"), "000002é😀");
  assert.equal(frame("a\ud83d"), "000002a\ufffd");
  assert.equal(frame("\ude00\ud83d"), "000002\ufffd\ufffd");
});

test("a text beyond 16,777,215 code points throws, and the longest that fits is read back", () => {
  const longest = "x".repeat(longestFrame);
  assert.equal(frame(longest).slice(0, 8), "FFFFFFxx");
  assert.deepEqual(reader().push(bytesOf(frame(longest))), frames(longest));
  assert.throws(() => frame(`${longest}x`), /send it in parts/);
});

test("any split of the bytes gives the same frames", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "(", "é", "�", "😀", "\u{10ffff}", "\0", "\ufeff") });
  const blanks = fc.stringMatching(/^[ \n\t\r]{0,3}$/);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(blanks, text), { maxLength: 4 }),
      fc.array(fc.nat(300), { maxLength: 12 }),
      (messages, cuts) => {
        const bytes = bytesOf(messages.map(([blank, words]) => blank + frame(words)).join(""));
        const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
        const pieces = at.slice(1).map((end, index) => bytes.slice(at[index], end));
        assert.deepEqual(readPieces(pieces), frames(...messages.map(([, words]) => words)));
      },
    ),
    { numRuns: 500 },
  );
});

test("bytes that arrive one at a time give the same frames and errors, whatever they are", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.uint8Array({ maxLength: 20 }).map((body) => Buffer.concat([bytesOf("00000A"), body])),
  );
  fc.assert(
    fc.property(bytes, (some) =>
      assert.deepEqual(readPieces(Array.from(some, (byte) => Uint8Array.of(byte))), readPieces([some])),
    ),
    { numRuns: 1000 },
  );
});

test("a body is well-formed exactly if the platform's strict decoder accepts it", () => {
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const near = fc.constantFrom(
    0x41,
    0x7f,
    0x80,
    0x8f,
    0x90,
    0x9f,
    0xa0,
    0xbf,
    0xc1,
    0xc2,
    0xe0,
    0xed,
    0xf0,
    0xf4,
    0xf5,
  );
  fc.assert(
    fc.property(fc.array(near, { minLength: 1, maxLength: 6 }), (body) => {
      const bytes = Uint8Array.from(body);
      const whole = ((): string | null => {
        try {
          return strict.decode(bytes);
        } catch (error) {
          assert.ok(error instanceof TypeError);
          return null;
        }
      })();
      const length = whole === null ? body.length : [...whole].length;
      const events = readAll(length.toString(16).padStart(6, "0"), body);
      if (whole === null) assert.equal(events[0]?.kind, "error");
      else assert.deepEqual(events, frames(whole));
    }),
    { numRuns: 3000 },
  );
});

test("a header is exactly six hexadecimal digits of either case", () => {
  assert.deepEqual(readAll("00000aaaaaaaaaaa00000Abbbbbbbbbb"), frames("aaaaaaaaaa", "bbbbbbbbbb"));
  assert.deepEqual(readAll("000000"), frames(""));
  for (const header of [
    "+0002C",
    "-0002C",
    "2C    ",
    "0x002C",
    "00002G",
    "GET / ",
    "POST /",
    "００００２Ｃ",
  ]) {
    assert.equal(errorOf(header, "(:TYPE :EVENT)").code, "bad-header", header);
  }
  assert.deepEqual(errorOf("  00", [0xff]), { code: "bad-header", offset: 4 });
});

test("blanks are skipped between frames and nowhere else", () => {
  assert.deepEqual(readAll(" \n\t\r000001a\n \n000001b "), frames("a", "b"));
  assert.equal(errorOf("\f000001a").code, "bad-header");
  assert.equal(errorOf("000 001a").code, "bad-header");
  assert.deepEqual(readAll("000003 a "), frames(" a "));
});

test("ill-formed UTF-8 is an error at its first byte", () => {
  for (const body of [
    [0x80],
    [0xc0, 0xaf],
    [0xe0, 0x80, 0x80],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0xf8, 0x88, 0x80, 0x80],
    [0xe2, 0x28, 0xa1],
  ]) {
    assert.equal(errorOf("00000A", body).code, "ill-formed-text", String(body));
  }
  assert.deepEqual(errorOf("000003a", [0xe2, 0x82, 0x41]), { code: "ill-formed-text", offset: 9 });
});

test("a frame that is too long is refused by its header, and the limit can be raised for the next frame", () => {
  const few = makeFrameReader({ codePoints: 4 });
  assert.deepEqual(few.push(bytesOf("000004😀😀😀😀")), frames("😀😀😀😀"));
  few.setLimit(5);
  assert.deepEqual(few.push(bytesOf("000005abcde")), frames("abcde"));
  const [event] = few.push(bytesOf("000006"));
  assert.ok(event?.kind === "error");
  assert.deepEqual([event.code, event.offset], ["too-long", 33]);
  assert.match(event.text, /6 code points was announced; at most 5 are allowed/);
});

test("after an error there are no more frames", () => {
  const broken = reader();
  assert.deepEqual(
    broken.push(bytesOf("000001aX000001b")).map(({ kind }) => kind),
    ["frame", "error"],
  );
  assert.deepEqual(broken.push(bytesOf("000001a")), []);
  assert.equal(broken.pending(), false);
  assert.equal(broken.end(), null);
});

test("the end of the stream is no error between frames and inside a header, and an error inside a body", () => {
  assert.deepEqual(readAll(""), []);
  assert.deepEqual(readAll("000001a  "), frames("a"));
  assert.deepEqual(readAll("000001a0000"), frames("a"));
  assert.deepEqual(readAll("000003a😀"), [
    {
      kind: "error",
      code: "cut-off",
      text: "The stream ended inside a frame: 1 of 3 code points are missing.",
      offset: 11,
    },
  ]);
  assert.deepEqual(errorOf("000001", [0xf0, 0x9f]), { code: "cut-off", offset: 8 });
});

test("a frame is pending from its first digit to its last code point", () => {
  const one = reader();
  const pending = ["\n", "0", "00002", "a", "b", " "].map((piece) => {
    one.push(bytesOf(piece));
    return one.pending();
  });
  assert.deepEqual(pending, [false, true, true, true, false, false]);
});

test("memory for a body is not allocated before its bytes arrive", () => {
  const before = process.memoryUsage().arrayBuffers;
  const many = Array.from({ length: 50 }, () => {
    const one = reader();
    one.push(bytesOf("FFFFFFabc"));
    return one;
  });
  assert.equal(many.length, 50);
  assert.ok(process.memoryUsage().arrayBuffers - before < 8_000_000);
});

test("a chunk may be overwritten once it was pushed", () => {
  const one = reader();
  const chunk = bytesOf("000004ab");
  one.push(chunk);
  chunk.fill(0x7a);
  assert.deepEqual(one.push(bytesOf("cd")), frames("abcd"));
});
