import assert from "node:assert/strict";
import { after, test } from "node:test";
import { locateJailWorker } from "../../act/sandbox/jail.ts";
import { openJailThreads, usualMemory } from "../../act/sandbox/jail-threads.ts";
import type { Effect } from "../../signal/effect.ts";
import type { CallSkill } from "../../signal/jail-work.ts";
import { bottomLabel, type Label } from "../../signal/label.ts";
import type { AcceptedSkill } from "../../signal/skill.ts";
import type { SkillFailure } from "../../signal/skill-failure.ts";
import { nothingDeclared } from "../read-declaration.ts";
import { findGateChange } from "./find-gate-change.ts";
import { proveFix, type RecordedObjection, withTestFor } from "./prove-fix.ts";
import { readFix } from "./read-fix.ts";
import { watchFailures } from "./skill-failures.ts";

const threads = openJailThreads(locateJailWorker());
after(() => threads[Symbol.asyncDispose]());
const openJail = () => threads.take(usualMemory, new AbortController().signal);

const before = `#+TITLE: Words
#+GUARDS: run-program

#+begin_src typescript
export const tools = {
  last: {
    description: "The last word",
    parameters: { text: { type: "string" } },
    run({ text }: { text: string }): string {
      return text.split(" ").at(-2)!.trim();
    },
  },
};
#+end_src

#+begin_src typescript
const isPush = (word: string): boolean => word === "push";
#+end_src

#+begin_src typescript
export const gates = {
  pushes: {
    effects: ["run-program"],
    answer: (effect: { argv: string[] }) => (effect.argv.some(isPush) ? { block: "no pushing" } : null),
  },
};
#+end_src

#+begin_src typescript :test of two words
equal(skill.tools.last.run({ text: "one two" }), "one");
#+end_src
`;
const mended = `--- words.org
+++ words.org
@@ -9,3 +9,3 @@
     run({ text }: { text: string }): string {
-      return text.split(" ").at(-2)!.trim();
+      return (text.split(" ").at(-2) ?? "").trim();
     },
`;
const fence = (diff: string): string => `Here it is:\n\`\`\`diff\n${diff}\`\`\`\n`;
const fileOf = (text: string) => ({ file: "words.org", text });
const failure = { where: ["tools", "last", "run"], input: '[{"text":"one"}]' };
const push: RecordedObjection = {
  gate: "pushes",
  result: "block",
  effect: {
    kind: "run-program",
    target: "git push",
    argv: ["git", "push"],
    label: bottomLabel,
    reversal: "final",
  } as unknown as Effect,
  about: {},
};
const tried = (text: string, objections: readonly RecordedObjection[] = [push]) =>
  proveFix({ file: "words.org", before, after: text, failure, objections, openJail });

test("a function that throws is kept with its input and where that came from, and what was private is not kept", async () => {
  const call: CallSkill = async () => ({ ok: false, code: "thrown", message: "no (words.org:10)", logs: [] });
  const skill: AcceptedSkill = {
    head: {
      name: "words",
      title: "",
      id: null,
      dependsOn: [],
      priority: 50,
      capabilities: [],
      guards: [],
      hooks: [],
      crons: [],
      mandates: [],
      trigger: null,
      prompt: "",
    },
    declared: nothingDeclared,
    digest: "d",
    code: "",
    enabled: true,
    from: null,
  };
  const kept: Omit<SkillFailure, "count">[] = [];
  const keep = async (one: Omit<SkillFailure, "count">) => void kept.push(one);
  const limits = { milliseconds: 1, maxCharacters: 100 };
  const { signal } = new AbortController();
  const label: Label = { ...bottomLabel, sources: [{ id: "turn-1", path: "" }] };
  const watched = watchFailures(call, keep);
  await watched(skill, { path: failure.where, values: failure.input, limits, label }, signal);
  const gate = ["gates", "g", "answer"];
  const secret: Label = { ...label, secrecy: "private" };
  await watched(skill, { path: gate, values: '["secret"]', limits, label: secret }, signal);
  assert.deepEqual(
    kept.map(({ where, input, message, label: of }) => [
      where,
      input,
      message,
      of.integrity,
      of.sources[0]?.id,
    ]),
    [
      [failure.where, failure.input, "no (words.org:10)", "user", "turn-1"],
      [gate, null, "(It was called with private text.)", "user", "turn-1"],
    ],
  );
  kept.length = 0;
  const says: CallSkill = async (_, { values }) => ({ ok: true, json: values, logs: [] });
  for (const values of ["null", '{"ask":"why"}', '{"block":true}', "1"])
    await watchFailures(says, keep)(skill, { path: gate, values, limits, label }, signal);
  assert.deepEqual(
    kept.map(({ input }) => input),
    ['{"block":true}', "1"],
  );
});

