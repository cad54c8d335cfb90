import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type AgentWorld, calls, makeWorld } from "../agent-world.ts";

/** A world whose notes folder with seven notes is indexed. */
async function knownNotes(world: AgentWorld): Promise<string> {
  const notes = join(world.home, "memex");
  mkdirSync(notes);
  for (let at = 0; at < 7; at += 1) writeFileSync(join(notes, `n${at}.org`), `* Boiler ${at}\n`);
  assert.match((await world.command(["memory", "search", "boiler"])).out, /Boiler/);
  return notes;
}

const losses = [
  ["gone", () => undefined],
  ["an empty folder, as the place of a disk that is not mounted", (notes: string) => mkdirSync(notes)],
] as const;

for (const [what, lose] of losses) {
  test(`a note for a notes folder that is ${what} asks first, and the known notes stay known`, async (t) => {
    const world = await makeWorld(t);
    const notes = await knownNotes(world);
    renameSync(notes, `${notes}-disk`);
    lose(notes);
    await world.command(["memory", "search", "boiler"]);
    const { out, err } = await world.command(["ask", "/note Water the roses"]);
    assert.match(`${out}${err}`, /has none of the 7 files of notes that were known in it/);
    assert.deepEqual(existsSync(notes) ? readdirSync(notes) : [], []);
    rmSync(notes, { recursive: true, force: true });
    renameSync(`${notes}-disk`, notes);
    assert.match((await world.command(["ask", "/note Water the roses"])).out, /./);
    assert.ok(existsSync(join(notes, "inbox.org")));
    assert.equal(readdirSync(notes).filter((name) => /^n\d/.test(name)).length, 7);
  });

  test(`a model's write into a notes folder that is ${what} asks first`, async (t) => {
    const world = await makeWorld(t);
    const notes = await knownNotes(world);
    const path = join(notes, "plan.org");
    world.provider.add(calls(["write-file", { path, content: "* Plan\n" }]), { text: "Done." });
    renameSync(notes, `${notes}-disk`);
    lose(notes);
    const { out, err } = await world.command(["ask", "write a plan"]);
    assert.match(`${out}${err}`, /has none of the 7 files of notes that were known in it/);
    assert.equal(existsSync(path), false);
  });
}
