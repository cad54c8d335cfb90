import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { openCommandOverlays } from "./command-overlays.ts";
import { rememberNothing } from "./workshop.fixture.ts";

test("overlays that did not work for a moment are tried again", async (context) => {
  const folder = await makeScratchFolder(context);
  const [state, usual] = [join(folder, "state"), join(folder, "usual")];
  writeFileSync(state, "A file in the place of the folder.");
  const overlays = openCommandOverlays(state, rememberNothing, { retryAfter: 1 });
  assert.match((await overlays.problem(folder)) ?? "", /EEXIST|ENOTDIR/);
  rmSync(state);
  const expected = await openCommandOverlays(usual, rememberNothing).problem(folder);
  for (let tries = 0; tries < 500 && (await overlays.problem(folder)) !== expected; tries += 1)
    await pause(10);
  assert.equal(await overlays.problem(folder), expected);
});
