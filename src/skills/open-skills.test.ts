import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { bottomLabel, type Label } from "../signal/label.ts";
import { askDue } from "./ask-due.ts";
import { makeSkillWorld, skillFile } from "./skills.fixture.ts";

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");
const never = new AbortController().signal;
const limits = { milliseconds: 20_000, maxCharacters: 10_000 };
const dice = skillFile(
  ["TITLE: Dice", "PRIORITY: 60", "TRIGGER_WORDS: dice, throw"],
  `type Roll = { sides: number };
export const tools = {
  roll: { description: "Roll dice", parameters: { sides: { type: "integer" } }, run: ({ sides }: Roll) => sides * 2 },
};`,
  { "six sides": "equal(skill.tools.roll.run({ sides: 6 }), 12);" },
);

test("a file of prose, TypeScript and tests is found, checked, tested and in force, and is called in its jail", async () => {
  await using world = makeSkillWorld({ "dice.org": dice });
  const { listed, inForce } = await world.skills.refresh();
  assert.deepEqual(
    listed.map(({ name, state, problem }) => [name, state, problem]),
    [["dice", "in force", null]],
  );
  assert.deepEqual(listed[0]?.tests, [{ name: "six sides", problem: null }]);
  const [skill] = inForce;
  assert.ok(skill !== undefined);
  assert.equal(skill.head.title, "Dice");
  assert.deepEqual(skill.head.trigger, { words: ["dice", "throw"] });
  assert.deepEqual(skill.declared.tools[0]?.parameters, {
    type: "object",
    properties: { sides: { type: "integer" } },
    required: ["sides"],
  });
  const call = { path: ["tools", "roll", "run"], values: '[{"sides":4}]', limits, label: bottomLabel };
  assert.deepEqual(await world.skills.call(skill, call, never), { ok: true, json: "8", logs: [] });
});

test("errors name the file and the line: in the syntax, while it is loaded, and in a test", async () => {
  const lines = (problem: string | null | undefined) => /bad\.org:(\d+)/.exec(problem ?? "")?.[1];
  for (const [code, tests, line] of [
    ["const a = 1;\nconst b = = 2;", {}, "7"],
    ["const a: number = 1;\nnull.x;", {}, "7"],
    ["enum Colour { red }", {}, "6"],
    ["export const prompt = () => 1;", { fails: "assert(true);\nequal(1, 2);" }, "11"],
  ] as const) {
    await using world = makeSkillWorld({ "bad.org": skillFile(["TITLE: Bad"], code, tests) });
    const { listed, inForce } = await world.skills.refresh();
    assert.equal(listed[0]?.state, "broken");
    assert.equal(lines(listed[0]?.problem), line, listed[0]?.problem ?? "");
    assert.deepEqual(inForce, []);
  }
});

test("skills come into force after those that they depend on, by name or id; a cycle and a missing one are named with their files, and hurt nobody else", async () => {
  const plain = (...keywords: string[]) => skillFile(keywords, "");
  await using world = makeSkillWorld({
    "a.org": plain("DEPENDS_ON: z"),
    "z.org": plain("DEPENDS_ON: 1234"),
    "m.org": `:PROPERTIES:\n:ID: 1234\n:END:\n${plain("TITLE: M")}`,
    "round.org": plain("DEPENDS_ON: trip"),
    "trip.org": plain("DEPENDS_ON: round"),
    "lost.org": plain("DEPENDS_ON: nowhere"),
    "after.org": plain("DEPENDS_ON: lost"),
  });
  const { listed, inForce } = await world.skills.refresh();
  assert.deepEqual(
    inForce.map(({ head }) => head.name),
    ["m", "z", "a"],
  );
  const problem = (name: string) => listed.find((skill) => skill.name === name)?.problem ?? "";
  assert.match(problem("round"), /round\.org → trip\.org → round\.org/);
  assert.match(problem("lost"), /lost\.org depends on nowhere/);
  assert.match(problem("after"), /after\.org depends on lost\.org/);
});

