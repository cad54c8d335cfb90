import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { loadPolicy } from "../../settings/policy.ts";
import { makeBackupWorld, sayInto } from "./backup-world.fixture.ts";
import { planPurge, purge } from "./purge.ts";
import { undoRestore } from "./restore-backup.ts";

test("a purge names all that was written outside of the notes, removes that, and leaves everything else", async (t) => {
  const world = makeBackupWorld(t);
  world.write("memex/house.org", "* Call Hansen\n");
  world.write("work/mine.txt", "mine");
  world.write(".config/passepartout/.env", "MEMEX_ASSISTANT=Ada\n");
  world.write(".config/other/.env", "MINE=1\n");
  world.write("memex.incoming-20260101-000000/house.org", "half");
  world.write(".local/state/passepartout-notes/mine.txt", "mine");
  {
    await using state = await world.open();
    await sayInto(state, "one", "then");
  }
  await world.backup();
  await world.restore({ now: new Date("2026-01-02T03:04:05Z") });
  undoRestore(world.policy, new Date("2026-01-02T03:04:06Z"));
  const plan = planPurge(world.policy);
  assert.deepEqual(plan.written.map(({ path }) => path.slice(world.home.length + 1)).toSorted(), [
    ".config/passepartout",
    ".local/state/passepartout",
    ".local/state/passepartout-restore",
  ]);
  assert.ok(plan.written.every(({ bytes, files }) => bytes > 0 && files > 0));
  assert.equal(plan.left.length, 2);
  {
    await using _state = await world.open();
    assert.throws(() => purge(world.policy, plan), /An agent runs now, so nothing was removed/);
  }
  assert.ok(existsSync(join(world.home, ".config/passepartout/.env")));
  world.write("memex.incoming-20260101-000000/house.org", "half");
  world.write(".config/systemd/user/passepartout.service", "[Service]\n");
  world.write(".config/systemd/user/mine.service", "[Service]\n");
  purge(
    world.policy,
    planPurge(world.policy, { service: join(world.home, ".config/systemd/user/passepartout.service") }),
  );
  assert.deepEqual(readdirSync(join(world.home, ".local/state")), ["passepartout-notes"]);
  assert.deepEqual(readdirSync(join(world.home, ".config")), ["other", "systemd"]);
  assert.deepEqual(readdirSync(join(world.home, ".config/systemd/user")), ["mine.service"]);
  assert.ok(existsSync(join(world.home, "memex/house.org")) && existsSync(join(world.home, "work/mine.txt")));
  assert.equal(existsSync(join(world.home, "memex.incoming-20260101-000000")), false);
  assert.deepEqual(planPurge(world.policy).written, []);
});

test("a purge follows the link of a folder that lies elsewhere, and refuses where notes are in what it would remove", async (t) => {
  const world = makeBackupWorld(t);
  const { state } = world.policy.config.places;
  mkdirSync(join(world.home, ".local/state/passepartout/memex"), { recursive: true });
  const inState = loadPolicy({ HOME: world.home, MEMEX_DIR: join(state, "memex") });
  assert.throws(
    () => planPurge(inState),
    /Your notes .*memex are in .* Nothing was removed: move them elsewhere first/,
  );
  renameSync(state, join(world.home, "elsewhere"));
  symlinkSync(join(world.home, "elsewhere"), state);
  purge(world.policy, planPurge(world.policy));
  assert.deepEqual([existsSync(join(world.home, "elsewhere")), existsSync(state)], [false, false]);
  assert.equal(realpathSync(world.home), world.home);
});
