import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { calls, makeWorld, talkTo } from "../agent-world.ts";

const lost = /memex: This folder is gone or empty, though 2 files of notes were known in it\./;

/** A world whose two notes were indexed. */
async function withNotes(t: TestContext) {
  const world = await makeWorld(t);
  const memex = join(world.home, "memex");
  mkdirSync(memex);
  writeFileSync(join(memex, "boat.org"), "* TODO Boat\nSCHEDULED: <2026-03-02 Mon>\n");
  writeFileSync(join(memex, "crane.org"), "* Crane\n");
  assert.match((await world.command(["memory", "search", "boat"])).out, /Boat/);
  const away = join(world.home, "memex-away");
  /** What every face says. */
  const said = async (): Promise<readonly string[]> => {
    const faces = [
      ["doctor"],
      ["agenda"],
      ["agenda", "--inactive"],
      ["query", 'TODO="TODO"'],
      ["memory", "search", "boat"],
      ["memory", "show"],
      ["backlinks", "some-id"],
      ["context", "boat"],
      ["ask", "/status"],
    ];
    const all: string[] = [];
    for (const face of faces) {
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
      assert.doesNotMatch(text, /first note creates|no notes in|Create it/i);
    }
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
  assert.match(out, /There is no notes folder at .*memex yet; the first note makes it/);
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
