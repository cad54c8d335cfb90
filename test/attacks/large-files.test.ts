import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { type AgentWorld, calls, makeWorld, talkTo } from "../agent-world.ts";

/** Too few words to be known by their fingerprints. */
const telling = "PIN of the safe is 4711";
const filling = (bytes: number): string => "seven plain words stand in this line\n".repeat(bytes / 37);
const tagged = (bytes: number): string => `#+FILETAGS: :@personal:\n${filling(bytes)}${telling}\n`;
const million = 1_000_000;

type Large = {
  readonly place: (world: AgentWorld) => void;
  readonly call: readonly [tool: string, args: object];
};

const large: Readonly<Record<string, Large>> = {
  "the end of a note, by read-file": {
    place: (world) => writeFileSync(world.path("p.org"), tagged(6 * million)),
    call: ["read-file", { path: "p.org", offset: 162_160 }],
  },
  "the end of a copy under another name": {
    place: (world) => writeFileSync(world.path("p.txt"), tagged(6 * million)),
    call: ["shell", { cmd: "tail -n 1 p.txt" }],
  },
  "the end of a note that is larger than what can be undone": {
    place: (world) => writeFileSync(world.path("p.org"), tagged(17 * million)),
    call: ["shell", { cmd: "tail -n 1 p.org" }],
  },
  "a compressed note": {
    place: (world) => writeFileSync(world.path("p.org.gz"), gzipSync(tagged(7 * million))),
    call: ["shell", { cmd: "zcat p.org.gz | grep safe" }],
  },
  "a compressed note without its end": {
    place: (world) =>
      writeFileSync(world.path("p.gz"), gzipSync(tagged(1000) + filling(9000)).subarray(0, -9)),
    call: ["shell", { cmd: "zcat p.gz | grep safe" }],
  },
  "a member of a group of tags that is defined far above": {
    place: (world) =>
      writeFileSync(
        world.path("p.txt"),
        `#+TAGS: [ @personal : diary ]\n${filling(6 * million)}* Safe :diary:\n${telling}\n`,
      ),
    call: ["shell", { cmd: "tail -n 1 p.txt" }],
  },
};

async function lastRequest(world: AgentWorld, call: Large["call"]): Promise<string> {
  world.provider.add(calls([...call]), { text: "Read." });
  await using daemon = await world.open();
  const { end } = await (await talkTo(daemon)).say("What does it say?");
  assert.equal(end, "answered");
  assert.equal(world.provider.requests.length, 2);
  return world.provider.requests[1]?.body ?? "";
}

test("the privacy tags of a file count, however large it is", async (t) => {
  for (const [name, { place, call }] of Object.entries(large)) {
    await t.test(name, async () => {
      const world = await makeWorld(t, []);
      place(world);
      const body = await lastRequest(world, call);
      assert.doesNotMatch(body, /safe is/);
      assert.match(body, /withheld: private/);
    });
  }
});

test("a large file without privacy tags goes to the provider as it is", async (t) => {
  const world = await makeWorld(t, []);
  writeFileSync(world.path("server.log"), `${filling(6 * million)}${telling}\n`);
  assert.match(await lastRequest(world, ["shell", { cmd: "tail -n 1 server.log" }]), /safe is 4711/);
});
