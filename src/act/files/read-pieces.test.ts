import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { readPieces } from "./read-pieces.ts";

test("a large text in UTF-16 is read as one in UTF-8, compressed or not", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "read-pieces-"));
  t.after(() => rm(folder, { recursive: true }));
  const text = "* Plänе :@personal:\r\n".repeat(30_000);
  const little = Buffer.from(`\ufeff${text}`, "utf16le");
  const path = join(folder, "a");
  for (const bytes of [Buffer.from(text), little, Buffer.from(little).swap16(), gzipSync(little)]) {
    await writeFile(path, bytes);
    let read = "";
    for await (const piece of readPieces(path)) read += piece;
    assert.ok(read === text);
  }
});
