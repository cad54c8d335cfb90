import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isJsonArray, isJsonObject, type JsonObject } from "../../src/text/json.ts";
import { payloadOf } from "../../src/wire/server/wire.fixture.ts";
import { type AgentWorld, makeWorld, sent } from "../agent-world.ts";
import { type Listener, listenTo } from "./wire-client.ts";

/** An agent in this process whose notes hold these files, and a proved client of it. */
async function openNotes(
  t: TestContext,
  notes: Readonly<Record<string, string>>,
): Promise<{ readonly world: AgentWorld; readonly listener: Listener }> {
  const world = await makeWorld(t);
  mkdirSync(memexOf(world));
  for (const [name, text] of Object.entries(notes)) writeFileSync(join(memexOf(world), name), text);
  const agent = await world.open();
  const listener = listenTo(t, world, { socketPath: join(world.state, "run/passepartout.sock") });
  // The client leaves first: an agent serves until its last one has left.
  t.after(() => agent[Symbol.asyncDispose]());
  return { world, listener };
}

const memexOf = ({ home }: AgentWorld): string => join(home, "memex");

/** A page: its entries and the rest of what it says. */
async function page(listener: Listener, request: JsonObject) {
  const reply = payloadOf(await listener.request("notes", request));
  const { data, code, text } = reply;
  assert.ok(code === "notes" && isJsonObject(data ?? null), JSON.stringify(reply).slice(0, 300));
  const { entries, ...rest } = data as JsonObject;
  assert.ok(isJsonArray(entries ?? null));
  return { entries: (entries as readonly JsonObject[]).filter(isJsonObject), rest, text };
}

const house = `#+TITLE: 😀 House
* TODO Boiler :home:
SCHEDULED: <2126-03-04 Mon 09:00>
:PROPERTIES:
:ID: boiler
:END:
Call Hansen.
** Parts
See [[id:boiler][it]] 😀 first.
* DONE Roof :home:
DEADLINE: <2126-03-05 Tue>
`;

test("a client gets what is due, what matches, what words find and what links, each with its place", async (t) => {
  const { world, listener } = await openNotes(t, { "house.org": house });
  const file = join(memexOf(world), "house.org");
  const beginOf = (heading: string): number => Array.from(house.slice(0, house.indexOf(heading))).length;
  const due = await page(listener, { view: "agenda", what: "2126-03-04" });
  assert.deepEqual(
    due.entries.map(({ date, time, type, title, id, begin }) => [date, time, type, title, id, begin]),
    [
      ["2126-03-04", "9:00", "scheduled", `TODO Boiler${" ".repeat(32)}:home:`, "boiler", beginOf("* TODO")],
      [
        "2126-03-05",
        "",
        "deadline",
        `DONE Roof${" ".repeat(34)}:home:`,
        "house.org::Roof",
        beginOf("* DONE"),
      ],
    ],
  );
  const matching = await page(listener, { view: "query", what: "+home" });
  assert.deepEqual(
    matching.entries.map(({ title, todo, file: of, begin, id }) => [title, todo, of, begin, id]),
    [
      ["Boiler", "TODO", file, beginOf("* TODO"), "boiler"],
      ["Parts", null, file, beginOf("** Parts"), null],
      ["Roof", "DONE", file, beginOf("* DONE"), null],
    ],
  );
  const found = await page(listener, { view: "search", what: "Hansen" });
  assert.deepEqual(
    found.entries.map(({ from, id, text, begin }) => [from, id, text, begin]),
    [["notes", "boiler", "Call Hansen.", beginOf("* TODO")]],
  );
  const links = await page(listener, { view: "backlinks", what: "boiler" });
  assert.deepEqual(
    links.entries.map(({ title, text, begin }) => [title, text, begin]),
    [["Parts", "See [[id:boiler][it]] 😀 first.", beginOf("** Parts")]],
  );
  for (const [wrong, why] of [
    [{ view: "query", what: "+" }, /cannot be parsed at character/],
    [{ view: "agenda", what: "yesteryear" }, /'yesteryear' is not a day/],
    [{ view: "backlinks", what: "nobody" }, /There is no note with the ID nobody/],
  ] as const) {
    const { code, text } = payloadOf(await listener.request("notes", wrong));
    assert.equal(code, "not-done");
    assert.match(String(text), why);
  }
});

