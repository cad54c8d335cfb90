import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeWorld } from "../agent-world.ts";

const block = (name: string, words: string): string =>
  `#+begin_src sh :tangle ${name}\necho ${words}\n#+end_src\n`;

test("org tangle writes new files in its own folder, and asks before any other place and before what is run later", async (t) => {
  const world = await makeWorld(t);
  const notes = join(world.home, "notes");
  mkdirSync(join(notes, "sub", ".git", "hooks"), { recursive: true });
  symlinkSync(world.workspace, join(notes, "away"));
  const file = join(notes, "all.org");
  const tangle = (...options: readonly string[]) => world.command(["org", "tangle", file, ...options]);
  const inside = join(notes, "sub", "in.sh");
  for (const [name, place] of [
    ["~/out.sh", join(world.home, "out.sh")],
    ["../up.sh", join(world.home, "up.sh")],
    ["away/link.sh", join(world.workspace, "link.sh")],
    ["sub/.git/hooks/pre-commit", join(notes, "sub/.git/hooks/pre-commit")],
  ] as const) {
    writeFileSync(file, block("sub/in.sh", "in") + block(name, "one"));
    assert.equal((await tangle("--check")).code, 1);
    const asked = await tangle();
    assert.equal(asked.code, 1, name);
    assert.ok(
      asked.err.includes(`${place} would be written, and is `) && asked.err.includes("add --yes"),
      asked.err,
    );
    assert.ok(!existsSync(place) && !existsSync(inside), name);
    assert.equal((await tangle("--yes")).code, 0, name);
    assert.equal(readFileSync(place, "utf8"), "echo one\n");
    writeFileSync(file, block("sub/in.sh", "in") + block(name, "two"));
    assert.equal((await tangle()).code, 0, "what was tangled with a yes is tangled again");
    assert.equal(readFileSync(place, "utf8"), "echo two\n");
    writeFileSync(place, "mine\n");
    assert.equal((await tangle("--force")).code, 1, "replacing what somebody changed there asks, too");
    assert.equal(readFileSync(place, "utf8"), "mine\n");
    writeFileSync(file, block("sub/in.sh", "in"));
    unlinkSync(inside);
  }
  const done = await tangle();
  assert.deepEqual([done.code, existsSync(inside)], [0, true], done.err);
});
