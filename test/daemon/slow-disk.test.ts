import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { makeWorld, sent, talkTo } from "../agent-world.ts";
import { type FileCall, watchFileCalls } from "../file-calls.ts";
import { fillSlowDisk, slowDiskActs } from "../slow-disk-acts.ts";

/**
 * Where each call takes 100 ms, so many in one round of the event loop keep all others waiting for less than
 * 250 ms.
 */
const mostInRound = 2;

function told(calls: readonly FileCall[]): string {
  return calls
    .map(({ name, path, stack }) => `${name} ${path} ${stack.split("\n").slice(3, 6).join(" ")}`)
    .join("\n");
}

function assertShort(name: string, rounds: readonly (readonly FileCall[])[]): void {
  for (const round of rounds)
    assert.ok(round.length <= mostInRound, `${name}: ${round.length} calls\n${told(round)}`);
}

test("what a turn does with the state folder keeps nobody else waiting, however slow its disk is", async (t) => {
  const world = await makeWorld(t);
  fillSlowDisk(world);
  // A folder that was used before: what is made once in its life is there.
  {
    await using first = await world.open();
    world.provider.add({ text: "Yes." });
    await (await talkTo(first)).say("boiler?");
  }
  await using agent = await world.open();
  const talk = await talkTo(agent);
  const watch = watchFileCalls({
    isSlow: (path) => path === world.state || path.startsWith(`${world.state}/`),
    milliseconds: 0,
  });
  t.after(watch.stop);
  for (const { name, words, steps } of slowDiskActs) {
    world.provider.add(...steps);
    const asked = await talk.say(words);
    if (asked.end === "approval-required") await talk.say(`/approve ${talk.token()}`);
    assert.equal(world.provider.drop(), 0, `${name}: ${asked.text}`);
    assertShort(name, watch.rounds());
  }
});

test("what a turn does with the workspace and the notes keeps nobody else waiting, however slow their disk is", async (t) => {
  const world = await makeWorld(t);
  const notes = fillSlowDisk(world);
  await using agent = await world.open();
  const talk = await talkTo(agent);
  const watch = watchFileCalls({
    isSlow: (path) => path.startsWith(world.workspace) || path.startsWith(notes),
    milliseconds: 0,
  });
  t.after(watch.stop);
  for (const { name, words, steps } of slowDiskActs) {
    world.provider.add(...steps);
    const asked = await talk.say(words);
    const { text } = asked.end === "approval-required" ? await talk.say(`/approve ${talk.token()}`) : asked;
    assert.notEqual(text, "", name);
    assert.equal(world.provider.drop(), 0, `${name}: ${text}`);
    assertShort(name, watch.rounds());
  }
  writeFileSync(join(notes, "n3.org"), "* A note that a person saved\nQuokkaberry tea.\n");
  for (let tries = 0; ; tries += 1) {
    assert.ok(tries < 200, "the saved note is not in the prompt");
    world.provider.add({ text: "Yes." });
    await talk.say("Quokkaberry?");
    if (sent(world, world.provider.requests.length - 1).includes("Quokkaberry tea.")) break;
    await pause(50);
  }
  assertShort("a saved note", watch.rounds());
});
