import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openDatabase } from "../storage/database.ts";
import { openSampleState } from "./samples.fixture.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

test("a trusted folder is known by path and identity after a restart, until the owner takes it back", async () => {
  const place = join(root, "restart");
  {
    await using state = await openSampleState(place);
    await state.trustedFolders.trust("/home/o/garden", "folder 1 2 3");
  }
  await using state = await openSampleState(place);
  assert.equal(await state.trustedFolders.identityOf("/home/o/garden"), "folder 1 2 3");
  assert.equal(await state.trustedFolders.identityOf("/home/o/garden/sub"), null);
  assert.equal(await state.trustedFolders.distrust("/home/o/garden"), true);
  assert.equal(await state.trustedFolders.identityOf("/home/o/garden"), null);
  assert.equal(await state.trustedFolders.distrust("/home/o/garden"), false);
});

test("trust moves with a folder, and with those inside it; a neighbour whose name begins alike stays", async () => {
  await using state = await openSampleState(join(root, "moved"));
  const { trust, move, identityOf, withIdentity } = state.trustedFolders;
  await trust("/home/o/garden", "folder 1 2 3");
  await trust("/home/o/garden/beds", "folder 1 4 3");
  await trust("/home/o/garden2", "folder 1 5 3");
  await move("/home/o/garden", "/srv/plot");
  const places = ["/srv/plot", "/srv/plot/beds", "/home/o/garden2", "/home/o/garden", "/home/o/garden/beds"];
  assert.deepEqual(await Promise.all(places.map(identityOf)), [
    "folder 1 2 3",
    "folder 1 4 3",
    "folder 1 5 3",
    null,
    null,
  ]);
  assert.deepEqual(await withIdentity("folder 1 4 3"), ["/srv/plot/beds"]);
});

test("a state of version 3 is migrated, and trusts no folder", async () => {
  const place = join(root, "version-3");
  await (await openSampleState(place))[Symbol.asyncDispose]();
  const database = openDatabase(join(place, "state.db"), "write");
  database.script("DROP TABLE trusted_folders; DROP TABLE unproved_sessions; PRAGMA user_version = 3");
  database.close();
  await using state = await openSampleState(place);
  assert.match(state.reports.join(), /was migrated from version 3/);
  assert.equal(await state.trustedFolders.identityOf("/home/o/garden"), null);
});
