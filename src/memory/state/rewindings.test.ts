import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openDatabase } from "../storage/database.ts";
import { openSampleState } from "./samples.fixture.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

test("a state of version 8 is migrated, and nothing of it is taken back", async () => {
  const place = join(root, "version-8");
  await (await openSampleState(place))[Symbol.asyncDispose]();
  const database = openDatabase(join(place, "state.db"), "write");
  database.script("DROP TABLE rewindings; PRAGMA user_version = 8");
  database.close();
  await using state = await openSampleState(place);
  assert.match(state.reports.join(), /was migrated from version 8 to /);
  assert.equal(await state.rewindings.latest("session"), null);
  assert.deepEqual(await state.rewindings.turnsFrom("session", "turn"), []);
});