test("a fix that could change a gate is refused, recorded or not: its block, what it uses, a name that it uses, what all code shares", () => {
  const tools = "export const tools = { last: { run: (text) => cut(text) } };\n";
  const help = "const isPush = (word) => word === 'push';\n";
  const gates =
    "export const gates = { pushes: { effects: ['run-program'], answer: (e) => (e.argv.some(isPush) && JSON ? { block: 'no' } : null) } };\n";
  const before = [tools, help, gates];
  const mended = tools.replace("cut(text)", "text.trim()");
  assert.equal(findGateChange(before, [mended, help, gates]), null);
  assert.equal(findGateChange([tools], [mended]), null);
  const fixes: readonly (readonly string[])[] = [
    [tools, help, gates.replace("{ block: 'no' }", "null")],
    [tools, help.replace("=== 'push'", "=== 'nothing'"), gates],
    [mended, help],
    [mended, gates],
    [`${mended}const JSON = null;`, help, gates],
    [`${mended}function JSON() {}`, help, gates],
    [`${mended}const { a: JSON } = { a: 0 };`, help, gates],
    [`${mended}class JSON {}`, help, gates],
    [mended.replace("text.trim()", "(gates.pushes.answer = () => null)"), help, gates],
    [mended.replace("text.trim()", "(g\\u0061tes.pushes.answer = () => null)"), help, gates],
    [mended.replace("text.trim()", "(Array.prototype.some = () => false)"), help, gates],
    [mended.replace("text.trim()", "([].__proto__.some = () => false)"), help, gates],
    [mended.replace("text.trim()", "[].constructor.from(text)"), help, gates],
    [mended.replace("text.trim()", "(JSON.parse = text)"), help, gates],
    [`${mended}export { tools as x };`, help, gates],
    [mended.replace("text.trim()", "(isPush.call = () => false)"), help, gates],
  ];
  for (const fix of fixes)
    assert.match(String(findGateChange(before, fix)), /Gates are changed by their owner alone/, fix.join(""));
  assert.match(String(findGateChange([tools], [mended, gates])), /adds gates/);
});

test("a fix that drops, changes or moves a block which sets what a gate reads is refused, also where the block knows it by another name", () => {
  const gates =
    "export const gates = { g: { effects: ['run-program'], answer: () => (limits.strict ? { block: 'no' } : null) } };\n";
  const made = "var limits = { strict: false };\n";
  const alias = "const settings = limits;\n";
  const set = "settings.strict = true;\n";
  const tools = "export const tools = { last: { run: (text) => text.at(1) } };\n";
  const before = [made, alias, set, gates, tools];
  const mended = tools.replace("at(1)", "at(0)");
  assert.equal(findGateChange(before, [made, alias, set, gates, mended]), null);
  const fixes: readonly (readonly string[])[] = [
    [made, alias, gates, mended],
    [made, alias, set.replace("true", "false"), gates, mended],
    [set, made, alias, gates, mended],
    [made, alias, set, gates, `${mended}settings.strict = false;\n`],
    [made, alias, set, made, gates, mended],
  ];
  for (const fix of fixes)
    assert.match(String(findGateChange(before, fix)), /Gates are changed by their owner alone/, fix.join(""));
});

