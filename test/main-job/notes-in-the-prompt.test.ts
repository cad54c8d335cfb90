import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type AgentWorld, calls, isMissing, makeWorld, sent, talkTo } from "../agent-world.ts";

const house = `* Boiler
:PROPERTIES:
:ID: boiler
:END:
The boiler was serviced by Hansen in March.
** Part numbers
Valve 4711.
* Diary :@personal:
:PROPERTIES:
:ID: diary
:END:
The boiler made me cry, Hansen consoled me.
* Vault :crypt:
The boiler safe opens with opensesame.
* Move house :project:
** TODO Pack boxes
*** Buy tape
**** Too deep
`;

async function worldWithNotes(t: TestContext, steps = 1): Promise<AgentWorld> {
  const world = await makeWorld(
    t,
    Array.from({ length: steps }, () => ({ text: "Yes." })),
  );
  mkdirSync(join(world.home, "memex"));
  writeFileSync(join(world.home, "memex", "house.org"), house);
  return world;
}

test("a note similar to the words is in the prompt with its subtree, and open projects as an outline", async (t) => {
  const world = await worldWithNotes(t);
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("Hansen boiler serviced?");
  const prompt = sent(world, 0);
  for (const words of ["serviced by Hansen", "Valve 4711", "Move house", "Pack boxes", "Buy tape"]) {
    assert.ok(prompt.includes(words), words);
  }
  assert.ok(!prompt.includes("Too deep"));
});

test("encrypted text is in no prompt, journal or database, and a private note in no prompt that leaves the machine", async (t) => {
  const world = await worldWithNotes(t);
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("boiler Hansen consoled safe opens");
  assert.ok(!sent(world, 0).includes("consoled me"), "the private note was sent");
  assert.ok(!sent(world, 0).includes("opensesame"), "the secret text was sent");
  for (const file of ["journal.jsonl", "state.db", "state.db-wal", "index.db"]) {
    assert.ok(!readFileSync(join(world.state, file)).includes("opensesame"), file);
  }
});

test("a local model sees private notes, in a message of their own", async (t) => {
  const world = await worldWithNotes(t);
  const local = {
    PROVIDER_CASCADE: "ollama",
    OLLAMA_BASE_URL: `${world.provider.url}/v1`,
    OLLAMA_HOST: new URL(world.provider.url).host,
  };
  await using daemon = await world.open(local);
  await (await talkTo(daemon)).say("consoled");
  assert.match(sent(world, 0), /PRIVATE CONTEXT/);
  assert.match(sent(world, 0), /Hansen consoled me/);
  assert.ok(!sent(world, 0).includes("opensesame"));
});

test("a model that a private note was withheld from still sees its own answers and calls", async (t) => {
  const world = await makeWorld(t, [
    calls(["recall", { query: "valve" }]),
    { text: "It was the valve 4713." },
    { text: "Yes." },
  ]);
  mkdirSync(join(world.home, "memex"));
  writeFileSync(join(world.home, "memex", "house.org"), house);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("consoled");
  await talk.say("Are you sure?");
  for (const request of [0, 1, 2]) assert.ok(!sent(world, request).includes("consoled me"));
  assert.match(sent(world, 1), /\\"query\\":\\"valve\\"/);
  assert.match(sent(world, 2), /valve 4713/);
  assert.ok(!sent(world, 2).includes("[withheld"));
});

test("what was withheld from a model makes nothing private that it does then: it sees what its next commands print", async (t) => {
  const world = await makeWorld(
    t,
    [
      calls(["edit-notes", { file: "house.org", operations: [{ op: "priority", at: "Diary", value: "A" }] }]),
      calls(["shell", { cmd: "touch made; echo planted" }]),
      { text: "Done." },
      calls(["shell", { cmd: "echo watered" }]),
      { text: "Done." },
    ],
    { TRIALS: "true" },
  );
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  mkdirSync(join(world.home, "memex"));
  writeFileSync(
    join(world.home, "memex", "house.org"),
    "* TODO Invoice\n* Diary :@personal:\nThe locker code is 4711.\n",
  );
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("plant it");
  await talk.say("and water it");
  assert.match(sent(world, 1), /withheld: private/);
  assert.match(sent(world, 2), /stdout[\\":]+planted/);
  assert.match(sent(world, 4), /stdout[\\":]+watered/);
  for (const request of [1, 2, 3, 4]) assert.doesNotMatch(sent(world, request), /4711/);
});

test("a local model's words about a private note are not sent to a model that is not local", async (t) => {
  const world = await makeWorld(t, [{ text: "You wept 4714." }, { text: "Yes." }]);
  mkdirSync(join(world.home, "memex"));
  writeFileSync(join(world.home, "memex", "house.org"), house);
  {
    const local = { PROVIDER_CASCADE: "ollama", OLLAMA_HOST: new URL(world.provider.url).host };
    await using daemon = await world.open(local);
    await (await talkTo(daemon, "one")).say("consoled");
  }
  assert.match(sent(world, 0), /Hansen consoled me/);
  await using daemon = await world.open();
  await (await talkTo(daemon, "one")).say("and then?");
  assert.match(sent(world, 1), /\[withheld: private\]/);
  assert.doesNotMatch(sent(world, 1), /4714|consoled me/);
});

test("/focus takes a note by its ID, and the note is then in every prompt", async (t) => {
  const world = await worldWithNotes(t, 2);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("something else entirely");
  assert.ok(!sent(world, 0).includes("Valve 4711"));
  await talk.say("/focus boiler");
  await talk.say("something else entirely");
  assert.match(sent(world, 1), /FOCUS \[boiler\]/);
  assert.match(sent(world, 1), /Valve 4711/);
});

test("the next appointment of the notes is told with the time; a private one is not", async (t) => {
  const world = await worldWithNotes(t);
  const soon = new Date(Date.now() + 2 * 3_600_000);
  const two = (value: number) => String(value).padStart(2, "0");
  const clock = `${two(soon.getHours())}:${two(soon.getMinutes())}`;
  const day = `${soon.getFullYear()}-${two(soon.getMonth() + 1)}-${two(soon.getDate())}`;
  writeFileSync(
    join(world.home, "memex", "calendar.org"),
    `* Dentist <${day} Xxx ${clock}>\n* Therapy <${day} Xxx ${clock}> :@personal:\n`,
  );
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("hi");
  assert.match(sent(world, 0), new RegExp(`NEXT: (tomorrow )?${clock} Dentist\\.`));
  assert.doesNotMatch(sent(world, 0), /Therapy/);
});
