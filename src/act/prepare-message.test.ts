import assert from "node:assert/strict";
import { test } from "node:test";
import { actuatorsOver, expectPrepared, prepareProposal, proposal } from "../../test/act-preparer.ts";
import type { Caller } from "../signal/tool.ts";
import type { DeliverMessage } from "./actuators.ts";
import { callerAt, openWorkbench } from "./tools/workbench.fixture.ts";

const go = new AbortController().signal;

test("words through the turn's own channel are a reply to its person, and delivered to its session", async () => {
  await using bench = await openWorkbench();
  const told: string[][] = [];
  const tell: DeliverMessage = async (...words) => {
    told.push(words);
    return { delivered: true };
  };
  const parts = { actuators: actuatorsOver(tell) };
  for (const target of ["CLI", "", "system"]) {
    const prepared = expectPrepared(
      await prepareProposal(bench, proposal(target, { action: "message", text: "hi" }), { parts }),
    );
    const [effect] = prepared.effects;
    assert.ok(effect?.kind === "tell-person");
    assert.deepEqual(
      [effect.person, effect.channel, effect.ownSession, prepared.facts.action.kind],
      ["owner", "cli", true, "reply"],
    );
    await prepared.run(go);
  }
  assert.deepEqual(told, [
    ["session-1", "hi"],
    ["session-1", "hi"],
    ["session-1", "hi"],
  ]);
});

test("words through another channel go to somebody else, and are no reply", async () => {
  await using bench = await openWorkbench();
  const prepared = expectPrepared(
    await prepareProposal(bench, proposal("telegram", { action: "message", text: "hi" })),
  );
  const [effect] = prepared.effects;
  assert.ok(effect?.kind === "tell-person");
  assert.deepEqual(
    [effect.person, effect.ownSession, prepared.facts.action.kind],
    ["other", false, "proposal"],
  );
});

test("a message in an unproved client's turn goes to that client, and a turn that nobody started tells the owner by the default actuator", async () => {
  await using bench = await openWorkbench();
  const person = async (caller: Caller) => {
    const [effect] = expectPrepared(
      await prepareProposal(bench, proposal("system", { action: "message", text: "hi" }), { caller }),
    ).effects;
    return effect?.kind === "tell-person" ? [effect.person, effect.channel] : [];
  };
  assert.deepEqual(await person({ ...callerAt(null), person: "unproved", source: "tui" }), [
    "unproved",
    "tui",
  ]);
  assert.deepEqual(
    await person({ ...callerAt(null), person: "nobody", source: "system", startedBy: "nobody" }),
    ["owner", "cli"],
  );
});

test("a message that was not delivered is an error outcome that says why", async () => {
  await using bench = await openWorkbench();
  const parts = {
    actuators: actuatorsOver(async () => ({ delivered: false, reason: "nobody is connected" })),
  };
  const outcome = await expectPrepared(
    await prepareProposal(bench, proposal("cli", { action: "message", text: "hi" }), { parts }),
  ).run(go);
  assert.match(
    outcome.status === "error" ? `${outcome.code} ${outcome.message}` : "",
    /^not-delivered .*nobody is connected/,
  );
});
