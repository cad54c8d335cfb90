import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { commandTable } from "../../src/cli/table/command-table.ts";
import { calls, makeWorld, talkTo } from "../agent-world.ts";

const lost = /memex: This folder is gone or empty, though 2 files of notes were known in it\./;

/**
 * How each command that reads notes is called, by its name in the table of commands; one that reads none is
 * in the other list.
 */
const readers: Readonly<Record<string, readonly (readonly string[])[]>> = {
  ask: [["ask", "/status"]],
  agenda: [["agenda"], ["agenda", "--inactive"]],
  query: [["query", 'TODO="TODO"']],
  backlinks: [["backlinks", "crane"]],
  "memory snapshot": [["memory", "snapshot"]],
  "memory rollback": [["memory", "rollback", "99"]],
  "memory show": [
    ["memory", "show"],
    ["memory", "show", "boat"],
  ],
  "memory search": [["memory", "search", "boat"]],
  "memory verify": [["memory", "verify"]],
  "memory why": [["memory", "why", "boat"]],
  "memory forget": [["memory", "forget", "some-id"]],
  context: [
    ["context", "boat"],
    ["context", "boat", "--prompt"],
  ],
  "org archive": [["org", "archive", "some-id"]],
  garden: [["garden"]],
  "review list": [["review"]],
  "models route": [["models", "route", "boat"]],
  doctor: [["doctor"]],
};

/** Those that read no notes, or only together with another of the list, or that would stay. */
const others = `
  tui, cli, emacs, gateway, approve, deny, sessions, setup, config, vault, skill, mcp, completion, memory history,
  memory rebuild, org parse, org print, org check, org edit, org tangle, review show, review accept,
  review reject, review undo, judge, journal, rules, secret-paths, budget, usage, models list,
  daemon, service, jobs, update, backup, restore, purge
`
  .trim()
  .split(/,\s+/);

test("every command is known to read notes or not to", () => {
  const divided = new Set(
    [...Object.keys(readers), ...others].filter((name) => name.includes(" ")).map(first),
  );
  const names = commandTable.flatMap(({ name, parts = [], verbs = [] }) =>
    divided.has(name)
      ? [...parts.map((part) => part.name), ...verbs.map((verb) => `${name} ${verb.name}`)]
      : [name],
  );
  assert.deepEqual(names.toSorted(), [...Object.keys(readers), ...others].toSorted());
});

function first(name: string): string {
  return name.split(" ", 1)[0] ?? "";
}

/** A world whose two notes were indexed. */
async function withNotes(t: TestContext) {
  const world = await makeWorld(t);
  const memex = join(world.home, "memex");
  mkdirSync(memex);
  writeFileSync(join(memex, "boat.org"), "* TODO Boat\n:PROPERTIES:\n:ID: boat\n:END:\n[[id:crane]]\n");
  writeFileSync(join(memex, "crane.org"), "* Crane\n:PROPERTIES:\n:ID: crane\n:END:\n");
  assert.match((await world.command(["memory", "search", "boat"])).out, /Boat/);
  const away = join(world.home, "memex-away");
  /** What every face says. */
  const said = async (): Promise<readonly string[]> => {
    const all: string[] = [];
    for (const face of Object.values(readers).flat()) {
      const { out, err } = await world.command(face);
      all.push(`${face.join(" ")}: ${out}${err}`);
    }
    return all;
  };
  return { world, memex, away, said };
}

for (const [how, leave] of [
  ["its empty mount point is there", true],
  ["nothing is there", false],
] as const) {
  test(`where the disk of the notes is not mounted and ${how}, every face says so, and writing asks`, async (t) => {
    const { world, memex, away, said } = await withNotes(t);
    renameSync(memex, away);
    if (leave) mkdirSync(memex);
    for (const text of await said()) {
      assert.match(text, lost);
      assert.doesNotMatch(text, /first note creates|no notes in|Create it|Rebuild the index|encrypted/i);
    }
    for (const face of [
      ["memory", "search", "boat"],
      ["context", "boat"],
      ["backlinks", "crane"],
    ])
      assert.match((await world.command(face)).out, /Boat/, face.join(" "));
    assert.match((await world.command(["memory", "show", "boat"])).out, /Boat \(its text cannot be read/);
    world.provider.add({ text: "I see." }, calls(["remember", { text: "Buy rope." }]), { text: "Noted." });
    {
      await using agent = await world.open();
      const talk = await talkTo(agent);
      assert.match(agent.notices.join("\n"), lost);
      assert.equal((await talk.say("hello")).end, "answered");
      assert.match(
        world.provider.requests.at(-1)?.body ?? "",
        /NOTES MISSING: .*2 files of notes were known/,
      );
      const asked = await talk.say("Note: buy rope.");
      assert.equal(asked.end, "approval-required");
      assert.deepEqual(existsSync(memex) ? readdirSync(memex) : [], []);
      const overview = await agent.runCommand({ kind: "overview" }, talk.session);
      assert.match(JSON.stringify(overview), /a notes folder is lost/);
    }
    if (leave) rmSync(memex, { recursive: true });
    renameSync(away, memex);
    for (const text of await said()) assert.doesNotMatch(text, lost);
  });
}

test("a notes folder that was never there is not called gone", async (t) => {
  const world = await makeWorld(t, [], { PROVIDER_CASCADE: undefined });
  const { out } = await world.command(["ask", "what is due this week?"]);
  assert.match(out, /There is no notes folder at .*memex yet\. The first note creates it/);
  assert.doesNotMatch(out, /gone/);
});

test("notes that were restored, cloned or removed by their owner are not taken for lost", async (t) => {
  const { world, memex, away, said } = await withNotes(t);
  cpSync(memex, away, { recursive: true });
  rmSync(memex, { recursive: true });
  renameSync(away, memex);
  for (const text of await said()) assert.doesNotMatch(text, lost);
  for (const name of readdirSync(memex)) rmSync(join(memex, name));
  for (const text of await said()) assert.doesNotMatch(text, /This folder is gone/);
  assert.equal((await world.command(["memory", "search", "boat"])).code, 1);
});

test("another disk in the place of the notes is told from a copy of them, and taken by a rebuild", async (t) => {
  const { world, memex, away } = await withNotes(t);
  renameSync(memex, away);
  mkdirSync(memex);
  writeFileSync(join(memex, "other.org"), "* Other\n");
  const search = async (words: string) => await world.command(["memory", "search", words]);
  const before = await search("boat");
  assert.match(before.err, /Another folder is in its place: 2 files .* run: passepartout memory rebuild/);
  assert.match(before.out, /Boat/);
  assert.match((await search("other")).out, /Other/);
  await world.command(["memory", "rebuild"]);
  const after = await search("boat");
  assert.doesNotMatch(after.err, /Another folder/);
  assert.equal(after.out, "");
});
