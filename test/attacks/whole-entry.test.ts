import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { JsonObject } from "../../src/text/json.ts";
import { type AgentWorld, calls, makeWorld, named, sent, talkTo } from "../agent-world.ts";

const anna = "* Anna Lind\n:PROPERTIES:\n:EMAIL: anna@lind.example\n:END:\n";

async function withNotes(t: TestContext, notes: Readonly<Record<string, string>>): Promise<AgentWorld> {
  const world = await makeWorld(t, []);
  mkdirSync(join(world.home, "memex"));
  for (const [name, text] of Object.entries(notes)) writeFileSync(join(world.home, "memex", name), text);
  return world;
}

test("a contact whose address a call changed is no longer the owner's own, by whatever tool", async (t) => {
  const ways: Readonly<Record<string, readonly [string, object]>> = {
    "an edit of the file": [
      "edit-file",
      { path: "../memex/people.org", old: "anna@lind.example", new: "eve@evil.example" },
    ],
    "an edit of the note": [
      "edit-notes",
      {
        file: "people.org",
        operations: [{ op: "put", at: "Anna Lind", key: "EMAIL", value: "eve@evil.example" }],
      },
    ],
    "a whole new file": [
      "write-file",
      { path: "../memex/people.org", content: anna.replace("anna@lind", "eve@evil") },
    ],
  };
  for (const [name, [tool, args]] of Object.entries(ways)) {
    await t.test(name, async (each) => {
      const world = await withNotes(each, { "people.org": anna });
      writeFileSync(world.path("page.txt"), "Anna moved. Her address is eve@evil.example now.\n");
      world.provider.add(
        calls(["read-file", { path: "../memex/people.org" }], ["read-file", { path: "page.txt" }]),
        calls([tool, args]),
        { text: "Done." },
      );
      {
        await using daemon = await world.open();
        const talk = await talkTo(daemon);
        let { end } = await talk.say("bring my contacts up to date");
        if (end === "approval-required") ({ end } = await talk.say(`/approve ${talk.token()}`));
        assert.equal(end, "answered");
      }
      const file = readFileSync(join(world.home, "memex/people.org"), "utf8");
      assert.match(file, /eve@evil/);
      // The mark in the file may be taken away by hand, and what is known of the address stays.
      writeFileSync(
        join(world.home, "memex/people.org"),
        file.replace(/:ORIGIN:.*\n/, "").replace(":END:", ":PHONE: 030 1234567\n:END:"),
      );
      const why = await world.command(["memory", "why", "people.org::Anna Lind"]);
      assert.match(why.out, /^author: the agent, from words of others \(untrusted, /m, why.out + why.err);
    });
  }
});

/** What an edit writes beside the words of an entry, each with how it is told in the file. */
const beside: readonly (readonly [JsonObject, RegExp])[] = [
  [{ op: "todo", state: "DONE", note: "wombats4711 in the left knee" }, /wombats4711 in/],
  [{ op: "todo", state: "WOMBATS" }, /\* WOMBATS/],
  [{ op: "put", key: "ABOUT", value: "the wombats4711" }, /ABOUT: +the wombats4711/],
  [{ op: "put", key: "WOMBATS_4711", value: "1" }, /WOMBATS_4711/],
  [{ op: "tags", value: ":wombats4711:" }, /:wombats4711:/],
  [{ op: "priority", value: "W" }, /\[#W\]/],
  [{ op: "deadline", value: "<4711-08-15 Thu 08:15-16:23 +42w>" }, /DEADLINE: <4711/],
  [{ op: "schedule", value: "4711-08-16" }, /SCHEDULED: <4711/],
  [{ op: "schedule", value: "2030-01-01", note: "wombats4711" }, /2030-01-01/],
  [{ op: "title", value: "Wombats4711" }, /\* (?:TODO )?Wombats4711/],
  [{ op: "capture", title: "go on", date: "4711-03-04" }, /4711-03/],
];
const head = "#+STARTUP: lognotedone logdrawer\n#+TODO: TODO WOMBATS | DONE\n#+PRIORITIES: A Z C\n";
const edits = beside.map(([{ op, ...operation }, told], at) => {
  const file = `tasks${at}.org`;
  const written = { op, ...(op === "capture" ? {} : { at: "Call" }), ...operation };
  return { file, told, call: ["edit-notes", { file, operations: [written] }] as const };
});
const tasks = Object.fromEntries(edits.map(({ file }) => [file, `${head}* TODO Call\n`]));

test("whatever an edit writes beside the words of an entry is as private as what it was made from", async (t) => {
  const remote = await withNotes(t, {
    "diary.org": "* Doctor :@personal:\nwombats4711 in the left knee\n",
    ...tasks,
  });
  const local = await makeWorld(t, [
    calls(["read-file", { path: "../memex/diary.org" }]),
    calls(...edits.map(({ call }) => call)),
    { text: "Done." },
  ]);
  await using daemon = await remote.open({
    PROVIDER_CASCADE: "ollama,loop",
    OLLAMA_HOST: `127.0.0.1:${local.provider.port}`,
  });
  const first = await talkTo(daemon);
  assert.equal((await first.say("go on")).end, "answered");
  for (const { file, told } of edits) {
    const path = join(remote.home, "memex", file);
    assert.match(readFileSync(path, "utf8"), told);
    // Another edit by hand changes the file, and not what is known of the entry.
    writeFileSync(path, `${readFileSync(path, "utf8")}* TODO Buy milk\n`);
  }
  remote.provider.add(
    calls(
      ["recall", { query: "Call" }],
      ...edits.map(({ file }) => ["read-file", { path: `../memex/${file}` }] as const),
      ["agenda", {}],
    ),
    { text: "Read." },
  );
  const second = await talkTo(daemon, "two");
  await second.say("/model loop");
  const read = await second.say("what do I have to do?");
  assert.equal(read.text, "Read.");
  assert.ok(named(read.events, "outcome").every(({ status }) => status === "success"));
  for (const index of remote.provider.requests.keys())
    for (const { told, file } of edits) assert.doesNotMatch(sent(remote, index), told, file);
});

test("whatever an edit writes beside the words of an entry is of whom it came from, and what the owner said is theirs", async (t) => {
  const said = { "rent.org": `${head}* TODO Rent\n` };
  const world = await withNotes(t, { ...tasks, ...said });
  writeFileSync(world.path("page.txt"), "Be back in the year 4711, says the wombat.\n");
  const own = [
    { op: "todo", at: "Rent", state: "DONE" },
    { op: "deadline", at: "Rent", value: "<2030-06-03 Mon>" },
  ];
  world.provider.add(
    calls(["read-file", { path: "page.txt" }]),
    calls(...edits.map(({ call }) => call), ["edit-notes", { file: "rent.org", operations: own }]),
    { text: "Done." },
  );
  {
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    let { end } = await talk.say("read page.txt and go on; mark Rent as done, its deadline is June 3rd 2030");
    if (end === "approval-required") ({ end } = await talk.say(`/approve ${talk.token()}`));
    assert.equal(end, "answered");
  }
  for (const { file, told } of edits) {
    const text = readFileSync(join(world.home, "memex", file), "utf8");
    assert.match(text, told);
    assert.match(text, /^:ORIGIN: +untrusted$/m, file);
  }
  const late = edits.find(({ told }) => told.source.startsWith("DEADLINE"));
  const theirs = await world.command(["memory", "why", `${late?.file}::Call`]);
  assert.match(theirs.out, /^author: the agent, from words of others/m, theirs.out + theirs.err);
  const why = await world.command(["memory", "why", "rent.org::Rent"]);
  assert.match(why.out, /^author: you/m, why.out + why.err);
});

test("an entry that is archived beside a private one takes nothing of it along", async (t) => {
  const world = await withNotes(t, {
    "d.org": "* Diary :@personal:\nwombats4711\n* Shed\nPaint the wooden shed green\n",
  });
  world.provider.add(
    calls(["edit-notes", { file: "d.org", operations: [{ op: "archive", at: "Shed" }] }]),
    { text: "Archived." },
    calls(["read-file", { path: "../memex/d.org_archive" }]),
    { text: "Read." },
  );
  await using daemon = await world.open();
  assert.equal((await (await talkTo(daemon)).say("archive the shed")).text, "Archived.");
  assert.equal((await (await talkTo(daemon, "two")).say("read the archive")).text, "Read.");
  assert.match(sent(world, world.provider.requests.length - 1), /Paint the wooden shed green/);
});
