import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { closeKeptGuards, keepGuard } from "../../src/act/shell/kept-guard.ts";
import { openLaterGuard } from "../../src/act/shell/later-guard.ts";
import { makeScratchFolder, sandboxFor, shellIn } from "../../src/act/tools/shell/shell.fixture.ts";
import { openSampleState } from "../../src/memory/state/samples.fixture.ts";

/** A workspace whose guard was kept for a line that ends now, as a killed agent leaves it, and the state that keeps it. */
async function killedIn(t: TestContext) {
  const [workspace, folder] = [await makeScratchFolder(t), await makeScratchFolder(t)];
  writeFileSync(join(workspace, "justfile"), "mine\n");
  symlinkSync("justfile", join(workspace, "Justfile"));
  {
    await using state = await openSampleState(folder);
    const guard = await openLaterGuard(workspace);
    await keepGuard(state.keptGuards, guard, {
      allowed: [{ kind: "path", path: join(workspace, "b.sh") }],
      milliseconds: -6_000,
    });
  }
  return { workspace, folder, path: (name: string) => join(workspace, name) };
}

test("what a command made that is executed later gets a name that nothing obeys at the next start, where the agent was killed while it ran", async (t) => {
  const { folder, path } = await killedIn(t);
  mkdirSync(path("sub"));
  for (const name of ["Makefile", "sub/conftest.py", "a.txt"]) writeFileSync(path(name), "evil\n");
  writeFileSync(path("b.sh"), "#!/bin/sh\n", { mode: 0o755 });
  mkdirSync(path(".husky"));
  await sleep(4_200);
  writeFileSync(path("AGENTS.md"), "my own words\n");
  mkdirSync(path(".githooks"));
  rmSync(path("Justfile"));
  await using state = await openSampleState(folder);
  const notes = await closeKeptGuards(state.keptGuards);
  assert.match(
    notes.join("\n"),
    /Makefile is executed later \(.*\), and its making was not approved: it is now not-approved/,
  );
  for (const name of ["Makefile", "sub/conftest.py", ".husky"])
    assert.equal(existsSync(path(name)), false, name);
  assert.equal(readFileSync(path("not-approved.Makefile.txt"), "utf8"), "evil\n");
  for (const name of ["a.txt", "b.sh", "justfile"]) assert.ok(existsSync(path(name)), name);
  for (const name of ["AGENTS.md", ".githooks"])
    assert.ok(existsSync(path(name)), `${name} was made after the line`);
  assert.equal(existsSync(path("Justfile")), false, "a link that the owner took away stays away");
  assert.deepEqual(await closeKeptGuards(state.keptGuards), [], "it is looked at once");
});

test("a workspace that is gone when the agent starts again is passed over", async (t) => {
  const { folder, workspace } = await killedIn(t);
  rmSync(workspace, { recursive: true });
  await using state = await openSampleState(folder);
  assert.deepEqual(await closeKeptGuards(state.keptGuards), []);
  assert.deepEqual(await state.keptGuards.all(), []);
});

test("a line keeps its guard while it runs, and no longer", async (t) => {
  const sandbox = await sandboxFor(t);
  if (sandbox === null) return;
  const workspace = await makeScratchFolder(t);
  await using state = await openSampleState(await makeScratchFolder(t));
  const running = shellIn(workspace, { sandbox, guards: state.keptGuards }).run(
    "bash -c ':; touch made; sleep 2'",
  );
  while (!existsSync(join(workspace, "made"))) await sleep(10);
  assert.deepEqual(
    (await state.keptGuards.all()).map(({ item }) => item.workspace),
    [workspace],
  );
  await running;
  assert.deepEqual(await state.keptGuards.all(), []);
});
