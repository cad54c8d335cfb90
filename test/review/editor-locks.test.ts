import assert from "node:assert/strict";
import { existsSync, rmSync, symlinkSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { lockPathOf } from "../../src/act/files/locks/lock-file.ts";
import { isMissing, onDatabase, talkTo } from "../agent-world.ts";
import { openInEmacs } from "../notes-writes/open-emacs.ts";
import { makeReviewWorld, type ReviewWorld } from "./review-world.ts";

const garden = [
  "* TODO Water it",
  "* DONE Plant the beech",
  "CLOSED: [2026-01-05 Mon 10:00]",
  ":PROPERTIES:",
  ":ID:       beech",
  ":END:",
  "With quokkaberry below it.",
  "",
].join("\n");

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 2400 && !holds(); tries += 1) await pause(50);
  assert.ok(holds(), "it did not come to be");
}

const waiting = (world: ReviewWorld): number => onDatabase(world, "SELECT id FROM pending_edits").length;

/** A world with a proposal to archive a done tree. */
async function proposed(t: TestContext) {
  const world = await makeReviewWorld(t, { "garden.org": garden }, { ARCHIVE_AFTER: "30" });
  const agent = await world.serve();
  t.after(() => agent[Symbol.asyncDispose]());
  const talk = await talkTo(agent);
  assert.match((await talk.say("/jobs run archive")).text, /1 file proposed for archiving/);
  const [, id = ""] = /^:ID: +(review-\S+)$/m.exec(world.read("review.org")) ?? [];
  return { world, talk, id };
}

for (const held of ["garden.org", "garden.org_archive", "review.org"])
  test(`while an editor has unsaved changes in ${held}, an accepted archiving writes nothing, says so, and is made once they are gone`, async (t) => {
    const { world, talk, id } = await proposed(t);
    const lock = lockPathOf(join(world.notes, held));
    symlinkSync(`me@${hostname()}.${process.pid}:1`, lock);
    const inbox = world.read("review.org");
    const said = await talk.say(`/review accept ${id}`);
    assert.match(said.text, new RegExp(`waits until .* lets go of ${held.replace(".", "\\.")}`));
    assert.deepEqual([world.read("garden.org"), world.read("review.org")], [garden, inbox]);
    assert.equal(existsSync(join(world.notes, "garden.org_archive")), false);
    assert.equal(waiting(world), 1);
    rmSync(lock);
    await until(() => waiting(world) === 0);
    assert.equal(world.read("garden.org"), "* TODO Water it\n");
    assert.match(world.read("garden.org_archive"), /quokkaberry/);
    await until(() => /^\* DONE .*Archive a done tree/m.test(world.read("review.org")));
    assert.match((await world.command(["memory", "show", "beech"])).out, /quokkaberry/);
    assert.match((await world.command(["memory", "search", "quokkaberry"])).out, /beech/);
  });

test("what is proposed while a real Emacs has unsaved changes in review.org is in it once they are saved, and the owner's own lines too", async (t) => {
  if (isMissing(t, "emacs", "emacs-nox")) return;
  const world = await makeReviewWorld(
    t,
    { "garden.org": garden, "review.org": "* TODO Mine\n" },
    { ARCHIVE_AFTER: "30" },
  );
  await using agent = await world.serve();
  await using emacs = await openInEmacs(join(world.notes, "review.org"), "* from Emacs\n");
  const talk = await talkTo(agent);
  const said = await talk.say("/jobs run archive");
  assert.match(said.text, /1 file proposed for archiving/);
  assert.equal(world.read("review.org"), "* TODO Mine\n");
  assert.match((await talk.say("/review")).text, /Archive a done tree of garden\.org/);
  await emacs.save();
  await talk.say("/jobs run file-proposals");
  await until(() => /Archive a done tree/.test(world.read("review.org")));
  assert.match(world.read("review.org"), /^\* TODO Mine\n/);
  assert.match(world.read("review.org"), /^\* from Emacs$/m);
});
