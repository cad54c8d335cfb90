import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
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

test("a note in a logbook and a property are as private as what they were made from", async (t) => {
  const secret = "wombats4711 in the left knee";
  for (const operation of [
    { op: "todo", at: "Call", state: "DONE", note: secret },
    { op: "put", at: "Call", key: "ABOUT", value: secret },
    { op: "tags", at: "Call", value: ":wombats4711:" },
  ]) {
    await t.test(operation.op, async (each) => {
      const remote = await withNotes(each, {
        "diary.org": `* Doctor :@personal:\n${secret}\n`,
        "tasks.org": "#+STARTUP: lognotedone logdrawer\n* TODO Call\n",
      });
      const local = await makeWorld(each, [
        calls(["read-file", { path: "../memex/diary.org" }]),
        calls(["edit-notes", { file: "tasks.org", operations: [operation] }]),
        { text: "Done." },
      ]);
      await using daemon = await remote.open({
        PROVIDER_CASCADE: "ollama,loop",
        OLLAMA_HOST: `127.0.0.1:${local.provider.port}`,
      });
      const first = await talkTo(daemon);
      let { end } = await first.say("go on");
      if (end === "approval-required") ({ end } = await first.say(`/approve ${first.token()}`));
      assert.equal(end, "answered");
      assert.match(readFileSync(join(remote.home, "memex/tasks.org"), "utf8"), /wombats4711/);
      // Another edit by hand changes the file, and not what is known of the entry.
      writeFileSync(
        join(remote.home, "memex/tasks.org"),
        `${readFileSync(join(remote.home, "memex/tasks.org"), "utf8")}* TODO Buy milk\n`,
      );
      remote.provider.add(
        calls(["recall", { query: "Call" }], ["read-file", { path: "../memex/tasks.org" }], ["agenda", {}]),
        { text: "Read." },
      );
      const second = await talkTo(daemon, "two");
      await second.say("/model loop");
      const read = await second.say("what do I have to do?");
      assert.equal(read.text, "Read.");
      assert.ok(named(read.events, "outcome").every(({ status }) => status === "success"));
      for (const index of remote.provider.requests.keys())
        assert.doesNotMatch(sent(remote, index), /wombats4711/);
    });
  }
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
