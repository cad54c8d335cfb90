import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { applySplices, editOrg } from "#org";
import { type EditList, makeEditList } from "./edit-lists.ts";

// More lists by EDIT_LISTS, from another seed on by EDIT_SEED; another Org by EMACS_LOAD_PATH; all that Org 9.8 does by EDIT_WIDE=1.
const count = Number(process.env["EDIT_LISTS"] ?? 60);
const seed = Number(process.env["EDIT_SEED"] ?? 1);
const loadPath = process.env["EMACS_LOAD_PATH"];
const plain = process.env["EDIT_WIDE"] !== "1";

const emacsIsHere = spawnSync("emacs", ["--version"]).status === 0;
const skip = emacsIsHere ? false : "there is no emacs on this machine";

test("made-up operations do to made-up notes what the installed Emacs does", { skip }, (t) => {
  const lists = Array.from({ length: count }, (_, index) => makeEditList(seed + index, { plain, most: 5 }));
  const theirs = askEmacs(t, lists);
  assert.equal(theirs.length, lists.length);
  const wrong = lists.flatMap((list, index) => (edited(list) === theirs[index] ? [] : [index]));
  t.diagnostic(
    `${count - wrong.length} of ${count} lists of operations agree; others: ${wrong.map((index) => seed + index).join(" ")}`,
  );
  for (const index of wrong.slice(0, 1)) {
    const list = lists[index];
    assert.ok(list !== undefined);
    const what = `seed ${seed + index}: ${JSON.stringify(list.ops)} on\n${list.text}`;
    assert.equal(edited(list), theirs[index], what);
  }
});

test("the made-up operations are not all refused", () => {
  const lists = Array.from({ length: count }, (_, index) => makeEditList(seed + index, { plain, most: 5 }));
  const changed = lists.filter((list) => edited(list) !== list.text).length;
  assert.ok(changed > count * 0.7, `${changed} of ${count} texts changed`);
});

function edited({ now, text, ops, drawer, done }: EditList): string {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = now.split(/[- :]/).map(Number);
  let ids = 0;
  const result = editOrg(text, ops, {
    now: { year, month, day, hour, minute },
    newId: () => `id-new-${++ids}`,
    logIntoDrawer: drawer,
    logDone: done ? "time" : null,
  });
  assert.deepEqual(applySplices(text, result.splices), { code: "spliced", text: result.text });
  return result.text;
}

function askEmacs(t: TestContext, lists: readonly EditList[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "edits-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "cases.jsonl");
  writeFileSync(file, lists.map((list) => `${JSON.stringify(list)}\n`).join(""));
  const load = loadPath === undefined ? [] : ["-L", loadPath];
  const program = join(import.meta.dirname, "edits-in-emacs.el");
  const run = spawnSync("emacs", ["-Q", "--batch", ...load, "-l", program, "--", file], {
    encoding: "utf8",
    maxBuffer: 1e9,
    env: { ...process.env, TZ: "UTC", LC_ALL: "C.UTF-8" },
  });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout.split("\n").flatMap((line): string[] => (line === "" ? [] : [JSON.parse(line)]));
}
