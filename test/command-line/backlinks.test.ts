import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeWorld } from "../agent-world.ts";

const house = `* Roof
:PROPERTIES:
:ID: roof
:END:
* Offer
Zinc for the [[id:roof][roof]].
* Diary :@personal:
I fell off [[id:roof]].
* Cellar
:PROPERTIES:
:ID: cellar
:END:
`;

async function makeHouse(t: TestContext) {
  const world = await makeWorld(t);
  mkdirSync(join(world.home, "memex"));
  writeFileSync(join(world.home, "memex", "house.org"), house);
  return world;
}

test("backlinks lists the notes that link to an ID, private ones too, with the line of the link", async (t) => {
  const world = await makeHouse(t);
  const { code, out } = await world.command(["backlinks", "roof"]);
  assert.equal(code, 0);
  assert.equal(
    out,
    "house.org::Offer  Offer  (house.org)\n  Zinc for the [[id:roof][roof]].\nhouse.org::Diary  Diary  (house.org)\n  I fell off [[id:roof]].\n",
  );
});

test("backlinks --json prints an object for each note, with its label", async (t) => {
  const world = await makeHouse(t);
  const { code, out } = await world.command(["backlinks", "--json", "roof"]);
  assert.equal(code, 0);
  const rows = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    rows.map(({ id, file, line, label }) => [id, file, line, label.secrecy]),
    [
      ["house.org::Offer", "house.org", "Zinc for the [[id:roof][roof]].", "public"],
      ["house.org::Diary", "house.org", "I fell off [[id:roof]].", "private"],
    ],
  );
});

test("backlinks says whether no note links to an ID or no note has it, and what to do", async (t) => {
  const world = await makeWorld(t);
  const missing = await world.command(["backlinks", "roof"]);
  assert.equal(missing.code, 1);
  assert.match(missing.err, /There is no notes folder at .*memex yet\. The first note creates it/);
  mkdirSync(join(world.home, "memex"));
  writeFileSync(join(world.home, "memex", "house.org"), house);
  const none = await world.command(["backlinks", "cellar"]);
  assert.deepEqual([none.code, none.out, none.err], [1, "", "No note links to cellar.\n"]);
  const unknown = await world.command(["backlinks", "attic"]);
  assert.equal(unknown.code, 1);
  assert.match(
    unknown.err,
    /^There is no note with the ID attic\. Find IDs with: passepartout memory search WORDS\n$/,
  );
  const wrong = await world.command(["backlinks"]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /backlinks needs one ID/);
});
