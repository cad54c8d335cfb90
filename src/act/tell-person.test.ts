import assert from "node:assert/strict";
import { test } from "node:test";
import type { Asker } from "../signal/tool.ts";
import { accepted, action, messaging, prepare } from "./acting.fixture.ts";
import { type Tell, workingActuators } from "./actuators.ts";
import { askerAt, openWorkbench } from "./workbench.fixture.ts";

const go = new AbortController().signal;

test("words through the turn's own channel are a reply to its person, and delivered to its session", async () => {
  await using bench = await openWorkbench();
  const told: string[][] = [];
  const tell: Tell = async (...words) => {
    told.push(words);
    return { delivered: true };
  };
  const parts = { actuators: [...messaging(tell), ...workingActuators] };
  for (const target of ["CLI", "", "system"]) {
    const prepared = accepted(
      await prepare(bench, action(target, { action: "message", text: "hi" }), { parts }),
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
  const prepared = accepted(await prepare(bench, action("telegram", { action: "message", text: "hi" })));
  const [effect] = prepared.effects;
  assert.ok(effect?.kind === "tell-person");
  assert.deepEqual(
    [effect.person, effect.ownSession, prepared.facts.action.kind],
    ["other", false, "proposal"],
  );
});

test("words of an unproved client stay its own, and a turn of nobody tells the owner by the default actuator", async () => {
  await using bench = await openWorkbench();
  const person = async (asker: Asker) => {
    const [effect] = accepted(
      await prepare(bench, action("system", { action: "message", text: "hi" }), { asker }),
    ).effects;
    return effect?.kind === "tell-person" ? [effect.person, effect.channel] : [];
  };
  assert.deepEqual(await person({ ...askerAt(null), person: "unproved", source: "tui" }), [
    "unproved",
    "tui",
  ]);
  assert.deepEqual(
    await person({ ...askerAt(null), person: "nobody", source: "system", startedBy: "nobody" }),
    ["owner", "cli"],
  );
});

test("a message that was not delivered is an error outcome that says why", async () => {
  await using bench = await openWorkbench();
  const parts = {
    actuators: [
      ...messaging(async () => ({ delivered: false, reason: "nobody is connected" })),
      ...workingActuators,
    ],
  };
  const outcome = await accepted(
    await prepare(bench, action("cli", { action: "message", text: "hi" }), { parts }),
  ).run(go);
  assert.match(
    outcome.status === "error" ? `${outcome.code} ${outcome.message}` : "",
    /^not-delivered .*nobody is connected/,
  );
});
