import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { test } from "node:test";
import type { Io } from "../kernel/io.ts";
import { showProgress } from "./show-progress.ts";

function makeIo(environment: Io["environment"], outIsTerminal: boolean) {
  const written: string[] = [];
  const output = new PassThrough().on("data", (bytes: Buffer) => written.push(bytes.toString("utf8")));
  const ignore = (): void => undefined;
  const io: Io = {
    args: [],
    environment,
    cwd: "/",
    version: "0.0.0-test",
    out: ignore,
    err: ignore,
    outIsTerminal,
    errIsTerminal: outIsTerminal,
    outputsAreOne: false,
    inputIsPipe: false,
    input: Readable.from([]),
    output,
    onInterrupt: () => ignore,
  };
  return { io, written: () => written.join("") };
}

test("a work of more than a second shows how far it is on a terminal, and leaves nothing there", () => {
  const { io, written } = makeIo({ TERM: "xterm" }, true);
  const time = { now: 0 };
  const progress = showProgress(io, () => time.now);
  progress.update("Writing", 10, 100);
  time.now = 999;
  progress.update("Writing", 20, 100);
  progress.end();
  assert.equal(written(), "");
  time.now = 1000;
  progress.update("Writing", 30, 100);
  time.now = 1050;
  progress.update("Writing", 31, 100);
  time.now = 1100;
  progress.update("Counting", 7, null);
  progress.end();
  const [first, second, last] = [
    "\x1b]9;4;1;30\x07\r\x1b[KWriting: 30 %",
    "\x1b]9;4;3\x07\r\x1b[KCounting: 7",
    "\x1b]9;4;0\x07\r\x1b[K",
  ];
  assert.equal(written(), `${first}${second}${last}`);
});

test("nothing is shown in a pipe, on a terminal that can draw nothing anew, and to a screen reader", () => {
  for (const [environment, isTerminal] of [
    [{ TERM: "xterm" }, false],
    [{ TERM: "dumb" }, true],
    [{ TERM: "xterm", ACCESSIBLE: "1" }, true],
  ] as const) {
    const { io, written } = makeIo(environment, isTerminal);
    const time = { now: 0 };
    const progress = showProgress(io, () => time.now);
    time.now = 5000;
    progress.update("Writing", 30, 100);
    progress.end();
    assert.equal(written(), "");
  }
});
