import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Outcome } from "../../signal/tool.ts";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { noEndNote } from "./end-note.ts";
import { openFromRoot } from "./redirect-file.ts";
import { runPipelines } from "./run.ts";
import type { ProcessSpec } from "./streams.ts";

function step(...argv: readonly string[]): ProcessSpec {
  return {
    name: argv[0] ?? "",
    argv,
    binaries: [],
    redirects: [],
    environment: new Map(),
    opensStreams: true,
    filter: null,
    informs: false,
    left: null,
    openParent: openFromRoot,
  };
}

async function run(context: TestContext, steps: readonly ProcessSpec[], below = "."): Promise<Outcome> {
  const cwd = join(await makeScratchFolder(context), below);
  const pipelines = [{ steps, negated: false, next: null }];
  const limits = { timeoutMilliseconds: 60_000, outputCharacters: 1_000 };
  const notes = { notes: [], endNote: () => noEndNote };
  return runPipelines({ pipelines, cwd, ...limits, ...notes }, new AbortController().signal);
}

const openDescriptors = (): number => readdirSync("/proc/self/fd").length;

test("of a pipeline that the system refuses half way nothing runs on and nothing stays open, and it is told in words", {
  skip: process.platform === "linux" ? false : "needs /proc",
}, async (context) => {
  const tooLong = step("/bin/echo", "x".repeat(4_000_000));
  await run(context, [step("/bin/true")]);
  const before = openDescriptors();
  const outcome = await run(context, [step("/bin/sleep", "1000"), tooLong]);
  assert.ok(outcome.status === "error");
  assert.deepEqual(
    [outcome.code, /could not be started: .*E2BIG/.test(outcome.message)],
    ["not-started", true],
  );
  assert.equal(openDescriptors(), before);
});

test("a program whose folder is gone is not said to be missing itself", async (context) => {
  const outcome = await run(context, [step("/bin/true")], "pulled");
  assert.ok(outcome.status === "error");
  assert.match(
    outcome.message,
    /\/bin\/true could not be started: the folder \S+pulled is gone; its disk may not be mounted/,
  );
  assert.doesNotMatch(outcome.message, /ENOENT/);
});
