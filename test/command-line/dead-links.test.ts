import assert from "node:assert/strict";
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeWorld } from "../agent-world.ts";

/** A world whose notes, or nothing yet, are behind a link to a folder of a disk, which can be unplugged. */
async function linkedWorld(t: TestContext, { known }: { readonly known: boolean }) {
  const world = await makeWorld(t);
  const { home } = world;
  const notes = join(home, "memex");
  const disk = join(home, "disk");
  rmSync(notes, { recursive: true, force: true });
  symlinkSync(join(disk, "notes"), notes);
  if (known) {
    mkdirSync(join(disk, "notes"), { recursive: true });
    for (const name of ["a", "b"]) writeFileSync(join(disk, "notes", `${name}.org`), `* TODO ${name}\n`);
    await world.command(["memory", "rebuild"]);
    renameSync(disk, join(home, "unplugged"));
  }
  return { world, disk };
}

test("notes behind a link that leads nowhere are no first start, whether notes were known in them or not", async (t) => {
  for (const known of [true, false]) {
    const { world, disk } = await linkedWorld(t, { known });
    const told = /The link \S+ leads here, and nothing is here/;
    const doctor = await world.command(["doctor", "--quick"]);
    assert.match(doctor.out, /the link \S+ to your notes leads nowhere: .*Mount its disk/);
    assert.match(doctor.out, told);
    assert.notEqual(doctor.code, 0);
    for (const words of [["agenda"], ["query", "TODO"]]) {
      const { err } = await world.command(words);
      assert.match(err, told, words.join(" "));
      assert.doesNotMatch(err, /The first note creates it/, words.join(" "));
    }
    if (known) assert.match((await world.command(["agenda"])).err, /2 files of notes were known in it/);
    const backup = join(dirname(disk), "b.tgz");
    const refused = await world.command(["backup", backup, "--notes"]);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /leads here.*No backup was made/s);
    const note = await world.command(["ask", "/note buy milk"]);
    assert.match(note.err + note.out, /disk may not be mounted/);
    assert.ok(!existsSync(disk));
  }
});

test("a state behind a link that leads nowhere stops every command, and no backup is made without it", async (t) => {
  const world = await makeWorld(t);
  const state = world.state;
  rmSync(state, { recursive: true, force: true });
  mkdirSync(dirname(state), { recursive: true });
  symlinkSync(join(world.home, "nowhere/x"), state);
  for (const words of [
    ["doctor", "--quick"],
    ["sessions"],
    ["ask", "hello"],
    ["backup", join(world.home, "b.tgz")],
  ]) {
    const { code, err, out } = await world.command(words);
    assert.equal(code === 0, false, words.join(" "));
    assert.match(err + out, /the link \S+, which leads nowhere.*mount its disk/s, words.join(" "));
  }
  assert.ok(!existsSync(join(world.home, "nowhere")));
  assert.ok(!existsSync(join(world.home, "b.tgz")));
});
