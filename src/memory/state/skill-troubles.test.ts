import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { bottomLabel, type Label } from "../../signal/label.ts";
import { openDatabase } from "../storage/database.ts";
import { openSampleState } from "./samples.fixture.ts";

const root = mkdtempSync(join(tmpdir(), "skill-troubles-"));
after(() => rmSync(root, { recursive: true, force: true }));
const from = (id: string): Label => ({ ...bottomLabel, integrity: "untrusted", sources: [{ id, path: "" }] });

test("failures are counted over restarts, and forgetting a source takes what holds its words, with fixes of a form that named no source", async () => {
  const place = join(root, "state");
  const failure = { skill: "words", digest: "d", where: ["tools", "last", "run"], message: "no" };
  for (const turn of ["turn-1", "turn-2"]) {
    await using state = await openSampleState(place);
    await state.skillTroubles.fail({ ...failure, input: `["${turn}"]`, label: from(turn) });
    await state.skillTroubles.fail({
      ...failure,
      skill: "dice",
      digest: "e",
      input: "[]",
      label: from("other"),
    });
  }
  const database = openDatabase(join(place, "state.db"), "write");
  database.run("INSERT INTO meta VALUES ('skill-fixes', '{}')");
  database.close();
  await using state = await openSampleState(place);
  await state.skillTroubles.keepFix("words", { before: "b", after: "turn-1", label: from("turn-1") });
  await state.skillTroubles.keepFix("dice", { before: "b", after: "a", label: from("other") });
  const counts = async () =>
    (await state.skillTroubles.failures()).map(({ skill, input, count }) => [skill, input, count]);
  assert.deepEqual(await counts(), [
    ["words", '["turn-2"]', 2],
    ["dice", "[]", 2],
  ]);
  const author = { turn: null, session: "s" };
  await state.forget({ id: "turn-1", files: [], versions: [], edits: [], grown: null }, author);
  assert.deepEqual(await counts(), [["dice", "[]", 2]]);
  assert.equal(await state.skillTroubles.fixOf("words"), null);
  assert.equal((await state.skillTroubles.fixOf("dice"))?.after, "a");
  await state.forgetGrown(
    {
      objects: [],
      files: [],
      versions: [],
      edits: [],
      wholeTurns: [],
      turns: [],
      isDerived: ({ sources }) => sources.some(({ id }) => id === "other"),
    },
    author,
  );
  assert.deepEqual([await counts(), await state.skillTroubles.fixOf("dice")], [[], null]);
  const looked = openDatabase(join(place, "state.db"), "read");
  assert.equal(looked.get("SELECT 1 FROM meta WHERE key = 'skill-fixes'"), undefined);
  looked.close();
});
