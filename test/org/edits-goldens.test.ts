import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { applySplices, editOrg } from "#org";
import { operationSchema } from "../../src/act/tools/notes/operation-schema.ts";

const data = join(import.meta.dirname, "../../../shared/data/org");
const skip = existsSync(join(data, "golden.tar.gz"))
  ? false
  : "the test data in ../shared/data is not on this machine";

/** What was edited, and how it came out in Org 9.8; the clock stood at `now`. */
const goldens = [
  {
    name: "mixed",
    text: "golden/edit/mixed.in.org",
    out: "mixed.out.org",
    now: { day: 15, month: 1, hour: 10, minute: 0 },
  },
  {
    name: "repeaters-done",
    text: join(data, "synthetic/repeaters.org"),
    out: "repeaters-done.out98.org",
    now: { day: 15, month: 2, hour: 10, minute: 30 },
  },
];

for (const { name, text, out, now } of goldens) {
  test(`the edits '${name}' come out as Emacs makes them`, { skip }, (t) => {
    const folder = mkdtempSync(join(tmpdir(), "edit-goldens-"));
    t.after(() => rmSync(folder, { recursive: true }));
    execFileSync("tar", ["-xzf", join(data, "golden.tar.gz"), "-C", folder]);
    const read = (path: string) => readFileSync(path.startsWith("/") ? path : join(folder, path), "utf8");
    const before = read(text);
    const operations = operationSchema.array().parse(JSON.parse(read(`golden/edit/${name}.ops.json`)));
    let ids = 0;
    const newId = () => `00000000-0000-4000-8000-${`${++ids}`.padStart(12, "0")}`;
    const edited = editOrg(before, operations, { now: { year: 2024, ...now }, newId, logIntoDrawer: true });
    assert.equal(edited.text, read(`golden/edit/${out}`));
    const errors = join(folder, "golden/edit", `${out}.errors`);
    const refused = existsSync(errors) ? readFileSync(errors, "utf8").trim().split("\n").length : 0;
    assert.equal(edited.refused.length, refused);
    assert.deepEqual(applySplices(before, edited.splices), { code: "spliced", text: edited.text });
  });
}
