import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import type { JsonObject } from "../../src/text/json.ts";
import { calls, isMissing, makeWorld, named, talkTo } from "../agent-world.ts";

test("the history of a session has the calls of each turn: what was said before, the action, the outcome, the diff", async (t) => {
  const world = await makeWorld(t, [
    {
      text: "I look first.",
      ...calls(["read-file", { path: "plan.txt" }], ["read-file", { path: "gone.txt" }]),
    },
    calls(["edit-file", { path: "plan.txt", old: "Friday", new: "Saturday" }]),
    calls(["edit-file", { path: "plan.txt", old: "Saturday", new: "Sunday" }]),
    calls(["shell", { cmd: "seq 3" }]),
    { text: "**Done.**" },
  ]);
  writeFileSync(world.path("plan.txt"), "Water the roses on Friday.\n");
  await using agent = await world.open();
  const talk = await talkTo(agent);
  await talk.say("move it");
  const reply = await agent.runCommand({ kind: "history", id: null, limit: null }, talk.session);
  assert.ok(reply.kind === "said" && Array.isArray(reply.data));
  const [turn] = reply.data as readonly JsonObject[];
  assert.partialDeepStrictEqual(turn, {
    words: "move it",
    answer: "**Done.**",
    steps: [
      {
        said: "I look first.",
        tool: "read-file",
        status: "success",
        action: { target: "tool", payload: { tool: "read-file", args: { path: "plan.txt" } } },
        result: { text: "Water the roses on Friday.\n" },
      },
      { tool: "read-file", status: "error", code: "not-found" },
      { tool: "edit-file", changes: [{ added: 1, removed: 1, change: "replace" }] },
      { tool: "edit-file", changes: [{ added: 1, removed: 1 }] },
      { tool: "shell", status: "success", result: { exitCode: 0, stdout: "1\n2\n3\n" } },
    ],
  });
  const diffs = JSON.stringify(turn).match(/"diff":"[^"]*"/g) ?? [];
  assert.match(diffs[0] ?? "", /-Water the roses on Friday\..*\+Water the roses on Saturday\./);
  assert.match(diffs[1] ?? "", /-Water the roses on Saturday\..*\+Water the roses on Sunday\./);
  assert.match(
    reply.text,
    /^You: move it\nI look first\.\nread-file: done: plan\.txt\nread-file: failed \(not-found\)[\s\S]*edit-file: done: plan\.txt \(\+1 −1\)\n {4}│ - Water the roses on Friday\.\n {4}│ \+ Water the roses on Saturday\.[\s\S]*shell: done \(exit code 0\): seq 3\n {4}│ 1\n[\s\S]*\n\*\*Done\.\*\*$/,
  );
  await agent[Symbol.asyncDispose]();
  const { out } = await world.command(["cli", "--continue"]);
  assert.match(
    out,
    /You said last: move it\n[\s\S]*edit-file: done: plan\.txt \(\+1 −1\)[\s\S]*shell: done \(exit code 0\): seq 3/,
  );
});

test("a command of the past says how much it changed in files, as it said when it ran", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const cmd = "sh -c 'seq 3 > a.txt; seq 2 > b.txt; echo d >> c.txt'";
  const world = await makeWorld(t, [calls(["shell", { cmd }]), { text: "Done." }], { TRIALS: "true" });
  writeFileSync(world.path("c.txt"), "c\n");
  await using agent = await world.open();
  const talk = await talkTo(agent);
  const said = await talk.say("make them");
  assert.equal(named(said.events, "outcome")[0]?.changes?.length, 3);
  const reply = await agent.runCommand({ kind: "history", id: null, limit: null }, talk.session);
  assert.ok(reply.kind === "said" && Array.isArray(reply.data));
  const changed = { files: 3, deleted: 0, added: 6, removed: 0 };
  assert.partialDeepStrictEqual(reply.data[0] ?? null, { steps: [{ tool: "shell", changed }] });
  assert.match(reply.text, /shell: done \(exit code 0\): sh -c .*\n {4}\(changed 3 files \+6 −0\)/);
});

test("a long past is told within bounds: texts are cut, many calls left out and counted, and of old turns only tools and outcomes", async (t) => {
  const many = Array.from({ length: 45 }, () => ["list-files", { path: "." }] as const);
  const long = Array.from({ length: 40 }, () => ["read-file", { path: "long.txt" }] as const);
  const world = await makeWorld(t, [
    calls(...many),
    { text: "one" },
    ...Array.from({ length: 3 }, () => [calls(...long), { text: "ok" }]).flat(),
  ]);
  writeFileSync(world.path("long.txt"), `${"word ".repeat(30)}\n`.repeat(600));
  await using agent = await world.open({ LOOP_CONTEXT_WINDOW: "2000000" });
  const talk = await talkTo(agent);
  for (const words of ["a", "b", "c", "d"]) await talk.say(words);
  const reply = await agent.runCommand({ kind: "history", id: null, limit: null }, talk.session);
  assert.ok(reply.kind === "said" && Array.isArray(reply.data));
  const turns = reply.data as readonly JsonObject[];
  assert.ok(JSON.stringify(turns).length < 500_000, String(JSON.stringify(turns).length));
  assert.match(JSON.stringify(turns.at(-1)), / … \(\d+ characters, \d+ lines more\)/);
  assert.deepEqual(turns[0]?.["steps-left"], 5);
  const steps = turns[0]?.["steps"];
  assert.ok(Array.isArray(steps) && steps.length === 40);
});

