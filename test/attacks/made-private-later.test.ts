import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Agent } from "../../src/daemon/agent/resources/agent.ts";
import { type AgentWorld, calls, makeWorld, talkTo } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";

const long = "the doctor said that the lump in my left lung has grown by four millimetres since spring";
/** Words of a case's own, some too few to be known by themselves, and others beside them that stay public. */
const entries = (own: string, mark: string): string =>
  `* Bread\nflour and salt\n* Health ${own}${mark}\nlump ${own}\n${long.replaceAll(" ", ` ${own} `)}\n** Code\n47 ${own}\n* Plums\nin jars\n`;

const ends: (() => unknown)[] = [];
let world: AgentWorld;
let agent: Agent;
before(async (t) => {
  assert.ok("after" in t);
  world = await makeWorld({ after: (end) => ends.push(end) });
  mkdirSync(join(world.home, "memex"));
  writeFileSync(join(world.home, "memex/first.org"), "* First\n");
  agent = await world.open();
});
test.after(async () => {
  await agent[Symbol.asyncDispose]();
  for (const end of ends) await end();
});

/** The requests of one turn, whose first calls are followed by a change before the model answers again. */
async function changeInTheMiddle(first: Step, change: () => void): Promise<readonly string[]> {
  const changed = Promise.withResolvers<void>();
  const from = world.provider.requests.length;
  world.provider.add(first, { ...calls(["list-files", {}]), after: changed.promise }, { text: "Done." });
  const talk = await talkTo(agent);
  const saying = talk.say("go on");
  while (world.provider.requests.length < from + 2) await pause(5);
  change();
  changed.resolve();
  assert.equal((await saying).end, "answered");
  world.provider.add({ text: "Again." });
  await talk.say("and now");
  return world.provider.requests.slice(from).map(({ body }) => body);
}

type Reading = readonly [place: string, call: (path: string) => readonly [tool: string, args: object]];
const readings: Readonly<Record<string, Reading>> = {
  "a note that a tool read": ["memex/read.org", (path) => ["read-file", { path }]],
  "a note that a command printed": ["memex/printed.org", (path) => ["shell", { cmd: `cat ${path}` }]],
  "a note that a search of memory found": ["memex/found.org", () => ["recall", { query: "lump" }]],
  "a file of the workspace": ["work/read.org", (path) => ["read-file", { path }]],
  "a text with the tags of a note": ["work/read.txt", (path) => ["read-file", { path }]],
  "what a command printed of the workspace": ["work/p.org", (path) => ["shell", { cmd: `cat ${path}` }]],
  "matches of a search": ["work/match.org", () => ["search-files", { pattern: "lump|47" }]],
  "matches of a command": ["work/grep.org", () => ["shell", { cmd: "grep -rE 'lump|47' ." }]],
};

test("what its owner makes private in a running turn is sent no more, whatever read it", async () => {
  for (const [name, [place, call]] of Object.entries(readings)) {
    const path = join(world.home, place);
    const own = place.replaceAll(/[^a-z]/g, "");
    const telling = new RegExp(`(?:Health|lump|47) ${own}`);
    writeFileSync(path, entries(own, ""));
    const bodies = await changeInTheMiddle(calls(call(path)), () =>
      writeFileSync(path, entries(own, " :@personal:")),
    );
    const [, read = "", ...later] = bodies;
    assert.match(read, telling, name);
    assert.equal(later.length, 2, name);
    for (const body of later) {
      assert.doesNotMatch(body, telling, name);
      assert.match(body, /withheld: private/, name);
      if (/flour and salt/.test(read)) assert.match(body, /flour and salt/, name);
    }
    renameSync(path, `${path}.old`);
    writeFileSync(`${path}.old`, "");
  }
});

test("what is added to a file as private withholds nothing that was read before", async () => {
  const path = join(world.home, "memex/plain.org");
  writeFileSync(path, "* Bread\nflour and rye\n");
  const bodies = await changeInTheMiddle(calls(["read-file", { path }]), () =>
    appendFileSync(path, "* Code :@personal:\n47 11\n"),
  );
  for (const body of bodies.slice(1)) assert.match(body, /\* Bread\\+nflour and rye/);
});
