import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import fc from "fast-check";
import { readTar, tarEnd, tarHeader, tarPadding } from "./tar.ts";

const path = fc
  .array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 120 }), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join("/").replaceAll(/\p{Cc}/gu, "_"));
const file = fc.record({ path, bytes: fc.uint8Array({ maxLength: 2000 }) });

test("files are read as they were written, however the bytes of the archive are split", async () => {
  const law = fc.asyncProperty(
    fc.array(file, { maxLength: 5 }),
    fc.integer({ min: 1, max: 3000 }),
    async (files, size) => {
      const archive = Buffer.concat([
        ...files.flatMap(({ path: name, bytes }) => [
          tarHeader(name, bytes.length),
          Buffer.from(bytes),
          tarPadding(bytes.length),
        ]),
        tarEnd,
      ]);
      const pieces = Array.from({ length: Math.ceil(archive.length / size) }, (_, at) =>
        archive.subarray(at * size, (at + 1) * size),
      );
      const read: { path: string; bytes: Uint8Array }[] = [];
      for await (const { path: name, contents } of readTar(Readable.from(pieces))) {
        const parts: Buffer[] = [];
        for await (const part of contents) parts.push(part);
        read.push({ path: name, bytes: new Uint8Array(Buffer.concat(parts)) });
      }
      assert.deepEqual(
        read,
        files.map(({ path: name, bytes }) => ({ path: name, bytes: new Uint8Array(bytes) })),
      );
    },
  );
  await fc.assert(law, { numRuns: 200 });
});
