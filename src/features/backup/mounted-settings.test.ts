import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { makeBackupWorld, sayInto } from "./backup-world.fixture.ts";

const fixture = fileURLToPath(new URL("mounted-settings.fixture.ts", import.meta.url));

/** A home whose settings are behind a mount once `mounts` are made, with a backup of other settings. */
async function makeMountedWorld(t: TestContext) {
  const world = makeBackupWorld(t);
  world.write(".config/passepartout/.env", "MEMEX_ASSISTANT=Then\n");
  await using state = await world.open();
  await sayInto(state, "one", "then");
  await world.backup();
  const behind = join(world.home, "behind");
  writeFileSync(behind, "MEMEX_ASSISTANT=Now\n");
  world.write(".config/passepartout/rules.json", "{}");
  return { ...world, behind, configuration: world.policy.config.places.configuration };
}

/** Runs the fixture where these paths are mounted; null without bubblewrap. */
function runInside(
  t: TestContext,
  { home, file }: { home: string; file: string },
  mounts: readonly string[],
) {
  const node = [process.execPath, "--disable-warning=ExperimentalWarning", fixture, home, file];
  const ran = spawnSync("bwrap", ["--dev-bind", "/", "/", ...mounts, ...node], {
    encoding: "utf8",
    timeout: 60_000,
  });
  if (ran.error === undefined && !ran.stderr.startsWith("bwrap:")) return ran;
  assert.notEqual(process.env["CI"], "true", `bubblewrap is needed: ${ran.stderr}`);
  t.skip("needs bubblewrap: apt-get install bubblewrap");
  return null;
}

test("a restore writes through settings that are a mount of their own, and is taken back, wherever it is killed", async (t) => {
  const world = await makeMountedWorld(t);
  const { behind, configuration } = world;
  const ran = runInside(t, world, ["--bind", behind, join(configuration, ".env")]);
  if (ran === null) return;
  assert.equal(ran.status, 0, ran.stderr);
  const seen: unknown = JSON.parse(ran.stdout);
  assert.ok(Array.isArray(seen));
  const now = { env: "MEMEX_ASSISTANT=Now\n", names: [".env", "rules.json"] };
  const then = { env: "MEMEX_ASSISTANT=Then\n", names: [".env"] };
  for (const [at, pair] of seen.entries())
    assert.deepEqual(pair, at === 0 ? [now, now] : [then, now], `at boundary ${at}`);
  assert.ok(seen.length > 10, `${seen.length} boundaries`);
  assert.equal(readFileSync(behind, "utf8"), "MEMEX_ASSISTANT=Now\n");
});

test("a restore changes nothing where a folder of the settings is a mount of its own", async (t) => {
  const world = await makeMountedWorld(t);
  const skills = join(world.configuration, "skills");
  for (const folder of [skills, join(world.home, "other")]) mkdirSync(folder);
  const before = world.tree();
  const ran = runInside(t, world, ["--bind", join(world.home, "other"), skills]);
  if (ran === null) return;
  assert.match(ran.stderr, /skills is mounted by itself, so nothing can be put in its place\. Unmount it/);
  assert.deepEqual(world.tree(), before);
});
