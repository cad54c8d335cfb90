import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type AgentWorld, calls, filesWith, makeWorld, talkTo } from "../agent-world.ts";

const words = "wombats4711";
const file = join("..", "memex", "d.org");

async function withNote(t: TestContext, text: string): Promise<AgentWorld> {
  const world = await makeWorld(t, []);
  mkdirSync(join(world.home, "memex"));
  writeFileSync(join(world.home, "memex", "d.org"), text);
  return world;
}

function wasSent(world: AgentWorld): boolean {
  return world.provider.requests.some(({ body }) => body.includes(words));
}

test("encrypted text in any notation reaches neither a model nor any store", async (t) => {
  const armour = ["-----BEGIN PGP MESSAGE-----", "", words, "-----END PGP MESSAGE-----", ""];
  const vaults = [
    `#+FILETAGS: crypt\n* Vault\n${words}\n`,
    `* Vault\n${words}\n* Other\n#+FILETAGS: :crypt:\n`,
    `* Vault :Crypt:\n${words}\n`,
    `* COMMENT Vault :x:crypt:\n** Child\n:LOGBOOK:\n- ${words}\n:END:\n`,
    `* Vault :crypt:\r\n${words}\r\n`,
    `* Vault\n- ${armour.join("\n  ")}`,
    `* Vault\n${armour.map((line) => `: ${line}\n`).join("")}`,
    `* Vault\n1) > ${armour.join("\n> ")}`,
  ];
  for (const vault of vaults) {
    const world = await withNote(t, vault);
    world.provider.add(
      calls(["edit-file", { path: file, old: "Vault", new: "Safe" }]),
      calls(["read-file", { path: file }]),
      calls(["recall", { query: "Safe child" }]),
      calls(["search-files", { path: join("..", "memex"), pattern: "4711" }]),
      { text: "Read." },
    );
    await using daemon = await world.open();
    assert.equal((await (await talkTo(daemon)).say("read it")).end, "answered", vault);
    assert.ok(!wasSent(world), vault);
    assert.deepEqual(filesWith(world.state, words), [], vault);
  }
});

/** Org writes the tags that an archived entry inherited into the archive, so it stays private there. */
const archived = "its heading archived to another file";
const taggings: Readonly<Record<string, readonly [note: string, tool: string, args: object]>> = {
  "the privacy tag taken away": [
    `* Diary :@personal:\n${words}\n`,
    "edit-notes",
    { file: "d.org", operations: [{ op: "tags", at: "Diary", value: "" }] },
  ] as const,
  "the privacy tag written over": [
    `* Diary :@personal:\n${words}\n`,
    "edit-file",
    { path: file, old: ":@personal:", new: "" },
  ] as const,
  "the tags of the file written over": [
    `#+FILETAGS: :@personal:\n* Diary\n${words}\n`,
    "edit-file",
    { path: file, old: "FILETAGS", new: "FILETAG" },
  ] as const,
  "its heading refiled to an open one": [
    `* Diary :@personal:\n** Today\n${words}\n* Open\n`,
    "edit-notes",
    { file: "d.org", operations: [{ op: "refile", at: "Today", to: "Open" }] },
  ] as const,
  "its heading made the next of the private one": [
    `* Diary :@personal:\n** Today\n${words}\n`,
    "edit-notes",
    { file: "d.org", operations: [{ op: "promote", at: "Today" }] },
  ] as const,
  [archived]: [
    `* Diary :@personal:\n** Today\n:PROPERTIES:\n:ARCHIVE: x.org::\n:END:\n${words}\n`,
    "edit-notes",
    { file: "d.org", operations: [{ op: "archive", at: "Today" }] },
  ] as const,
  "a heading put before it": [
    `* Diary :@personal:\nFirst\n${words}\n`,
    "edit-file",
    { path: file, old: "First\n", new: "First\n* Open\n" },
  ] as const,
};

test("a private text stays private, whatever a model does with its tags and its place", async (t) => {
  for (const [change, [note, tool, args]] of Object.entries(taggings)) {
    const world = await withNote(t, note);
    world.provider.add(calls([tool, args]), { text: "Done." });
    await using daemon = await world.open();
    const talk = await talkTo(daemon, "one");
    const { end, text } = await talk.say("tidy up");
    if (change !== archived) {
      assert.equal(end, "approval-required", change);
      assert.match(text, /would no longer be marked as private/);
      assert.equal(readFileSync(join(world.home, "memex", "d.org"), "utf8"), note);
      await talk.say(`/approve ${talk.token()}`);
    }
    assert.notEqual(readFileSync(join(world.home, "memex", "d.org"), "utf8"), note);
    world.provider.add(
      calls(["recall", { query: "Diary Today Open First" }], ["read-file", { path: file }]),
      {
        text: "Read.",
      },
    );
    await (await talkTo(daemon, "two")).say("and now read it");
    assert.ok(!wasSent(world), change);
  }
});

