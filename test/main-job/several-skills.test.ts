import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type AgentWorld, calls, makeWorld, named, sent, talkTo } from "../agent-world.ts";

/** Writes skills into the folder of the owner's own: their keywords, and their code. */
function teach(
  world: AgentWorld,
  skills: Readonly<Record<string, readonly [keywords: readonly string[], code: string]>>,
): void {
  mkdirSync(join(world.configuration, "skills"), { recursive: true });
  for (const [name, [keywords, code]] of Object.entries(skills)) {
    const head = keywords.map((keyword) => `#+${keyword}\n`).join("");
    const text = `${head}\n#+begin_src typescript\n${code}\n#+end_src\n`;
    writeFileSync(join(world.configuration, "skills", `${name}.org`), text);
  }
}

test("where no model answers, skills are asked by priority with the failure and what was said: one answers, drops the words, ends the turn or has nothing to offer", async (t) => {
  const world = await makeWorld(t, [{ status: 401, repeat: true }]);
  const recover = (body: string): string =>
    `type Failure = { error: string; message: string; sensor: string; source: string; text: string };
export function recover(failure: Failure) { ${body} }`;
  teach(world, {
    low: [["PRIORITY: 10"], recover("return { drop: true };")],
    high: [
      ["PRIORITY: 90"],
      recover(`const { error, message, sensor, source, text } = failure;
if (text === "tell") return { answer: [error, sensor, source, message].join(" / ") };
if (text === "end") return { end: "No luck today." };
if (text === "throw") throw new Error("no idea");
return null;`),
    ],
  });
  await using daemon = await world.open({}, { warn: () => undefined });
  const talk = await talkTo(daemon);
  const ended: string[] = [];
  for (const words of ["tell", "end", "throw", "pass"]) {
    const { end, code, text } = await talk.say(words);
    ended.push([words, end, code, text.replace(/No provider could answer[\s\S]*/, "…")].join(" | "));
  }
  const failure = "LLM error (loop): …";
  assert.deepEqual(ended, [
    `tell | answered |  | The skill high answers: LlmError / user-input / cli / ${failure}`,
    `end | stopped | aborted | Ended by the skill high: No luck today.\n${failure}`,
    `throw | stopped | skipped | Skipped by the skill low: ${failure}`,
    `pass | stopped | skipped | Skipped by the skill low: ${failure}`,
  ]);
});

test("what a skill leaves in its jail is there at its next call and seen by no other skill, and a tool that throws gives an error", async (t) => {
  const world = await makeWorld(t);
  const tool = (name: string, before: string, run: string): string =>
    `${before} export const tools = { ${name}: { description: "x", parameters: {}, run: () => ${run} } };`;
  const leaves =
    "let counted = 0; for (const place of [globalThis, Object.prototype]) try { place.left = 1; } catch {}";
  teach(world, {
    one: [[], tool("one", leaves, "'counted ' + (counted += 1)")],
    other: [[], tool("other", "", "'seen ' + typeof globalThis.left + ' ' + typeof ({}).left")],
    broken: [[], tool("broken", "", "{ throw new Error('out of order'); }")],
  });
  const names = ["broken", "one", "one", "other"];
  world.provider.add(...names.map((name) => calls([name, {}])), { text: "Counted." });
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("count");
  assert.equal(said.text, "Counted.");
  const [broken, ...results] = named(said.events, "outcome");
  assert.equal(broken?.status, "error");
  assert.match(sent(world, 1), /out of order/);
  const wanted = ["counted 1", "counted 2", "seen undefined undefined"];
  assert.deepEqual(
    results.map(({ content }) => content),
    wanted.map((value) => ({ value })),
  );
});

test("a skill is in force where those that it depends on are, also where its name comes before theirs; a circle and what is missing are named", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  const tool = (name: string): string =>
    `export const tools = { ${name}: { description: "Does ${name}", parameters: {}, run: () => 1 } };`;
  teach(world, {
    a: [["DEPENDS_ON: z"], tool("first")],
    z: [[], tool("second")],
    lost: [["DEPENDS_ON: nowhere"], tool("third")],
    round: [["DEPENDS_ON: trip"], tool("fourth")],
    trip: [["DEPENDS_ON: round"], ""],
  });
  const { out } = await world.command(["skill", "list"]);
  assert.match(out, /lost\.org depends on nowhere/);
  assert.match(out, /round\.org → trip\.org → round\.org/);
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("hello");
  const declared = [...sent(world, 0).matchAll(/"description":"Does (\w+)/g)].map(([, name]) => name);
  assert.deepEqual(declared, ["second", "first"]);
});
