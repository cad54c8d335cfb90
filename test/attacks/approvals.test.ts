import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { LoopEvent } from "../../src/signal/loop-event.ts";
import { calls, isMissing, makeWorld, named, talkTo } from "../agent-world.ts";

for (const cmd of ["sh job.sh", "sh ./job.sh && true", "echo go; (sh job.sh)"]) {
  test(`an approval of '${cmd}' is void once the script holds something else`, async (context) => {
    const world = await makeWorld(context, [
      calls(["shell", { cmd }]),
      calls(["write-file", { path: "job.sh", content: "touch swapped\n" }]),
      { text: "written" },
      { text: "done" },
    ]);
    writeFileSync(world.path("job.sh"), "touch judged\n");
    utimesSync(world.path("job.sh"), 1, 1);
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    assert.equal((await talk.say("run the job")).end, "approval-required");
    const first = talk.token();
    assert.equal((await talk.say("change the script meanwhile")).end, "answered");
    const approved = await daemon.runCommand({ kind: "approve", token: first }, talk.session);
    assert.equal(approved.kind, "turn");
    if (approved.kind === "turn") await daemon.whenSettled(approved.turn);
    assert.equal(existsSync(world.path("swapped")), false);
    assert.notEqual(talk.token(), first, "it is asked anew");
    await daemon.runCommand({ kind: "approve", token: talk.token() }, talk.session);
    if (approved.kind === "turn") await daemon.whenSettled(approved.turn);
    assert.equal(existsSync(world.path("swapped")), true);
  });
}

test("one approval runs one of two equal calls", async (context) => {
  const same = ["shell", { cmd: "mkdir -p made" }] as const;
  const world = await makeWorld(context, [calls(same, same), { text: "done" }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("twice")).end, "approval-required");
  const first = talk.token();
  const approved = await daemon.runCommand({ kind: "approve", token: first }, talk.session);
  if (approved.kind === "turn") await daemon.whenSettled(approved.turn);
  assert.equal(existsSync(world.path("made")), true);
  assert.notEqual(talk.token(), first);
  const again = await daemon.runCommand({ kind: "approve", token: first }, talk.session);
  assert.equal(again.kind, "refused");
});

const losses: readonly (readonly [what: string, cmd: string, path: string])[] = [
  ["replaces", "sh -c 'echo fixed > doc.txt; rm x.txt'", "doc.txt"],
  ["deletes", "sh -c 'rm doc.txt x.txt'", "doc.txt"],
  ["deletes by a program of its own", `perl -e 'unlink "doc.txt", "x.txt"'`, "doc.txt"],
  ["deletes with its folder", "sh -c 'rm -r old x.txt'", "old/later.txt"],
  ["moves another file over", "sh -c 'mv new.txt doc.txt; rm x.txt'", "doc.txt"],
  [
    "moves another file over by a program of its own",
    `perl -e 'rename "new.txt", "doc.txt"; unlink "x.txt"'`,
    "doc.txt",
  ],
];
for (const [what, cmd, path] of losses)
  test(`a yes after a restart does not lose what was written since to a path that the command ${what}`, async (context) => {
    if (isMissing(context, "bwrap", "bubblewrap")) return;
    const world = await makeWorld(context, [calls(["shell", { cmd }]), { text: "done" }], {
      TRIALS: "true",
    });
    mkdirSync(world.path("old"));
    for (const name of ["doc.txt", "x.txt", "new.txt", "old/first.txt"])
      writeFileSync(world.path(name), "one\n");
    let [session, asked] = ["", ""];
    {
      await using before = await world.open();
      const talk = await talkTo(before);
      assert.equal((await talk.say("clean up")).end, "approval-required");
      [session, asked] = [talk.session, talk.token()];
    }
    writeFileSync(world.path(path), "typed after the question\n");
    await using after = await world.open();
    const events: LoopEvent[] = [];
    after.subscribe((event) => void events.push(event));
    const approved = await after.runCommand({ kind: "approve", token: asked }, session);
    assert.equal(approved.kind, "turn");
    if (approved.kind === "turn") await after.whenSettled(approved.turn);
    assert.equal(readFileSync(world.path(path), "utf8"), "typed after the question\n");
    assert.equal(named(events, "approval-required").length, 1, "it is asked anew");
  });
