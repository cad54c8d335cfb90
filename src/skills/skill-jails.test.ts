import assert from "node:assert/strict";
import { test } from "node:test";
import { locateJailWorker } from "../act/sandbox/jail.ts";
import { openJailThreads, usualMemory } from "../act/sandbox/jail-threads.ts";
import { bottomLabel } from "../signal/label.ts";
import type { AcceptedSkill } from "../signal/skill.ts";
import { nothingDeclared } from "./read-declaration.ts";
import { openSkillJails } from "./skill-jails.ts";

const never = new AbortController().signal;
const limits = { milliseconds: 20_000, maxCharacters: 10_000 };

function skillOf(name: string, code: string): AcceptedSkill {
  const head = { name, title: name, id: null, dependsOn: [], priority: 50, capabilities: [], guards: [] };
  const more = { hooks: [], crons: [], mandates: [], trigger: null, prompt: "" };
  const digest = String(code.length).padStart(64, "0");
  return { head: { ...head, ...more }, declared: nothingDeclared, digest, code, enabled: true, from: null };
}

/** Counts, so that two calls of one jail can be told from those of two. */
const counting = `let count = 0;
export const tools = {
  count: { run: () => ++count },
  work: { run: () => { for (let i = 0; i < 300000; i++); return ++count; } },
  eat: { run: () => { const all = []; for (;;) all.push(new Uint8Array(1000000)); } },
};`;

function openWorld() {
  const threads = openJailThreads(locateJailWorker());
  const opened = { count: 0 };
  const jails = openSkillJails(() => {
    opened.count += 1;
    return threads.take(usualMemory, never);
  });
  const call = async (
    skill: AcceptedSkill,
    tool: string,
    secrecy: "public" | "private" = "public",
  ): Promise<string> => {
    const asked = { path: ["tools", tool, "run"], values: "[]", limits, label: { ...bottomLabel, secrecy } };
    const reply = await jails.call(skill, asked, never);
    return reply.ok ? reply.json : reply.code;
  };
  const dispose = async () => {
    await jails[Symbol.asyncDispose]();
    await threads[Symbol.asyncDispose]();
  };
  return { jails, call, opened: () => opened.count, [Symbol.asyncDispose]: dispose };
}

test("calls of a version that is replaced are finished, those that wait for its jail too, and a later call begins in another", async () => {
  await using world = openWorld();
  const old = skillOf("dice", counting);
  assert.equal(await world.call(old, "count"), "1");
  const running = [world.call(old, "work"), world.call(old, "count")];
  world.jails.keepOnly([]);
  assert.deepEqual(await Promise.all(running), ["2", "3"]);
  assert.equal(await world.call(old, "count"), "1");
  assert.equal(world.opened(), 2);
});

test("a call that private text goes into cuts off no other call of its skill, and none after it knows what it left", async () => {
  await using world = openWorld();
  const skill = skillOf("dice", counting);
  const results = await Promise.all([
    world.call(skill, "work"),
    world.call(skill, "work", "private"),
    world.call(skill, "work"),
    world.call(skill, "count"),
  ]);
  assert.deepEqual(results, ["1", "2", "1", "2"]);
  assert.equal(await world.call(skill, "count"), "3");
});

test("calls that wait behind one that breaks the limit of memory begin in a fresh jail", async () => {
  await using world = openWorld();
  const skill = skillOf("dice", counting);
  const results = await Promise.all(
    ["count", "eat", "count", "eat", "count"].map((tool) => world.call(skill, tool)),
  );
  assert.deepEqual(results, ["1", "memory-limit", "1", "memory-limit", "1"]);
});

test("two skills whose files are the same share no jail", async () => {
  await using world = openWorld();
  assert.equal(await world.call(skillOf("dice", counting), "count"), "1");
  assert.equal(await world.call(skillOf("copy", counting), "count"), "1");
});

test("what cannot be loaded says so to each call, and is tried anew", async () => {
  await using world = openWorld();
  const broken = skillOf("broken", "throw new Error('no');");
  assert.deepEqual(await Promise.all([world.call(broken, "count"), world.call(broken, "count")]), [
    "jail-failed",
    "jail-failed",
  ]);
  assert.equal(await world.call(broken, "count"), "jail-failed");
  assert.equal(world.opened(), 2);
});
