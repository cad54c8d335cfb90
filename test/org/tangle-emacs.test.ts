import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { tangleOrg } from "#org";
import { tangleNotes } from "./tangle-notes.ts";

const emacsIsHere = spawnSync("emacs", ["--version"]).status === 0;
const skip = emacsIsHere ? false : "there is no emacs on this machine";

test("blocks are tangled into the same files, byte for byte, as by the installed Emacs", { skip }, (t) => {
  const theirs = askEmacs(t);
  assert.equal(theirs.length, tangleNotes.length);
  for (const [index, text] of tangleNotes.entries()) {
    const ours = Object.fromEntries(
      tangleOrg(text, "note").files.map(({ name, text: made }) => [name, made]),
    );
    assert.deepEqual(ours, theirs[index], text);
  }
});

function askEmacs(t: TestContext): readonly unknown[] {
  const folder = mkdtempSync(join(tmpdir(), "tangle-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const cases = join(folder, "cases.jsonl");
  writeFileSync(cases, tangleNotes.map((text) => `${JSON.stringify(text)}\n`).join(""));
  const program = join(import.meta.dirname, "tangle-in-emacs.el");
  const { stdout, stderr } = spawnSync("emacs", ["-Q", "--batch", "-l", program, "--", cases, folder], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  const lines = stdout.split("\n").filter((line) => line !== "");
  assert.notEqual(lines.length, 0, stderr);
  return lines.map((line): unknown => JSON.parse(line));
}
