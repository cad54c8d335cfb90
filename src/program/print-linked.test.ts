import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Io } from "../kernel/io.ts";
import { escapeForTerminal } from "../text/visible.ts";
import { printLinked } from "./print-linked.ts";

function printed(environment: Io["environment"], outIsTerminal: boolean, path: string): string {
  const written: string[] = [];
  const ignore = (): void => undefined;
  const output = new PassThrough().on("data", (bytes: Buffer) => written.push(bytes.toString("utf8")));
  const io: Io = {
    args: [],
    environment,
    cwd: "/",
    version: "0.0.0-test",
    out: (text) => void output.write(escapeForTerminal(text)),
    err: ignore,
    outIsTerminal,
    errIsTerminal: outIsTerminal,
    outputsAreOne: false,
    inputIsPipe: false,
    input: Readable.from([]),
    output,
    onInterrupt: () => ignore,
  };
  printLinked(io, [{ shown: path.slice(1), path, rest: ":3: words" }]);
  return written.join("");
}

test("the name of a file is a link on a terminal, and plain everywhere else", () => {
  const target = pathToFileURL("/notes/a b.org");
  const linked = `\x1b]8;;${target.href}\x1b\\notes/a b.org\x1b]8;;\x1b\\:3: words\n`;
  assert.equal(printed({ TERM: "xterm" }, true, "/notes/a b.org"), linked);
  for (const [environment, isTerminal] of [
    [{ TERM: "xterm" }, false],
    [{ TERM: "dumb" }, true],
    [{}, true],
    [{ TERM: "xterm", NO_COLOR: "1" }, true],
  ] as const)
    assert.equal(printed(environment, isTerminal, "/notes/a.org"), "notes/a.org:3: words\n");
});

test("no byte of a name ends its link, or begins another", () => {
  const name = "/a\x1b\\\x07\x1b]8;;https://evil.example\x07;?#.org";
  const [before, target = "", shown = "", after] = printed({ TERM: "xterm" }, true, name)
    .replaceAll("\x1b\\", "\x1b]8;;")
    .split("\x1b]8;;");
  assert.equal(before, "");
  assert.match(target, /^file:[!-~]*$/);
  assert.doesNotMatch(shown, /\p{Cc}/u);
  assert.equal(after, "");
});
