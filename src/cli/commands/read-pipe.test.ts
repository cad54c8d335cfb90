import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { readPipe } from "./read-pipe.ts";

function reading(input: PassThrough) {
  const told: string[] = [];
  return { io: { input, err: (text: string) => void told.push(text) }, told };
}

test("a pipe that gives nothing is named, given up, and read no longer, so that the process can end", async () => {
  const input = new PassThrough();
  const { io, told } = reading(input);
  assert.equal(await readPipe(io, { telling: 1, waiting: 20 }), "");
  assert.equal(told.length, 2);
  assert.match(told.join(""), /Waiting for standard input[\s\S]*Nothing came/);
  assert.equal(input.destroyed, true);
});

test("a pipe that has begun to give is read to its end, however long that takes", async () => {
  const input = new PassThrough();
  input.write("first ");
  const { io, told } = reading(input);
  const text = readPipe(io, { telling: 1, waiting: 20 });
  setTimeout(() => input.end("last"), 60);
  assert.deepEqual([await text, told], ["first last", []]);
});

test("what comes by a pipe in another encoding than UTF-8 is told, and what only looks so is not", async () => {
  for (const [bytes, text, words] of [
    [Buffer.from("caf\u00e9\n", "latin1"), "caf\uFFFD\n", /is not all UTF-8: .* iconv -f LATIN1 -t UTF-8/],
    [Buffer.from("caf\u00e9 \uFFFD\n"), "caf\u00e9 \uFFFD\n", /^$/],
    [Buffer.from("\uFEFFcaf\u00e9\n", "utf16le"), "caf\u00e9\n", /^$/],
  ] as const) {
    const input = new PassThrough();
    input.end(bytes);
    const { io, told } = reading(input);
    assert.equal(await readPipe(io), text);
    assert.match(told.join(""), words);
  }
});
