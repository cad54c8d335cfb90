import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import type { Io } from "../../kernel/io.ts";
import { opensScreen } from "./tui.ts";

function ioWith(given: {
  readonly environment?: Io["environment"];
  readonly in?: boolean;
  readonly out?: boolean;
}): Io {
  return {
    args: [],
    environment: { TERM: "xterm", ...given.environment },
    cwd: "/",
    version: "0",
    out: () => {},
    err: () => {},
    outIsTerminal: given.out ?? true,
    errIsTerminal: true,
    outputsAreOne: true,
    inputIsPipe: false,
    input: Object.assign(new PassThrough(), { isTTY: given.in ?? true }),
    output: new PassThrough(),
    onInterrupt: () => () => {},
  };
}

test("a start without a command fills the terminal, if there is one at both ends that can be filled or read out", () => {
  assert.equal(opensScreen(ioWith({})), true);
  assert.equal(opensScreen(ioWith({ in: false })), false);
  assert.equal(opensScreen(ioWith({ out: false })), false);
  for (const environment of [{ TERM: "dumb" }, { TERM: "" }])
    assert.equal(opensScreen(ioWith({ environment })), false, JSON.stringify(environment));
  assert.equal(opensScreen(ioWith({ environment: { TERM: "dumb", ACCESSIBLE: "1" } })), true);
  assert.equal(opensScreen(ioWith({ environment: { ACCESSIBLE: "1" }, out: false })), false);
});
