import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { named } from "../agent-world.ts";
import { homeWorld } from "./home-world.ts";

test("a tried line whose result is gone with the sandbox keeps nothing else, and says so; where it changed nothing, it does not", async (t) => {
  const { at, propose, talk } = await homeWorld(t, { TRIALS: "true" });
  writeFileSync(at("work/a.txt"), "words\n");
  for (const [cmd, made] of [
    ["echo keep > kept.txt; tar czf /tmp/q.tgz a.txt", "kept.txt"],
    ["tar czf /tmp/x.tgz . ; tar czf rel.tgz a.txt && tar tzf rel.tgz", "rel.tgz"],
    ["echo one > one.txt; tar cf /tmp/b.tar a.txt; false", "one.txt"],
    ["tar cf /tmp/c.tar a.txt", null],
  ] as const) {
    const { end, text } = await propose(cmd);
    assert.equal(end, "answered", text);
    const [outcome] = named(talk.events, "outcome").slice(-1);
    const said = JSON.stringify(outcome);
    assert.equal(outcome?.code, "outside-workspace", said);
    assert.doesNotMatch(said, /stands/);
    assert.equal(said.includes("Nothing of what the line changed in the workspace was kept."), made !== null);
    if (made !== null) assert.ok(!existsSync(at("work", made)), cmd);
  }
});
