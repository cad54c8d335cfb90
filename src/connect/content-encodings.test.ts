import assert from "node:assert/strict";
import { test } from "node:test";
import { constants } from "node:zlib";
import { acceptEncoding, decodersOf } from "./content-encodings.ts";

const { BROTLI_DECODER_ERROR_FORMAT_BLOCK_SWITCH: _, ...beforeTheFix } = constants as Record<string, unknown>;

test("Brotli is asked for and undone only by a Node whose decoder has the fix for CVE-2026-111497", () => {
  const open = decodersOf(beforeTheFix);
  assert.deepEqual([open.has("br"), acceptEncoding(open)], [false, "gzip, deflate, zstd"]);
  const fixed = decodersOf({ ...beforeTheFix, BROTLI_DECODER_ERROR_FORMAT_BLOCK_SWITCH: -17 });
  assert.deepEqual([fixed.has("br"), acceptEncoding(fixed)], [true, "gzip, deflate, br, zstd"]);
});

test("the Node that runs the tests has the fix", () => {
  assert.ok(decodersOf(constants).has("br"));
});