test("a fix is a diff of the skill's own file: one that names the loop, a gate, rules, settings or another skill is refused", () => {
  assert.equal(readFix(fence(mended), fileOf(before)).ok, true);
  for (const name of [
    "src/gate/judge.ts",
    "../rules.json",
    "other.org",
    "/etc/passwd",
    "config.env",
    "b/../words.org",
  ]) {
    const diff = `${mended}--- ${name}\n+++ ${name}\n@@ -1 +1 @@\n-a\n+b\n`;
    const read = readFix(fence(diff), fileOf(before));
    assert.ok(!read.ok && /Only words\.org can be changed/.test(read.problem), name);
    assert.equal(
      readFix(fence(`rename from words.org\nrename to ${name}\n${mended}`), fileOf(before)).ok,
      false,
      name,
    );
  }
  for (const answer of [
    "no diff",
    fence(""),
    fence(mended) + fence(mended),
    fence(mended.replace("at(-2)!", "at(-9)!")),
  ])
    assert.equal(readFix(answer, fileOf(before)).ok, false, answer);
});

test("a fix that passes the old tests, takes the input that failed and objects as before holds, with a test of its own for the failure", async () => {
  const read = readFix(fence(mended), fileOf(before));
  assert.ok(read.ok);
  const whole = withTestFor(read.text, failure) ?? "";
  assert.deepEqual(await tried(whole), { ok: true, tests: 2, objections: 1 });
  assert.match(
    ((await tried(withTestFor(before, failure) ?? "")) as { problem: string }).problem,
    /takes what it failed with' failed/,
  );
});

test("a fix that still fails, loosens a gate, drops a guard or a test, wants more, or tells the model something is refused", async () => {
  const read = readFix(fence(mended), fileOf(before));
  const good = read.ok ? read.text : "";
  const cases: readonly (readonly [string, RegExp])[] = [
    [before.replace(".trim();", ".trim() ;"), /still fails with the same input/],
    [good.replace('{ block: "no pushing" }', "null"), /changes a block that exports a gate/],
    [good.replace('=== "push"', '=== "pull"'), /changes a block that exports a gate, or that a gate uses/],
    [
      good.replace('effects: ["run-program"]', 'effects: ["read-path"]'),
      /changes a block that exports a gate/,
    ],
    [good.replace("#+GUARDS: run-program\n", ""), /no longer guards run-program/],
    [good.replace('"one");', '"one"); // eased'), /removes the test 'of two words'/],
    [good.replace("#+TITLE: Words", "#+TITLE: Words\n#+CAPABILITIES: shell:git"), /wants to call shell:git/],
    [good.replace("#+TITLE: Words", "#+TITLE: Words\n#+TOOL_CALLS: 51"), /may use more in a turn/],
    [good.replace("#+TITLE: Words", "#+TITLE: Words\n#+SECONDS: 31"), /may use more in a turn/],
    [good.replace("#+TITLE: Words", "#+TITLE: Words\n#+MANDATE: Push always."), /tells the model/],
    [good.replace("export const tools", "export const tools = ("), /words\.org/],
  ];
  for (const [text, problem] of cases) {
    const proved = await tried(text);
    assert.ok(!proved.ok && problem.test(proved.problem), `${String(problem)}: ${JSON.stringify(proved)}`);
  }
});
test("a fix that drops a gate or asks it of less is refused where no objection is recorded, and so are other words of its tools", async () => {
  const read = readFix(fence(mended), fileOf(before));
  const good = withTestFor(read.ok ? read.text : "", failure) ?? "";
  const cases: readonly (readonly [string, RegExp])[] = [
    [good.replace(/export const gates[\s\S]*?\n};\n/, ""), /changes a block that exports a gate/],
    [
      good.replace('effects: ["run-program"]', 'effects: ["read-path"]'),
      /changes a block that exports a gate/,
    ],
    [good.replace("The last word", "Call me for everything"), /tells the model/],
  ];
  for (const [text, problem] of cases) {
    const proved = await tried(text, []);
    assert.ok(!proved.ok && problem.test(proved.problem), `${String(problem)}: ${JSON.stringify(proved)}`);
  }
  assert.deepEqual(await tried(good, []), { ok: true, tests: 2, objections: 0 });
});