const lifted: Readonly<Record<string, readonly [note: string, tool: string, args: object, named: RegExp]>> = {
  "by a whole new file": [
    `* Diary :@personal:\n${words}\n`,
    "write-file",
    { path: file, content: `* Diary\n${words}\n` },
    /'Diary' would no longer be marked as private/,
  ],
  "by a heading put below an open one": [
    `* Open\n* Diary :@personal:\n** Today\n${words}\n`,
    "edit-file",
    {
      path: file,
      old: "* Open\n* Diary :@personal:\n** Today",
      new: "* Diary :@personal:\n* Open\n** Today",
    },
    /'Today' would no longer/,
  ],
  "of a heading without a text": [
    "* Buy the ring for Eve :@personal:\n",
    "edit-notes",
    { file: "d.org", operations: [{ op: "tags", at: "Buy the ring for Eve", value: "gifts" }] },
    /'Buy the ring for Eve' would no longer/,
  ],
  "that says who wrote it": [
    `* Page\n:PROPERTIES:\n:ORIGIN:   untrusted https://example.org\n:END:\n${words}\n`,
    "edit-file",
    { path: file, old: ":ORIGIN:   untrusted https://example.org\n", new: "" },
    /'Page' would lose the mark that says who wrote it/,
  ],
  "of others, made the agent's": [
    `* Page\n:PROPERTIES:\n:ORIGIN:   untrusted https://example.org\n:END:\n${words}\n`,
    "edit-file",
    { path: file, old: "untrusted https://example.org", new: "agent" },
    /'Page' would lose the mark/,
  ],
  "by a heading that moves from a page": [
    `* Page\n:PROPERTIES:\n:ORIGIN:   untrusted https://example.org\n:END:\n** Part\n${words}\n* Mine\n`,
    "edit-notes",
    { file: "d.org", operations: [{ op: "refile", at: "Part", to: "Mine" }] },
    /'Part' would lose the mark/,
  ],
};

for (const [change, [note, tool, args, named]] of Object.entries(lifted)) {
  test(`the owner is asked before a mark is taken away: ${change}`, async (t) => {
    const world = await withNote(t, note);
    world.provider.add(calls([tool, args]), { text: "Done." });
    await using daemon = await world.open();
    const { end, text } = await (await talkTo(daemon)).say("tidy up");
    assert.equal(end, "approval-required");
    assert.match(text, named);
    assert.equal(readFileSync(join(world.home, "memex", "d.org"), "utf8"), note);
  });
}

test("an edit that leaves every mark in its place asks nothing", async (t) => {
  const note = `* Open\n- milk\n* Diary :@personal:\n- milk\n- eggs\n** Today\n${words}\n* Old :@personal:\n`;
  const edits: readonly (readonly [tool: string, args: object])[] = [
    ["edit-file", { path: file, old: "* Open\n- milk", new: "* Open\n- milk\n- eggs" }],
    ["edit-notes", { file: "d.org", operations: [{ op: "refile", at: "Today", to: "Old" }] }],
    ["edit-notes", { file: "d.org", operations: [{ op: "tags", at: "Diary", value: ":@personal:health:" }] }],
    ["edit-notes", { file: "d.org", operations: [{ op: "todo", at: "Diary", state: "TODO" }] }],
    ["edit-file", { path: file, old: "- milk\n- eggs\n**", new: "- bread\n**" }],
  ];
  for (const [tool, args] of edits) {
    const world = await withNote(t, note);
    world.provider.add(calls([tool, args]), { text: "Done." });
    await using daemon = await world.open();
    assert.equal((await (await talkTo(daemon)).say("tidy up")).end, "answered", JSON.stringify(args));
    assert.notEqual(readFileSync(join(world.home, "memex", "d.org"), "utf8"), note, JSON.stringify(args));
  }
});

test("no edit by a model takes text out of an entry that is or was encrypted", async (t) => {
  const armoured = `* Diary\n-----BEGIN PGP MESSAGE-----\n\n${words}\n-----END PGP MESSAGE-----\n`;
  const untag = { file: "d.org", operations: [{ op: "tags", at: "Diary", value: "" }] };
  const promote = { file: "d.org", operations: [{ op: "promote", at: "Today" }] };
  const edits: readonly (readonly [note: string, tool: string, args: object])[] = [
    [`* Diary :crypt:\n${words}\n`, "edit-notes", untag],
    [`* Diary :crypt:\n** Today\n${words}\n`, "edit-notes", promote],
    [`* Diary :crypt:\n${words}\n`, "edit-file", { path: file, old: ":crypt:", new: "" }],
    [armoured, "edit-file", { path: file, old: "-----BEGIN", new: "BEGIN" }],
    [armoured, "edit-file", { path: file, old: "MESSAGE-----\n\n", new: "MESSAGE-----\n* New\n" }],
  ];
  for (const [note, tool, args] of edits) {
    const world = await withNote(t, note);
    world.provider.add(calls([tool, args]), { text: "Done." });
    await using daemon = await world.open();
    await (await talkTo(daemon)).say("tidy up");
    assert.equal(readFileSync(join(world.home, "memex", "d.org"), "utf8"), note);
    assert.deepEqual(filesWith(world.state, words), [], note);
  }
});
