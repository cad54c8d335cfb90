import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { State } from "../../memory/state/state.ts";
import { isJsonObject, type Json } from "../../text/json.ts";
import { isPlaceGone, notePlace } from "./session-place.ts";

type Kept = Pick<State, "sessions" | "sessionPlaces">;

test("the place of a session is gone where nothing is there, or an empty folder of another disk", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "session-place-"));
  t.after(() => rmSync(home, { recursive: true }));
  const folder = join(home, "stick");
  let kept: Json = null;
  const state = {
    sessions: { get: async () => ({ workspace: folder }) },
    sessionPlaces: {
      get: async () => kept,
      set: async (value: Json) => {
        kept = value;
      },
    },
  } as unknown as Kept;
  const isGone = (): Promise<boolean> => isPlaceGone(state, "one", folder);
  assert.equal(await isGone(), true);
  mkdirSync(folder);
  await notePlace(state, "one", folder);
  assert.equal(await isGone(), false);
  const noted = isJsonObject(kept) ? String(kept["one"]) : "";
  assert.match(noted, /^\d+ \d+ \d+$/);

  const mounted = noted.replace(/^\d+ \d+/, "1 2");
  kept = { one: mounted };
  assert.equal(await isGone(), true, "a mount point whose disk is not there");
  assert.equal(await isPlaceGone(state, "one", home), false, "the folder of a sub-task");
  assert.equal(await isPlaceGone(state, "two", folder), false, "a session that began here");
  await notePlace(state, "one", folder);
  assert.deepEqual(kept, { one: mounted }, "it is not taken for the folder of the session");

  kept = { one: noted.replace(/^\d+/, "1") };
  assert.equal(await isGone(), false, "the same folder after a restart, where devices have other numbers");
  kept = { one: mounted.replace(/(?<= ).*/, "-") };
  assert.equal(await isGone(), true, "a mount point whose disk does not say what its folders are");
  kept = { one: noted.replace(/\d+$/, "1") };
  assert.equal(await isGone(), false, "a folder that was made anew on its disk");
  assert.equal(await notePlace(state, "one", folder), true, "it is told once");
  assert.equal(await notePlace(state, "one", folder), false);
  kept = { one: mounted };
  writeFileSync(join(folder, "a.txt"), "");
  assert.equal(await isGone(), false, "a disk that was copied to another one");
  await notePlace(state, "one", folder);
  assert.deepEqual(kept, { one: noted });
});