test("long words of a person are cut in the past with how much more they were, and short ones stand whole", async (t) => {
  const world = await makeWorld(t, [{ text: "Read." }, { text: "Read." }]);
  await using agent = await world.open();
  const talk = await talkTo(agent);
  await talk.say("one line\n".repeat(5_000).trim());
  await talk.say("short");
  const reply = await agent.runCommand({ kind: "history", id: null, limit: null }, talk.session);
  assert.ok(reply.kind === "said" && Array.isArray(reply.data));
  const [long, short] = reply.data as readonly JsonObject[];
  assert.match(String(long?.["words"]), / … \(\d+ characters, \d+ lines more\)$/);
  assert.deepEqual([short?.["words"], short?.["whole"]], ["short", true]);
});

test("the answers of the past stand whole, up to a million characters together", async (t) => {
  const whole = "a long line of an answer\n".repeat(30_000).trim();
  const world = await makeWorld(t, [{ text: whole }, { text: whole }]);
  await using agent = await world.open();
  const talk = await talkTo(agent);
  for (const words of ["a", "b"]) await talk.say(words);
  const reply = await agent.runCommand({ kind: "history", id: null, limit: null }, talk.session);
  assert.ok(reply.kind === "said" && Array.isArray(reply.data));
  const [first, last] = reply.data as readonly JsonObject[];
  assert.deepEqual([last?.["answer"] === whole, last?.["answer-left"]], [true, 0]);
  const left = Number(first?.["answer-left"]);
  assert.equal(String(first?.["answer"]).length + left, whole.length);
  assert.equal(left, 2 * whole.length - 1_000_000);
});

test("of a change of the past whose lines are too many to be compared at once, only the sizes are told", async (t) => {
  const world = await makeWorld(t, [
    calls(["edit-file", { path: "log.txt", old: "row 20000\n", new: "row 20000, seen\n" }]),
    calls(["write-file", { path: "log.txt", content: "empty\n" }]),
    { text: "Done." },
  ]);
  writeFileSync(world.path("log.txt"), Array.from({ length: 40_000 }, (_, at) => `row ${at}\n`).join(""));
  await using agent = await world.open();
  const talk = await talkTo(agent);
  await talk.say("clear it");
  const reply = await agent.runCommand({ kind: "history", id: null, limit: null }, talk.session);
  assert.ok(reply.kind === "said" && Array.isArray(reply.data));
  const diffs = JSON.stringify(reply.data).match(/"diff":"[^"]*"/g) ?? [];
  assert.match(diffs[0] ?? "", /@@ -19998,7 \+19998,7 @@.*-row 20000\\n\+row 20000, seen/);
  assert.match(diffs[1] ?? "", /-large, [\d,]+ bytes\\n\+large, 6 bytes/);
});

test("the history says of a turn that runs since when it works and what it does now, and of words that wait that they do", async (t) => {
  const gate = Promise.withResolvers<void>();
  const world = await makeWorld(t, [
    { text: "One." },
    calls(["list-files", { path: "." }]),
    { text: "Two.", after: gate.promise },
    { text: "Three." },
  ]);
  await using agent = await world.open();
  const talk = await talkTo(agent);
  await talk.say("first");
  const second = talk.say("second");
  await world.provider.reached(3);
  const third = talk.say("third");
  const turns = async (): Promise<readonly JsonObject[]> => {
    const reply = await agent.runCommand({ kind: "history", id: null, limit: null }, talk.session);
    assert.ok(reply.kind === "said" && Array.isArray(reply.data));
    return reply.data as readonly JsonObject[];
  };
  while ((await turns()).length < 3) await new Promise((resolve) => setTimeout(resolve, 10));
  const told = await turns();
  assert.deepEqual(
    told.map(({ state, "open-calls": open }) => [state, open]),
    [
      ["answered", undefined],
      ["thinking", []],
      ["queued", undefined],
    ],
  );
  const since = told.map((turn) => Number(turn["working-since-ms"] ?? 0));
  assert.ok(since[0] === 0 && since[2] === 0 && (since[1] ?? 0) >= Number(told[1]?.["at-ms"]));
  gate.resolve();
  await Promise.all([second, third]);
});

test("the history calls words whole where nothing of them is cut or masked, and no file came with them", async (t) => {
  const world = await makeWorld(t, [{ fault: "hang" }]);
  await using agent = await world.open();
  const talk = await talkTo(agent);
  const token = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7".padEnd(36, "qRsTuVwXy")}`;
  const first = talk.say("one");
  await world.provider.reached(1);
  const waiting = ["two,\n\tand more", `keep ${token}`, "long ".repeat(5_000)].map((words) =>
    talk.say(words),
  );
  const turns = async (): Promise<readonly JsonObject[]> => {
    const reply = await agent.runCommand({ kind: "history", id: null, limit: null }, talk.session);
    assert.ok(reply.kind === "said" && Array.isArray(reply.data));
    return reply.data as readonly JsonObject[];
  };
  while ((await turns()).length < 4) await new Promise((resolve) => setTimeout(resolve, 10));
  const whole = (await turns()).map((turn) => [String(turn["words"]).slice(0, 3), turn["whole"] ?? false]);
  assert.deepEqual(Object.fromEntries(whole), { one: true, two: true, kee: false, lon: false });
  await talk.say("/stop");
  await Promise.all([first, ...waiting]);
});
