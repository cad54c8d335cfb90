import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type AgentWorld, calls, makeWorld, sent, talkTo } from "../agent-world.ts";

async function withNotes(
  t: TestContext,
  steps: Parameters<typeof makeWorld>[1] = [],
): Promise<AgentWorld & { readonly notes: string }> {
  const world = await makeWorld(t, steps);
  const notes = join(world.home, "memex");
  mkdirSync(join(notes, "deep"), { recursive: true });
  writeFileSync(
    join(notes, "plans.org"),
    "* Roof\n:PROPERTIES:\n:ID: roof\n:END:\nThe tinsmith comes in May.\n",
  );
  writeFileSync(join(notes, "deep", "vault.org"), "* Vault :crypt:\nthe word is platypus\n");
  return { ...world, notes };
}

test("memory search finds notes without any state, and memory show gives their text", async (t) => {
  const world = await withNotes(t);
  const found = await world.command(["memory", "search", "tinsmith"]);
  assert.deepEqual([found.code, found.out], [0, "roof  Roof  (plans.org)\n    The tinsmith comes in May.\n"]);
  const shown = await world.command(["memory", "show", "roof"]);
  assert.match(shown.out, /^roof \(plans\.org, user, public\) [0-9a-f]{64}\n\* Roof\n[\s\S]*tinsmith/);
  const vault = await world.command(["memory", "show", "deep/vault.org::Vault"]);
  assert.match(vault.out, /secret/);
  assert.doesNotMatch(vault.out, /platypus/);
  assert.equal((await world.command(["memory", "search", "platypus"])).code, 1);
  assert.equal((await world.command(["memory", "show", "nothing"])).code, 1);
});

test("the help of memory says that its search goes by words, and by meaning where that is set up", async (t) => {
  const world = await withNotes(t);
  assert.match(
    (await world.command(["memory", "--help"])).out,
    /searches the notes and all that was said, by words, and by meaning if EMBEDDING_PROVIDER is set/,
  );
});

test("memory show counts nodes and reports skipped files; verify and rebuild give the same root", async (t) => {
  const world = await withNotes(t);
  writeFileSync(join(world.notes, "latin.org"), Buffer.from("* Stra\xdfe\n", "latin1"));
  const shown = await world.command(["memory", "show"]);
  assert.match(shown.out, /notes: 6 nodes in 3 files of .*root [0-9a-f]{64}\nlatin\.org: .*not UTF-8/);
  const [, root = ""] = /notes: .*root ([0-9a-f]{64})/.exec(shown.out) ?? [];
  const rebuilt = await world.command(["memory", "rebuild"]);
  assert.deepEqual([rebuilt.code, rebuilt.out.split(root).length], [0, 3]);
  const verified = await world.command(["memory", "verify"]);
  assert.deepEqual([verified.code, verified.out], [0, "Memory is intact.\n"]);
  renameSync(world.notes, `${world.notes}-away`);
  for (const place of ["no folder", "an empty folder"]) {
    if (place === "an empty folder") mkdirSync(world.notes);
    const gone = await world.command(["memory", "rebuild"]);
    assert.equal(gone.code, 1);
    assert.match(gone.err, /This folder is gone or empty, though 3 files of notes were known in it\./);
    const kept = await world.command(["memory", "show"]);
    assert.ok(kept.out.includes(root), `the index is empty where there is ${place}`);
  }
  rmSync(world.notes, { recursive: true });
  renameSync(`${world.notes}-away`, world.notes);
  assert.match((await world.command(["memory", "search", "tinsmith"])).out, /^roof/);
});

test("commands and a daemon use one index at the same time, and a note saved meanwhile is recalled", async (t) => {
  const world = await withNotes(t, [calls(["recall", { query: "glazier" }]), { text: "On Tuesday." }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  writeFileSync(join(world.notes, "new.org"), "* Windows\nThe glazier comes on Tuesday.\n");
  const searches = await Promise.all([1, 2, 3].map(() => world.command(["memory", "search", "tinsmith"])));
  assert.deepEqual(
    searches.map(({ code }) => code),
    [0, 0, 0],
  );
  const { end } = await talk.say("When does he come?");
  assert.equal(end, "answered");
  assert.match(sent(world, 1), /The glazier comes on Tuesday/);
});

test("a damaged index is rebuilt, with a message, and nothing is lost", async (t) => {
  const world = await withNotes(t);
  const before = await world.command(["memory", "show"]);
  writeFileSync(join(world.state, "index.db"), Buffer.alloc(30_000, 1));
  for (const end of ["-wal", "-shm"]) rmSync(join(world.state, `index.db${end}`), { force: true });
  const after = await world.command(["memory", "show"]);
  assert.match(after.err, /damaged\. It is being rebuilt/);
  assert.equal(after.out, before.out);
});

test("an ID that a foreign page has too means the owner's note, and memory verify names both", async (t) => {
  const world = await withNotes(t);
  const page = "* Not the roof\n:PROPERTIES:\n:ID: roof\n:ORIGIN: untrusted\n:END:\n";
  writeFileSync(join(world.notes, "a.org"), page);
  assert.match((await world.command(["memory", "show", "roof"])).out, /^roof \(plans\.org, /);
  const { code, out } = await world.command(["memory", "verify"]);
  assert.equal(code, 0);
  assert.equal(
    out,
    "Memory is intact.\nThe ID roof means plans.org (Roof), and is in a.org (Not the roof) too. Give the other an ID of its own.\n",
  );
});

test("keywords in the name of a Denote file are tags: a query finds them, and a private one keeps the note from a model that is not local", async (t) => {
  const name = "20240101T000000--house-keys__home_@personal.org";
  const world = await withNotes(t, [calls(["read-file", { path: `~/memex/${name}` }]), { text: "Read." }]);
  writeFileSync(join(world.notes, name), "* Spare\nunder the blue pot by the quince\n");
  writeFileSync(join(world.notes, "links.org"), "* See\n[[denote:20240101T000000][keys]]\n");
  assert.equal((await world.command(["query", "+home"])).out, `${name}:1: Spare  :home:@personal:\n`);
  assert.match((await world.command(["backlinks", "20240101T000000"])).out, /See/);
  await using agent = await world.open();
  await (await talkTo(agent)).say("where are the keys?");
  for (const request of [0, 1]) assert.doesNotMatch(sent(world, request), /quince/);
});