test("a changed file is in force at the next look, without what was not changed; a version that fails leaves the one before", async (context) => {
  await using world = makeSkillWorld({
    "dice.org": dice,
    "other.org": skillFile(["TITLE: Other"], "export const prompt = () => 'x';"),
  });
  const before = await world.skills.refresh();
  assert.equal(await world.skills.refresh(), before);
  const opened = world.opened();
  world.files.set("dice.org", dice.replace("sides * 2", "sides * 3").replace("12)", "18)"));
  const begun = performance.now();
  const after = await world.skills.refresh();
  context.diagnostic(`hot reload: ${Math.round(performance.now() - begun)} ms`);
  assert.equal(world.opened(), opened + 1);
  const [skill] = after.inForce;
  assert.ok(skill !== undefined);
  const call = { path: ["tools", "roll", "run"], values: '[{"sides":4}]', limits, label: bottomLabel };
  assert.deepEqual(await world.skills.call(skill, call, never), { ok: true, json: "12", logs: [] });
  for (const worse of [
    dice.replace("sides * 2", "sides * 5"),
    dice.replace("sides * 2", "sides *"),
    dice.replace("sides * 2", "{}}}"),
  ]) {
    world.files.set("dice.org", worse);
    const kept = await world.skills.refresh();
    assert.equal(kept.listed[0]?.state, "in force");
    assert.match(kept.listed[0]?.problem ?? "", /The version before it stays in force/);
    assert.equal(kept.inForce[0]?.digest, skill.digest);
  }
});

test("what was accepted is in force at the next start without a jail", async () => {
  const first = makeSkillWorld({ "dice.org": dice });
  await first.skills.refresh();
  await first[Symbol.asyncDispose]();
  await using second = makeSkillWorld({ "dice.org": dice }, first.book);
  const { inForce } = await second.skills.refresh();
  assert.deepEqual([inForce.length, second.opened()], [1, 0]);
});

test("a skill that wants to call tools waits for a yes; a new want asks again and the version before stays; fewer wants ask nothing", async () => {
  const file = (wants: string, reply: string) =>
    skillFile([`CAPABILITIES: ${wants}`], `export const prompt = () => "${reply}";`);
  await using world = makeSkillWorld({ "reader.org": file("read-file", "one") });
  const waiting = await world.skills.refresh();
  assert.deepEqual([waiting.listed[0]?.state, waiting.inForce], ["waits", []]);
  assert.match(waiting.listed[0]?.problem ?? "", /reader\.org wants to call read-file.*skill enable reader/);
  assert.ok((await world.accept("reader")).ok);
  const accepted = await world.skills.refresh();
  assert.equal(accepted.inForce[0]?.digest, digestOf(file("read-file", "one")));
  world.files.set("reader.org", file("read-file shell", "two"));
  const asking = await world.skills.refresh();
  assert.match(asking.listed[0]?.problem ?? "", /wants to call shell/);
  assert.equal(asking.inForce[0]?.digest, accepted.inForce[0]?.digest);
  world.files.set("reader.org", file("", "three"));
  assert.equal((await world.skills.refresh()).inForce[0]?.digest, digestOf(file("", "three")));
});

test("a skill from elsewhere is pinned: whatever changes in its file asks, and what was installed stays", async () => {
  await using world = makeSkillWorld({ "guest.org": skillFile(["TITLE: Guest"], "") });
  await world.accept("guest", { from: "/home/u/Downloads/guest.org" });
  const { inForce } = await world.skills.refresh();
  world.files.set("guest.org", skillFile(["TITLE: Guest", "MANDATE: Obey me"], ""));
  const after = await world.skills.refresh();
  assert.match(after.listed[0]?.problem ?? "", /came from \/home\/u\/Downloads\/guest\.org and differs/);
  assert.deepEqual(after.inForce, inForce);
});

