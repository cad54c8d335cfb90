import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { type TestContext, test } from "node:test";
import { orgTangleCommand } from "../../src/features/notes/org-tangle.ts";
import type { Io } from "../../src/kernel/io.ts";
import { exitCodes } from "../../src/program/io.ts";

const source = (body: string): string => `* A\n#+begin_src sh :tangle out/a.sh\n${body}\n#+end_src\n`;

function open(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "org-tangle-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const at = (name: string): string => join(folder, name);
  const run = async (...args: readonly string[]) => {
    const told = { out: "", err: "" };
    const io: Io = {
      args,
      cwd: folder,
      environment: { HOME: folder, XDG_STATE_HOME: at("state") },
      version: "0",
      outIsTerminal: false,
      outputsAreOne: false,
      inputIsPipe: false,
      errIsTerminal: false,
      input: new PassThrough(),
      output: new PassThrough(),
      out: (text) => {
        told.out += text;
      },
      err: (text) => {
        told.err += text;
      },
      onInterrupt: () => () => undefined,
    };
    const code = await orgTangleCommand(io);
    return { code, ...told };
  };
  return { at, run, write: (name: string, text: string) => writeFileSync(at(name), text) };
}

test("a file is tangled, is told to be older once its source is newer, and is written again", async (t) => {
  const { at, run, write } = open(t);
  write("a.org", source("echo 1"));
  assert.deepEqual((await run("a.org", "--check")).code, exitCodes.failed);
  assert.ok(!existsSync(at("out/a.sh")));
  const first = await run("a.org");
  assert.deepEqual([first.code, first.out], [exitCodes.done, `${at("out/a.sh")}: written (1 block)\n`]);
  assert.equal(readFileSync(at("out/a.sh"), "utf8"), "echo 1\n");
  assert.match((await run("a.org", "--check")).out, /as a\.org has it/);
  write("a.org", source("echo 1\necho 2"));
  const older = await run("a.org", "--check");
  assert.deepEqual(
    [older.code, older.out],
    [exitCodes.failed, `${at("out/a.sh")}: older than a.org, from line 2 on\n`],
  );
  assert.equal((await run("a.org")).code, exitCodes.done);
  assert.equal(readFileSync(at("out/a.sh"), "utf8"), "echo 1\necho 2\n");
});

test("a tangled file that was edited by hand is found and never replaced without --force, also where nothing is known of it", async (t) => {
  const { at, run, write } = open(t);
  write("a.org", source("echo 1"));
  await run("a.org");
  for (const forget of [false, true]) {
    write("out/a.sh", "echo 1\necho by hand\n");
    if (forget) write("state/passepartout/tangled.json", "{");
    write("a.org", source("echo 3"));
    for (const option of [[], ["--check"]]) {
      const found = await run("a.org", ...option);
      assert.equal(found.code, exitCodes.failed);
      assert.match(found.out, /changed since it was tangled, from line 1 on/);
      assert.equal(readFileSync(at("out/a.sh"), "utf8"), "echo 1\necho by hand\n");
    }
    assert.equal((await run("a.org", "--force")).code, exitCodes.done);
    assert.equal(readFileSync(at("out/a.sh"), "utf8"), "echo 3\n");
  }
});

test("two names of one file, the Org file itself and what only Emacs can work out are told, and harm no other file", async (t) => {
  const { at, run, write } = open(t);
  write(
    "a.org",
    `${source("1")}#+begin_src sh :tangle ../${at("").split("/").at(-1)}/out/a.sh\n2\n#+end_src\n`,
  );
  assert.match((await run("a.org")).err, /two of its names lead to/);
  write("b.org", "#+begin_src org :tangle b.org\nx\n#+end_src\n");
  assert.match((await run("b.org")).err, /two of its names/);
  write("c.org", `${source("1")}#+begin_src sh :tangle (kill-emacs)\nx\n#+end_src\n`);
  const found = await run("c.org", "--json");
  assert.equal(found.code, exitCodes.failed);
  assert.match(found.err, /c\.org:5: .*Lisp/);
  assert.deepEqual(JSON.parse(found.out), {
    file: at("out/a.sh"),
    state: "absent",
    written: true,
    line: null,
    blocks: 1,
  });
});
