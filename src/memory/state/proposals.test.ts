import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { bottomLabel } from "../../signal/label.ts";
import type { Proposal } from "../../signal/review.ts";
import { openDatabase } from "../storage/database.ts";
import { openSampleState } from "./samples.fixture.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const proposal = (path: string): Proposal => ({
  by: "gardener",
  title: "Repair a link",
  why: "",
  source: "",
  label: bottomLabel,
  change: {
    kind: "files",
    files: [{ path, before: null, after: "1", diff: "@@ -0,0 +1 @@\n+a secret plan" }],
  },
});

test("a state of version 11 is migrated, and nothing is proposed in it", async () => {
  const place = join(root, "version-11");
  await (await openSampleState(place))[Symbol.asyncDispose]();
  const database = openDatabase(join(place, "state.db"), "write");
  database.script("DROP TABLE proposals; PRAGMA user_version = 11");
  database.close();
  await using state = await openSampleState(place);
  assert.match(state.reports.join(), /was migrated from version 11 to /);
  assert.deepEqual(await state.proposals.list(["open"]), []);
});

test("a proposal that is kept again is open and not filed, and one about a forgotten file is gone", async () => {
  await using state = await openSampleState(join(root, "kept"));
  await state.proposals.keep("review-a", proposal("/notes/a.org"));
  await state.proposals.keep("review-b", proposal("/notes/b.org"));
  await state.proposals.markFiled(["review-a", "review-b"]);
  await state.proposals.decide("review-a", "accepted", "turn-1");
  assert.deepEqual(await state.proposals.unfiled(), ["review-a"]);
  await state.proposals.keep("review-a", proposal("/notes/a.org"));
  assert.deepEqual(
    (await state.proposals.list(["open"])).map(({ id, turn, filed }) => [id, turn, filed]),
    [
      ["review-a", null, false],
      ["review-b", null, true],
    ],
  );
  await state.forget(
    { id: "a", files: ["/notes/a.org"], versions: [], edits: [], grown: null },
    { turn: null, session: null },
  );
  assert.equal(await state.proposals.get("review-a"), null);
  assert.equal((await state.proposals.get("review-b"))?.state, "open");
});
