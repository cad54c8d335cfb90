import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";
import { makeSkillWorld } from "./skills.fixture.ts";

test("every skill of examples/skills loads and passes its tests, and comes into force once the owner accepts what it may call", async () => {
  const files = globSync(new URL("../../examples/skills/*.org", import.meta.url).pathname);
  await using world = makeSkillWorld(
    Object.fromEntries(files.map((file) => [basename(file), readFileSync(file, "utf8")])),
  );
  const { listed } = await world.skills.refresh();
  for (const { name, state, problem } of listed) {
    assert.ok(state === "in force" || /wants to call/.test(problem ?? ""), `${name}: ${problem}`);
    if (state !== "in force") assert.ok((await world.accept(name)).ok);
  }
  const { inForce } = await world.skills.refresh();
  assert.equal(inForce.length, files.length);
  assert.ok(files.length >= 5);
});
