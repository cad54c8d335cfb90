import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { drawSkills, replaceSkills } from "../scripts/draw-skills.ts";
import { upkeepOf } from "../src/daemon/agent/upkeep/upkeep-of-agent.ts";
import { assembleIdleTools } from "../src/features/inspect/idle-tools.ts";
import { openOfflineJudge } from "../src/features/inspect/open-offline-judge.ts";
import { builtInGates } from "../src/gate/built-in.ts";
import { commandUsages } from "../src/perceive/command-usages.ts";
import { loadPolicy } from "../src/settings/policy.ts";
import { builtInSkills } from "../src/skills/built-in/table.ts";
import type { JsonObject } from "../src/text/json.ts";
import { calls, explanation, makeWorld, sent, talkTo } from "./agent-world.ts";
import { builtInSkillProofs } from "./built-in-skill-proofs.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

function brought(sort: "tools" | "commands" | "gates" | "jobs"): readonly string[] {
  return builtInSkills.flatMap((skill) => skill[sort]).sort();
}

test("each tool, command, gate and job of the program belongs to one built-in skill", async (t) => {
  const world = await makeWorld(t);
  const policy = loadPolicy(world.environment);
  const { acting } = assembleIdleTools(policy, null);
  const gates = [...Object.values(builtInGates.owners), ...builtInGates.others];
  const names = acting.tools().map(({ name }) => name);
  assert.deepEqual(brought("tools"), names.toSorted());
  assert.deepEqual(brought("gates"), [...new Set(gates.map(({ name }) => name))].sort());
  assert.deepEqual(brought("commands"), commandUsages.map(({ name }) => name).sort());
  // Only the names are read, so the parts that the jobs would work with are not made.
  const [resources, review] = [{ policy }, {}] as unknown as Parameters<typeof upkeepOf>;
  const upkeep = upkeepOf(resources, review, () => assert.fail("no loop is needed"));
  assert.deepEqual(brought("jobs"), upkeep.map(({ name }) => name).sort());
});

/** A call of each tool, or several that together have all the effects that it can have. */
const line = "cat a.txt > c.txt; rm a.txt; curl https://example.com/";
const samples: ReadonlyMap<string, readonly JsonObject[]> = new Map(
  Object.entries({
    "propose-plan": [{ steps: "write ~/elsewhere.txt" }],
    "read-file": [{ path: "a.txt" }],
    "write-file": [{ path: "b.txt", content: "x" }],
    "edit-file": [{ path: "a.txt", old: "one", new: "two" }],
    "list-files": [{ path: "." }],
    "search-files": [{ pattern: "one" }],
    shell: [{ cmd: line }],
    terminal: [{ cmd: line }],
    "install-program": [{ program: "rg", retry: line }],
    "fetch-url": [{ url: "https://example.com/" }],
    eval: [{ code: "1" }],
    "read-code": [{ path: "a.ts" }],
    "edit-code": [{ path: "a.ts", name: "a", new: "let a = 2;" }],
    tangle: [{ path: "n.org" }],
    repl: [{ code: "1" }, { load: "a.txt", as: "x" }],
    "edit-notes": [{ file: "n.org", operations: [{ op: "todo", at: "One", state: "DONE" }] }],
    remember: [{ text: "a thing" }],
    recall: [{ query: "x" }],
    "read-result": [{ result: "x" }],
    backlinks: [{ id: "x" }],
    agenda: [{}],
    "list-models": [{}],
    "change-setting": [{ name: "BUDGET_PER_DAY", value: "3" }],
    delegate: [{ tasks: [{ task: "x", tools: [] }] }],
  }),
);

test("the effects in the table are those that the tools of a skill have, no more and no fewer", async (t) => {
  const world = await makeWorld(t);
  writeFileSync(world.path("a.txt"), "one\n");
  writeFileSync(world.path("a.ts"), "let a = 1;\n");
  writeFileSync(world.path("n.org"), "* TODO One\n#+begin_src sh :tangle b.sh\n:\n#+end_src\n");
  assert.deepEqual([...samples.keys()].sort(), brought("tools"));
  const { environment, workspace } = world;
  const report = (problem: string): void => assert.fail(problem);
  await using judge = await openOfflineJudge(
    { environment, cwd: workspace, version: "0.0.0-test", warn: report },
    workspace,
  );
  for (const { name, tools, effects } of builtInSkills) {
    if (tools.length === 0) continue;
    const kinds = new Set<string>();
    for (const tool of tools)
      for (const args of samples.get(tool) ?? []) {
        const judged = await judge.judge({ target: "tool", payload: { tool, args }, explanation });
        assert.ok(judged.effects.length > 0, `${tool}: ${judged.reason}`);
        for (const { kind } of judged.effects) kinds.add(kind);
      }
    assert.deepEqual([...kinds].sort(), effects.toSorted(), name);
  }
});

test("a built-in skill that the owner disabled brings no tool until it is enabled again; one without tools cannot be", async (t) => {
  const world = await makeWorld(t);
  const call = calls(["eval", { code: "1 + 1" }]);
  assert.equal((await world.command(["skill", "disable", "evaluation"])).code, 0);
  assert.match((await world.command(["skill", "list"])).out, /^evaluation +disabled; computes/m);
  {
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    world.provider.add(call, { text: "I may not." });
    await talk.say("compute");
    assert.doesNotMatch(sent(world, 0), /"name": ?"eval"/);
    assert.match(sent(world, 1), /eval is denied/);
    assert.equal((await world.command(["skill", "enable", "evaluation"])).code, 0);
    world.provider.add(call, { text: "Two." });
    await talk.say("compute again");
    assert.match(sent(world, 2), /"name": ?"eval"/);
    assert.match(sent(world, 3), /"value\W+2/);
  }
  const refused = await world.command(["skill", "disable", "policy"]);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /policy is built in and has no tools/);
});

test("each built-in skill has a name of its own, no trigger word twice, and a test that exists", () => {
  const names = builtInSkills.map(({ name }) => name);
  assert.deepEqual([...new Set(names)].sort(), [...builtInSkillProofs.keys()].sort());
  assert.equal(new Set(names).size, names.length);
  for (const { name, trigger } of builtInSkills) {
    const words = trigger?.words ?? [];
    assert.equal(new Set(words).size, words.length, `${name}: a word stands twice`);
    const [file = "", title = ""] = (builtInSkillProofs.get(name) ?? "").split(" › ");
    assert.ok(existsSync(join(root, file)), `${name}: ${file}`);
    const text = readFileSync(join(root, file), "utf8");
    assert.ok(title !== "" && text.includes(`test("${title}"`), `${name}: ${file} › ${title}`);
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