test("where the folder cannot be read at first, the effects of accepted gates are blocked; a set that was read stays", async () => {
  const gate =
    "export const gates = { quiet: { effects: ['run-program', 'write-path'], answer: () => null } };";
  const file = { "guard.org": skillFile(["GUARDS: write-path"], gate) };
  await using first = makeSkillWorld(file);
  await first.skills.refresh();
  first.fail("ELOOP");
  await assert.rejects(first.skills.refresh(), /ELOOP/);
  assert.deepEqual(first.skills.current().lostGates, []);
  assert.equal(first.skills.current().inForce.length, 1);
  await using next = makeSkillWorld(file, first.book);
  next.fail("ENOTDIR");
  await assert.rejects(next.skills.refresh(), /ENOTDIR/);
  const [lost] = next.skills.current().lostGates;
  assert.deepEqual([...(lost?.effects ?? [])].sort(), ["run-program", "write-path"]);
  assert.match(lost?.reason ?? "", /ENOTDIR/);
  next.fail(null);
  assert.deepEqual((await next.skills.refresh()).lostGates, []);
});

test("gates that cannot be loaded leave their effects blocked until the skill is disabled: broken, gone, or without what it depends on", async () => {
  const gate =
    "export const gates = { quiet: { effects: ['run-program', 'write-path'], answer: () => null } };";
  const guard = skillFile(["GUARDS: write-path"], gate);
  await using world = makeSkillWorld({
    "broken.org": skillFile(["GUARDS: reach-host"], "export const gates = ;"),
    "guard.org": guard,
    "needy.org": skillFile(["DEPENDS_ON: nobody"], gate),
  });
  const lost = async () =>
    (await world.skills.refresh()).lostGates.map(({ skill, effects }) => [skill, [...effects].sort()]);
  assert.deepEqual(await lost(), [
    ["broken", ["reach-host"]],
    ["needy", ["run-program", "write-path"]],
  ]);
  world.files.delete("guard.org");
  assert.deepEqual((await lost()).at(-1), ["guard", ["run-program", "write-path"]]);
  const accepted = world.book.get("guard");
  assert.ok(accepted !== undefined);
  world.book.set("guard", { ...accepted, enabled: false });
  assert.equal((await lost()).length, 2);
});

test("a module that exports what no skill exports, or lies about it, is not in force", async () => {
  for (const [code, problem] of [
    ["export const tools = { 'Bad Name': { description: 'x', run() {} } };", /tools/],
    ["export const tools = { a: { description: 'x' } };", /run or calls/],
    [
      "export const tools = { a: { description: 'x', parameters: { x: { type: 'file' } }, run() {} } };",
      /parameters/,
    ],
    ["export const gates = { a: { effects: ['call-model'], answer() {} } };", /effects/],
    ["export const license = () => true;", /license/],
    ["export const tools = { get a() { return { description: 'x'.repeat(1e6), run() {} }; } };", /export/],
    ["export const tools = new Proxy({}, { ownKeys() { throw new Error('no'); } });", /no/],
  ] as const) {
    await using world = makeSkillWorld({ "liar.org": skillFile(["TITLE: Liar"], code) });
    const { listed } = await world.skills.refresh();
    assert.equal(listed[0]?.state, "broken", code);
    assert.match(listed[0]?.problem ?? "", problem);
  }
});

test("code that breaks the parser, the interpreter or its limits is broken, and the next skill is not", async () => {
  await using world = makeSkillWorld({
    "deep.org": skillFile([], `export const prompt = ${"[".repeat(20_000)};`),
    "good.org": dice,
    "hungry.org": skillFile([], "for (const a = [];;) a.push(new Uint8Array(1e6));"),
    "loops.org": skillFile([], "for (;;) {}"),
  });
  const { listed } = await world.skills.refresh();
  assert.deepEqual(
    listed.map(({ name, state }) => [name, state]),
    [
      ["deep", "broken"],
      ["good", "in force"],
      ["hungry", "broken"],
      ["loops", "broken"],
    ],
  );
});

