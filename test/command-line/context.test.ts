import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeWorld } from "../agent-world.ts";

test("context prints what the model would see of the notes, and why each note is there", async (t) => {
  const world = await makeWorld(t);
  const nothing = await world.command(["context", "boiler"]);
  assert.equal(nothing.code, 1);
  assert.match(nothing.err, /There is no notes folder at .*memex yet\. The first note creates it/);
  mkdirSync(join(world.home, "memex"));
  const text = "* Boiler\nServiced in March.\n* Garden :project:\n* Diary :@personal:\nboiler\n";
  writeFileSync(join(world.home, "memex", "house.org"), text);
  const shown = await world.command(["context", "--json", "boiler serviced"]);
  assert.equal(shown.code, 0);
  const pieces = shown.out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    pieces.map(({ part, id }) => [part, id]),
    [
      ["focus", "house.org::Boiler"],
      ["project", "house.org::Garden"],
      ["omitted", "house.org::Diary"],
    ],
  );
  assert.equal(pieces[0].text, "FOCUS 1.00 [house.org::Boiler]\n* Boiler\nServiced in March.");
  assert.ok(pieces[0].tokens > 5 && pieces[0].tokens < 40, String(pieces[0].tokens));
  const plain = await world.command(["context", "--focus", "house.org::Garden", "boiler", "serviced"]);
  assert.match(
    plain.out,
    /^FOCUS \[house\.org::Garden\]\n\* Garden +:project:\nNOTE 1\.00 \[house\.org::Boiler\]\n/,
  );
  assert.match(plain.err, /focus house\.org::Garden: the focus that you named \(\d+ tokens\)/);
  assert.match(plain.err, /\d+ of 2000 tokens\./);
  const why = await world.command(["context", "--why", "house.org::Diary", "boiler serviced"]);
  assert.equal(why.code, 1);
  assert.equal(why.out, "house.org::Diary is not shown: its similarity 0.07 is below 0.25.\n");
  const none = await world.command(["context", "--focus", "nowhere"]);
  assert.equal(none.code, 1);
  assert.match(none.err, /There is no note with the ID nowhere\./);
});

test("context lists the notes that link to the focus", async (t) => {
  const world = await makeWorld(t);
  mkdirSync(join(world.home, "memex"));
  const text = "* Roof\n:PROPERTIES:\n:ID: roof\n:END:\n* Offer\nFor the [[id:roof][roof]].\n";
  writeFileSync(join(world.home, "memex", "house.org"), text);
  const shown = await world.command(["context", "--focus", "roof"]);
  assert.equal(shown.code, 0);
  assert.match(shown.out, /\nLINKS TO \[roof\]\n- Offer \[house\.org::Offer\]\n/);
  assert.match(shown.err, /backlink roof: these notes link to the focus \(\d+ tokens\)/);
});

test("context shows what the provider would get, and names what is withheld from it", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  mkdirSync(join(world.home, "memex"));
  const passage = "the boiler hides a safe with the papers that nobody of us may ever talk about";
  const text = `* Diary :@personal:\nboiler serviced\n${passage}\n* Boiler serviced\nCopied: ${passage}\n`;
  writeFileSync(join(world.home, "memex", "house.org"), text);
  assert.equal((await world.command(["ask", "hi"])).code, 0);
  const remote = await world.command(["context", "--focus", "house.org::Diary", "boiler serviced"]);
  assert.equal(remote.code, 0);
  assert.doesNotMatch(remote.out, /hides a safe/);
  assert.match(remote.out, /Copied: \[withheld: private\]/);
  assert.match(remote.err, /withheld house\.org::Diary: it is private, and loop is not local/);
  assert.match(remote.err, /withheld passages of house\.org::Boiler serviced: they stand in a private text/);
  const why = await world.command([
    "context",
    "--focus",
    "house.org::Diary",
    "--why",
    "house.org::Diary",
    "boiler serviced",
  ]);
  assert.equal(why.code, 1);
  assert.match(why.out, /house\.org::Diary is not shown: it is private, and the provider is not local/);
  const local = await world.command(["context", "--focus", "house.org::Diary", "boiler serviced"], {
    settings: { PROVIDER_CASCADE: "ollama" },
  });
  assert.match(local.out, /hides a safe/);
  assert.doesNotMatch(local.err, /withheld/);
});
