import assert from "node:assert/strict";
import { existsSync, utimesSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { calls, makeWorld, talkTo } from "../agent-world.ts";

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
