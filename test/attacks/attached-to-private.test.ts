import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { type AgentWorld, calls, makeWorld, sent, talkTo } from "../agent-world.ts";

const id = "abcdef12-3456";
const entry = (properties: string, tags = ":@personal:ATTACH:") =>
  `* Health ${tags}\n:PROPERTIES:\n${properties}\n:END:\nx\n`;

/** Each has a note, and the file that Org attaches to its private entry. */
const layouts: Readonly<Record<string, readonly [note: string, attached: string]>> = {
  "an ID, as UUIDs are cut": [entry(`:ID: ${id}`), "data/ab/cdef12-3456/lump.txt"],
  "an ID, as times are cut": [entry(":ID: 20260102T030405.6"), "data/202601/02T030405.6/lump.txt"],
  "an ID that is too short to be cut": [entry(":ID: q"), "data/__/q/q/lump.txt"],
  "an ID, below another folder": [entry(`:ID: ${id}`), ".attach/ab/cdef12-3456/scans/lump.txt"],
  DIR: [entry(":DIR: att/"), "att/deep/lump.txt"],
  ATTACH_DIR: [entry(":ATTACH_DIR: ./att"), "att/lump.txt"],
  "a private entry in a file with DIR": [
    `:PROPERTIES:\n:DIR: att\n:END:\n* Health :@personal:ATTACH:\nx\n`,
    "att/lump.txt",
  ],
  "a private entry below one with an ID": [
    `* Doctor\n:PROPERTIES:\n:ID: ${id}\n:END:\n** Health :@personal:ATTACH:\nx\n`,
    "data/ab/cdef12-3456/lump.txt",
  ],
  "a private file": [
    `#+filetags: :@personal:\n${entry(`:ID: ${id}`, ":ATTACH:")}`,
    "data/ab/cdef12-3456/lump.txt",
  ],
};

async function makeNotes(t: TestContext, note: string, attached: string): Promise<AgentWorld> {
  const world = await makeWorld(t, []);
  const memex = join(world.home, "memex");
  mkdirSync(join(memex, "data/zz/other"), { recursive: true });
  writeFileSync(join(memex, "data/zz/other/free.txt"), "free words");
  writeFileSync(join(memex, "h.org"), note);
  mkdirSync(dirname(join(memex, attached)), { recursive: true });
  writeFileSync(join(memex, attached), "wombats4711 report");
  return world;
}

async function seenBy(world: AgentWorld, ...steps: readonly (readonly [string, object])[]): Promise<string> {
  world.provider.add(calls(...steps), { text: "Done." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  let said = await talk.say("please look at it");
  while (said.end === "approval-required") said = await talk.say(`/approve ${talk.token()}`);
  return sent(world, 1);
}

test("what Org attaches to a private entry is withheld, whatever its folder and however it is read", async (t) => {
  for (const [name, [note, attached]] of Object.entries(layouts))
    await t.test(name, async (t) => {
      const world = await makeNotes(t, note, attached);
      const path = `../memex/${attached}`;
      const seen = await seenBy(
        world,
        ["read-file", { path }],
        ["search-files", { path: "../memex", pattern: "wom.ats4711|free" }],
        ["shell", { cmd: `cat ${path}` }],
        ["shell", { cmd: `grep -r 4711 ../memex/` }],
        ["list-files", { path: dirname(path) }],
        ["shell", { cmd: `ls -R ../memex` }],
        ["read-file", { path: "../memex/data/zz/other/free.txt" }],
      );
      assert.doesNotMatch(seen, /wombats4711/);
      assert.doesNotMatch(seen.replaceAll(path, "").replaceAll(attached, ""), /lump/);
      assert.match(seen, /free words/);
    });
});

test("what is attached to a private entry is withheld from what git prints, and from words that it is attached to", async (t) => {
  const [note = "", attached = ""] = layouts["an ID, as UUIDs are cut"] ?? [];
  const world = await makeNotes(t, note, attached);
  const data = join(world.home, "memex/data");
  const git = (...words: readonly string[]): unknown =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@a.example", ...words], { cwd: data });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "notes");
  writeFileSync(join(data, "..", attached), "wombats4711 report, and more");
  const seen = await seenBy(
    world,
    ["shell", { cmd: `git -C ../memex/data show HEAD:${attached.slice("data/".length)}` }],
    ["shell", { cmd: "git -C ../memex/data log -p" }],
    ["shell", { cmd: "cd ../memex/data && git diff HEAD" }],
  );
  assert.doesNotMatch(seen, /wombats4711/);
  await using daemon = await world.open();
  const talk = await talkTo(daemon, "two");
  const { text } = await talk.say(`/attach ${join(data, "..", attached)}`);
  assert.match(text, /private|local/);
});

test("once an entry is public, what is attached to it is read again", async (t) => {
  const [note = "", attached = ""] = layouts["an ID, as UUIDs are cut"] ?? [];
  const world = await makeNotes(t, note.replace("@personal:", ""), attached);
  assert.match(await seenBy(world, ["read-file", { path: `../memex/${attached}` }]), /wombats4711/);
});

test("what is attached to a private entry stays private when an edit of ours takes it from the entry", async (t) => {
  const dir = "* Health :@personal:\n:PROPERTIES:\n:DIR: att\n:END:\n* B\n";
  const byId = dir.replace(":DIR: att", ":ID: abcdef12");
  const edit = (operation: object) =>
    ["edit-notes", { file: "../memex/h.org", operations: [operation] }] as const;
  const edits: readonly (readonly [note: string, attached: string, edit: readonly [string, object]])[] = [
    [dir, "att/x.txt", edit({ op: "delete-property", at: "Health", key: "DIR" })],
    [dir, "att/x.txt", edit({ op: "put", at: "Health", key: "DIR", value: "att2" })],
    [byId, "data/ab/cdef12/x.txt", edit({ op: "put", at: "Health", key: "ID", value: "zz" })],
    [dir, "att/x.txt", ["edit-file", { path: "../memex/h.org", old: dir.slice(0, -4), new: "" }]],
    [`#+ARCHIVE: archive/%s_archive::\n${dir}`, "att/x.txt", edit({ op: "archive", at: "Health" })],
  ];
  for (const [note, attached, made] of edits) {
    const world = await makeNotes(t, note, attached);
    await using daemon = await world.open();
    world.provider.add(calls(made), calls(["read-file", { path: `../memex/${attached}` }]), {
      text: "Done.",
    });
    const talk = await talkTo(daemon);
    const { end } = await talk.say("please look at it");
    if (end === "approval-required") await talk.say(`/approve ${talk.token()}`);
    assert.notEqual(readFileSync(join(world.home, "memex/h.org"), "utf8"), note, "control: it was edited");
    const bodies = world.provider.requests.map(({ body }) => body).join();
    assert.match(bodies, /withheld: private/, JSON.stringify(made));
    assert.equal(/.{0,60}wombats4711/.exec(bodies)?.[0], undefined, JSON.stringify(made));
  }
});