test("a list comes page by page, as it was; once notes changed and the list is gone, that is told", async (t) => {
  const many = Array.from({ length: 500 }, (_, index): [string, string] => [
    `n${index}.org`,
    `* TODO Note ${index} :all:\n`,
  ]);
  const { world, listener } = await openNotes(t, Object.fromEntries(many));
  const request = { view: "query", what: "+all" };
  const first = await page(listener, { ...request, limit: 200 });
  assert.deepEqual([first.rest["first"], first.rest["total"], first.entries.length], [0, 500, 200]);
  const second = await page(listener, { ...request, limit: 200, cursor: first.rest["next"] ?? "" });
  const third = await page(listener, { ...request, limit: 200, cursor: second.rest["next"] ?? "" });
  assert.equal(third.rest["next"], undefined);
  const all = [first, second, third].flatMap(({ entries }) => entries.map(({ title }) => title));
  assert.equal(new Set(all).size, 500);
  // The last page let the list go; it is made again as long as it is the same.
  assert.equal((await page(listener, { ...request, cursor: first.rest["next"] ?? "" })).entries.length, 100);
  await page(listener, { ...request, limit: 500 });
  appendFileSync(join(memexOf(world), "n7.org"), "* Another :all:\n");
  for (;;) {
    const reply = payloadOf(
      await listener.request("notes", { ...request, cursor: first.rest["next"] ?? "" }),
    );
    if (reply["code"] === "notes-changed") break;
    await page(listener, { ...request, limit: 500 });
  }
});

test("the focus is what stands at a place: a headline, a note, or the name of a file of the workspace, and nothing else", async (t) => {
  const { world, listener } = await openNotes(t, {
    "house.org": house,
    "health.org": "* Doctor :@personal:\nwords on lungs\n",
  });
  const note = join(memexOf(world), "house.org");
  writeFileSync(world.path("main.c"), "int secret_of_the_file;\n");
  writeFileSync(world.path(".env"), "KEY=1\n");
  writeFileSync(join(world.home, "elsewhere.txt"), "x\n");
  symlinkSync(join(world.home, "elsewhere.txt"), world.path("link.txt"));
  const session = String(
    (payloadOf(await listener.request("overview", {}, "home"))["data"] as JsonObject)["session"],
  );
  const ask = async (more: JsonObject) => payloadOf(await listener.request("focus", more, session));
  for (const [place, focus] of [
    [{ file: note, outline: ["Boiler", "Parts"] }, "house.org::Boiler/Parts"],
    [{ file: note, outline: ["Boiler", "Not saved yet"] }, "boiler"],
    [{ file: note }, "house.org"],
    [{ file: world.path("main.c"), line: 12 }, `${world.path("main.c")}, line 12`],
  ] as const) {
    const { code, text } = await ask(place);
    assert.deepEqual([code, text], ["in-focus", `In focus: ${focus}`]);
  }
  for (const place of [world.path(".env"), join(world.home, "elsewhere.txt"), world.path("link.txt"), "/no"])
    assert.equal((await ask({ file: place }))["code"], "not-done");
  const overview = payloadOf(await listener.request("overview", {}, session))["data"] as JsonObject;
  assert.equal(overview["focus-title"], "main.c, line 12");
  world.provider.add({ text: "I see." }, { text: "Nothing." }, { text: "Nor that." });
  await listener.say(session, "What do I look at?");
  assert.match(sent(world, 0), /LOOKS AT: [^\n]*main\.c, line 12/);
  assert.doesNotMatch(sent(world, 0), /secret_of_the_file/);
  assert.equal((await ask({ off: true }))["code"], "no-focus");
  await listener.say(session, "And now?");
  assert.doesNotMatch(sent(world, 1), /LOOKS AT/);
  const doctor = await ask({ file: join(memexOf(world), "health.org"), outline: ["Doctor"] });
  assert.equal(doctor["text"], "In focus: health.org::Doctor");
  await listener.say(session, "And here?");
  assert.doesNotMatch(sent(world, 2), /lungs/, "a private note goes to no model elsewhere, in focus or not");
});
