import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";

const main = join(import.meta.dirname, "../../dist/main.js");

function world(t: TestContext, text: string) {
  const folder = mkdtempSync(join(tmpdir(), "org-edit-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "n.org");
  writeFileSync(file, text);
  const run = (operations: string, ...args: readonly string[]) => {
    const command = [main, "org", "edit", file, "--now", "2024-01-15 10:00", ...args];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, {
      input: operations,
      encoding: "utf8",
    });
    return { status, stdout, stderr, text: readFileSync(file, "utf8") };
  };
  return { folder, file, run };
}

const done = '[{"op":"todo","at":"a","state":"DONE"}]';

test("org edit changes the file and prints it", (t) => {
  const { run } = world(t, "* TODO a\r\n* b\r\n");
  const text = "* DONE a\r\nCLOSED: [2024-01-15 Mon 10:00]\r\n* b\r\n";
  assert.deepEqual(run(done, "--log-done", "time"), { status: 0, stdout: text, stderr: "", text });
});

test("what is refused is said on standard error, the rest is done, and the exit code is 1", (t) => {
  const { run } = world(t, "* TODO a\n");
  const { status, stdout, stderr } = run(
    '[{"op":"dance"},{"op":"id","at":"x"},{"op":"todo","at":"a","state":"DONE"}]',
  );
  assert.deepEqual([status, stdout], [1, "* DONE a\n"]);
  assert.match(
    stderr,
    /refused: \{"op":"dance"\}.*\nrefused: \{"op":"id","at":"x"\} no heading has the title or ID 'x'\n/,
  );
});

test("a dry run writes nothing", (t) => {
  const { run } = world(t, "* TODO a\n");
  const { status, stdout, text } = run(done, "--dry-run");
  assert.deepEqual([status, stdout, text], [0, "* DONE a\n", "* TODO a\n"]);
});

test("a file that an editor holds is not written", (t) => {
  const { run, folder } = world(t, "* TODO a\n");
  symlinkSync("ada@elsewhere.4711:1700000000", join(folder, ".#n.org"));
  const { status, stdout, stderr, text } = run(done);
  assert.deepEqual([status, stdout, text], [1, "", "* TODO a\n"]);
  assert.match(stderr, /unsaved changes.*ada@elsewhere/);
});

test("wrong use ends with 2, and a file that is not there with 1", (t) => {
  const { run, file } = world(t, "* a\n");
  assert.equal(run("no json").status, 2);
  assert.equal(run("[]", "--now", "soon").status, 2);
  assert.equal(run("[]", "--log-done", "maybe").status, 2);
  assert.equal(run("[]").status, 0);
  rmSync(file);
  const gone = spawnSync(process.execPath, [main, "org", "edit", file], { input: "[]", encoding: "utf8" });
  assert.deepEqual(
    [gone.status, gone.stderr],
    [1, `passepartout: there is no file ${file}. Correct the name, or create the file.\n`],
  );
});

test("an archive is written beside the file", (t) => {
  const { run, file } = world(t, "* a\n* b\n");
  const { status, text } = run('[{"op":"archive","at":"a"}]');
  assert.deepEqual([status, text], [0, "* b\n"]);
  assert.match(
    readFileSync(`${file}_archive`, "utf8"),
    /^# {4}-\*- mode: org -\*-\n\n\nArchived entries from file .*n\.org\n\n\n\* a\n:PROPERTIES:\n:ARCHIVE_TIME: 2024/,
  );
});
