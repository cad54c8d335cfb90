import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { court } from "../../../test/attacks/trial-court.ts";
import { probe } from "../tools/shell/sandbox.fixture.ts";

test("a command that fails because it renames a folder that was there is told what to do, and not to ask for the network", async (context) => {
  const made = await court(context);
  if (made === null) return;
  mkdirSync(made.path("src"));
  writeFileSync(made.path("src/a"), "mine");
  const refused = await made.attempt(
    probe(`fs.renameSync("src", "lib");`).replace("process.on", "0 && process.on"),
  );
  assert.match(refused.said, /renamed a folder that was there before/);
  assert.match(refused.said, /Use mv, which copies the folder/);
  assert.doesNotMatch(refused.said, /network/);
  const other = await made.attempt(`${probe("process.exit(3);")}`);
  assert.match(other.said, /If it needs the network/);
  assert.doesNotMatch(other.said, /renamed/);
  const moved = await made.attempt(`sh -c 'mv src lib && cat lib/a'`);
  assert.match(moved.said, /mine/);
  const fresh = await made.attempt(
    probe(`fs.mkdirSync("new"); fs.renameSync("new", "newer"); console.log("DONE");`),
  );
  assert.match(fresh.said, /DONE/);
});
