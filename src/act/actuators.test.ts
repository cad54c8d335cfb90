import assert from "node:assert/strict";
import { test } from "node:test";
import {
  actuatorsOver,
  alwaysDelivered,
  expectPrepared,
  expectRefusal,
  openTestPreparer,
  proposal,
} from "../../test/act-preparer.ts";
import type { DeclaredEffects } from "../signal/actuator.ts";
import type { Effect } from "../signal/effect.ts";
import { bottomLabel } from "../signal/label.ts";
import { type Caller, success, type Tool } from "../signal/tool.ts";
import type { Actuator } from "./actuators.ts";
import { makeMessageActuator, makeToolActuator } from "./built-in-actuators.ts";
import { callerAt, openWorkbench } from "./tools/workbench.fixture.ts";

const go = new AbortController().signal;
const lampHost: Effect = {
  kind: "reach-host",
  target: "lamp.example",
  scheme: "https",
  port: 443,
  addresses: [],
  label: bottomLabel,
  reversal: "final",
};

/** An actuator of a part that the core knows nothing about. */
function lamp(
  declares: DeclaredEffects = { effects: ["reach-host"] },
  effects: readonly Effect[] = [lampHost],
) {
  const done: string[] = [];
  const tool: Tool & { readonly declares: DeclaredEffects } = {
    name: "lamp",
    description: "Turns the lamp on or off",
    permission: "allow",
    parameters: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
    declares,
    prepare: async ({ to }) => ({
      ok: true,
      effects,
      plan: { to: String(to) },
      changes: [],
      resultLabel: bottomLabel,
      run: async () => {
        done.push(String(to));
        return success({ to: String(to) });
      },
    }),
  };
  return { actuator: makeToolActuator(tool), done };
}

test("an actuator that the core does not know registers while the preparer is open, is judged by its effects, performs, and leaves", async () => {
  await using bench = await openWorkbench();
  const actuators = actuatorsOver(alwaysDelivered);
  const acting = openTestPreparer(bench, { actuators });
  const prepare = (target: string, payload: { readonly [key: string]: string }) =>
    acting.prepare(proposal(target, payload), callerAt(null), []);
  assert.match(expectRefusal(await prepare("lamp", { to: "on" })), /Target 'lamp' not found/);
  const { actuator, done } = lamp();
  const leave = actuators.register(() => [actuator]);
  const prepared = expectPrepared(await prepare("LAMP", { to: "on" }));
  assert.deepEqual(
    [prepared.effects, prepared.tool, prepared.facts.action.target],
    [[lampHost], "lamp", "lamp"],
  );
  await prepared.run(go);
  assert.deepEqual(done, ["on"]);
  assert.ok(acting.declarations().some(({ name }) => name === "lamp"));
  assert.ok(acting.targets("cli").some(({ name }) => name === "lamp"));
  const called = proposal("tool", { tool: "lamp", args: { to: "off" } });
  assert.ok((await acting.prepare(called, callerAt(null), [])).ok);
  leave();
  assert.match(expectRefusal(await prepare("lamp", { to: "on" })), /Target 'lamp' not found/);
  assert.match(expectRefusal(await acting.prepare(called, callerAt(null), [])), /Tool 'lamp' not found/);
  assert.ok(!acting.declarations().some(({ name }) => name === "lamp"));
});

test("the owner's permission for an actuator counts as that for a tool", async () => {
  await using bench = await openWorkbench();
  const actuators = actuatorsOver(alwaysDelivered);
  actuators.register(() => [lamp().actuator]);
  const acting = openTestPreparer(bench, { actuators, permissions: new Map([["lamp", "deny"]]) });
  const prepared = await acting.prepare(proposal("lamp", { to: "on" }), callerAt(null), []);
  assert.equal(expectPrepared(prepared).facts.permission, "deny");
});

for (const [what, declares, words] of [
  ["another kind of effect", { effects: ["read-path"] }, /does not declare: reach-host lamp\.example\. /],
  [
    "an effect that claims to be better undone",
    { effects: ["reach-host"], reversal: "final" },
    /does not declare: reach-host lamp\.example as undoable\. /,
  ],
] as const)
  test(`${what} than an actuator declares is refused, by its target and as a tool`, async () => {
    await using bench = await openWorkbench();
    const actuators = actuatorsOver(alwaysDelivered);
    const { actuator } = lamp(declares, [{ ...lampHost, reversal: "undoable" }]);
    actuators.register(() => [actuator]);
    const acting = openTestPreparer(bench, { actuators });
    for (const asked of [
      proposal("lamp", { to: "on" }),
      proposal("tool", { tool: "lamp", args: { to: "on" } }),
    ]) {
      const refusal = expectRefusal(await acting.prepare(asked, callerAt(null), []));
      assert.match(refusal, /^undeclared-effect: The tool 'lamp' would do what it/);
      assert.match(refusal, words);
    }
  });

test("what goes beyond an actuator after a first round of calls is not said to have done nothing", async () => {
  await using bench = await openWorkbench();
  const actuators = actuatorsOver(alwaysDelivered);
  actuators.register(() => [lamp({ effects: ["read-path"] }).actuator]);
  const acting = openTestPreparer(bench, { actuators });
  const rounds = [{ tools: ["write-file"], results: [null], label: bottomLabel }];
  const prepare = async (caller: Caller): Promise<string> =>
    expectRefusal(await acting.prepare(proposal("lamp", { to: "on" }), caller, []));
  assert.match(await prepare(callerAt(null)), /lamp\.example\. Nothing was done\.$/);
  assert.match(await prepare({ ...callerAt(null), rounds }), /does not declare: reach-host lamp\.example\.$/);
});

test("a name that differs from an actuator or a tool only in case or dashes cannot register, and one that clashes later is left out", async () => {
  const bench = await openWorkbench();
  await using _ = bench;
  const actuators = actuatorsOver(alwaysDelivered);
  const named = (name: string): Actuator => makeMessageActuator({ name, tell: alwaysDelivered });
  for (const name of ["CLI", "Tele-gram", "Shell"])
    assert.throws(() => actuators.register(() => [named(name)]), /which mean the same/);
  assert.throws(() => actuators.register(() => [named("fax"), named("Fax")]), /'fax' and 'Fax'/);
  const now = { list: [named("fax")] };
  actuators.register(() => now.list);
  const pagers = [named("pager")];
  const leave = actuators.register(() => pagers);
  now.list = [named("fax"), named("cli"), named("Fax")];
  const all = () => actuators.all().map(({ name }) => name);
  assert.deepEqual(all().slice(-2), ["fax", "pager"]);
  assert.equal(actuators.all(), actuators.all());
  leave();
  assert.equal(actuators.find("pager"), undefined);
  assert.equal(actuators.find("FAX")?.name, "fax");
});

test("an actuator is reached only in the turns that it serves, and is not offered in others", async () => {
  await using bench = await openWorkbench();
  const actuators = actuatorsOver(alwaysDelivered);
  actuators.register(() => [
    makeMessageActuator({ name: "emacs", tell: alwaysDelivered, serves: ({ source }) => source === "emacs" }),
  ]);
  const acting = openTestPreparer(bench, { actuators });
  const words = proposal("emacs", { action: "message", text: "hi" });
  assert.match(
    expectRefusal(await acting.prepare(words, callerAt(null), [])),
    /^unknown-target: Target 'emacs' not found\. There are: cli, tui, telegram, tool, shell, system\.$/,
  );
  expectPrepared(await acting.prepare(words, { ...callerAt(null), source: "emacs" }, []));
  assert.ok(!acting.targets("cli").some(({ name }) => name === "emacs"));
});