test("a file that is no skill says why", async () => {
  for (const [file, text, problem] of [
    ["Bad Name.org", "", /small letters/],
    ["p.org", "#+PRIORITY: high", /PRIORITY/],
    ["c.org", "#+CAPABILITIES: everything!", /CAPABILITIES: 'everything!'/],
    ["t.org", "#+TRIGGER_TAG: work-day", /TRIGGER_TAG: 'work-day'/],
    ["m.org", "#+TOOL_CALLS: many", /TOOL_CALLS: is a number from 0 to 1000/],
    ["s.org", "#+SECONDS: 0", /SECONDS: is a number from 1 to 600/],
    ["g.org", "#+GUARDS: thoughts", /GUARDS: 'thoughts'/],
    ["l.org", "x".repeat(70_000), /65536 characters/],
  ] as const) {
    await using world = makeSkillWorld({ [file]: text });
    assert.match((await world.skills.refresh()).listed[0]?.problem ?? "", problem);
  }
});

test("each skill has a jail of its own: no other sees what it leaves there, a broken one is started anew, and a private call leaves nothing", async () => {
  const counter =
    "let n = 0; export const tools = { next: { description: 'x', run: ([by]: [number]) => { if (by < 0) for (;;) {} return n += by; } } }; try { globalThis.left = 1; } catch {}";
  const reader = "export const tools = { left: { description: 'x', run: () => typeof globalThis.left } };";
  await using world = makeSkillWorld({
    "counter.org": skillFile([], counter),
    "reader.org": skillFile([], reader),
  });
  const { inForce } = await world.skills.refresh();
  const ask = async (index: number, tool: string, by: number, isPrivate = false) => {
    const skill = inForce[index];
    assert.ok(skill !== undefined);
    const within = by < 0 ? { ...limits, milliseconds: 200 } : limits;
    const label: Label = { ...bottomLabel, secrecy: isPrivate ? "private" : "public" };
    const call = { path: ["tools", tool, "run"], values: `[[${by}]]`, limits: within, label };
    const reply = await world.skills.call(skill, call, never);
    return reply.ok ? reply.json : reply.code;
  };
  assert.deepEqual([await ask(0, "next", 1), await ask(0, "next", 1)], ["1", "2"]);
  assert.equal(await ask(1, "left", 0), '"undefined"');
  assert.equal(await ask(0, "next", 5, true), "7");
  assert.equal(await ask(0, "next", 1), "1");
  const [ended, other] = await Promise.all([ask(0, "next", -1), ask(1, "left", 0)]);
  assert.deepEqual([ended, other], ["time-limit", '"undefined"']);
  assert.equal(await ask(0, "next", 1), "1");
});

test("a skill says at which heartbeats its job is due; what fails, or gives anything but true, is not due", async () => {
  const code = `export const trigger = (signal: { sensor: string; time: string; last: string | null }) => {
    if (signal.last === null) return "yes";
    if (signal.time < signal.last) throw new Error("back in time");
    return signal.sensor === "heartbeat" && Date.parse(signal.time) - Date.parse(signal.last) >= 3600000;
  };`;
  await using world = makeSkillWorld({ "hourly.org": skillFile([], code), "plain.org": skillFile([], "") });
  const { inForce } = await world.skills.refresh();
  const [hourly, plain] = inForce;
  assert.ok(hourly !== undefined && plain !== undefined);
  const reports: string[] = [];
  const parts = { call: world.skills.call, report: (message: string) => void reports.push(message) };
  const hour = 3_600_000;
  assert.equal(await askDue(parts, plain, { now: hour, last: null }), true);
  assert.equal(await askDue(parts, hourly, { now: 2 * hour, last: hour }), true);
  assert.equal(await askDue(parts, hourly, { now: 2 * hour - 1, last: hour }), false);
  assert.equal(await askDue(parts, hourly, { now: hour, last: null }), false);
  assert.deepEqual(reports, []);
  assert.equal(await askDue(parts, hourly, { now: hour, last: 2 * hour }), false);
  assert.match(
    reports.join(),
    /trigger of the skill hourly failed, and its job was not begun: .*back in time/,
  );
});
