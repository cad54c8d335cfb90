import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { drawSkills, replaceSkills } from "../scripts/draw-skills.ts";
import { assembleIdleTools } from "../src/cli/offline/idle-tools.ts";
import { upkeepOf } from "../src/daemon/agent/upkeep/upkeep-of-agent.ts";
import { builtInGates } from "../src/gate/built-in.ts";
import { commandUsages } from "../src/perceive/command-usages.ts";
import { loadPolicy } from "../src/settings/policy.ts";
import { builtInSkills } from "../src/skills/built-in/table.ts";
import { calls, makeWorld, sent, talkTo } from "./agent-world.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

function brought(sort: "tools" | "commands" | "gates" | "jobs"): readonly string[] {
  return builtInSkills.flatMap((skill) => skill[sort]).sort();
}

test("each tool, command, gate and job of the program belongs to one built-in skill", async (t) => {
  const world = await makeWorld(t);
  const { acting } = assembleIdleTools(loadPolicy(world.environment), null);
  const gates = [...Object.values(builtInGates.owners), ...builtInGates.others];
  assert.deepEqual(brought("tools"), acting.toolNames().toSorted());
  assert.deepEqual(brought("gates"), [...new Set(gates.map(({ name }) => name))].sort());
  assert.deepEqual(brought("commands"), commandUsages.map(({ name }) => name).sort());
  // Only the names are read, so the parts that the jobs would work with are not made.
  const [resources, review] = [{}, {}] as unknown as Parameters<typeof upkeepOf>;
  const upkeep = upkeepOf(resources, review, () => assert.fail("no loop is needed"));
  assert.deepEqual(brought("jobs"), upkeep.map(({ name }) => name).sort());
});

test("a built-in skill that the owner disabled brings no tool until it is enabled again; one without tools cannot be", async (t) => {
  const world = await makeWorld(t);
  const call = calls(["eval", { code: "1 + 1" }]);
  assert.equal((await world.run(["skill", "disable", "evaluation"])).code, 0);
  assert.match((await world.run(["skill", "list"])).out, /^evaluation +disabled; computes/m);
  {
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    world.provider.add(call, { text: "I may not." });
    await talk.say("compute");
    assert.doesNotMatch(sent(world, 0), /"name": ?"eval"/);
    assert.match(sent(world, 1), /eval is denied/);
    assert.equal((await world.run(["skill", "enable", "evaluation"])).code, 0);
    world.provider.add(call, { text: "Two." });
    await talk.say("compute again");
    assert.match(sent(world, 2), /"name": ?"eval"/);
    assert.match(sent(world, 3), /"value\W+2/);
  }
  const refused = await world.run(["skill", "disable", "policy"]);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /policy is built in and has no tools/);
});

test("each built-in skill has a file of its name, a line in the table, and a test that exists", () => {
  const files = readdirSync(join(root, "src/skills/built-in"))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.replace(/\.ts$/, ""))
    .filter((file) => !["built-in-skill", "table", "taking-part"].includes(file));
  assert.deepEqual(builtInSkills.map(({ name }) => name).sort(), files.sort());
  for (const { name, test: proof } of builtInSkills) {
    const [file = "", title = ""] = proof.split(" › ");
    assert.ok(existsSync(join(root, file)), `${name}: ${file}`);
    const text = readFileSync(join(root, file), "utf8");
    assert.ok(title !== "" && text.includes(`test("${title}"`), `${name}: ${proof}`);
  }
});

test("the table in docs/skills.md is what the script draws from the built-in skills", () => {
  const text = readFileSync(join(root, "docs/skills.md"), "utf8");
  assert.equal(
    replaceSkills(text, drawSkills(builtInSkills)),
    text,
    "run scripts/node scripts/draw-skills.ts",
  );
});
