import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { folderOnOtherDisk } from "../../src/act/trial/workshop.fixture.ts";
import { calls, makeWorld, named, talkTo } from "../agent-world.ts";
import { court } from "./trial-court.ts";

const cancel = new AbortController().signal;

test("what a command changed in a workspace on another file system than the state is there, tried or approved", async (context) => {
  const elsewhere = await folderOnOtherDisk(context);
  const made = elsewhere === null ? null : await court(context, { elsewhere });
  if (made === null) return;
  const { path, attempt, workspace } = made;
  const tried = await attempt('sh -c "echo new > new.txt"');
  assert.ok(!existsSync(path("new.txt")));
  assert.equal((await tried.kept.run(cancel)).status, "success");
  assert.equal(readFileSync(path("new.txt"), "utf8"), "new\n");
  assert.equal((await made.approve('sh -c "echo more >> new.txt; mkdir d"')).status, "success");
  assert.equal(readFileSync(path("new.txt"), "utf8"), "new\nmore\n");
  assert.deepEqual(readdirSync(workspace).sort(), ["d", "new.txt"]);
});

test("a command of whose changes some were not made failed, says which, and lists what was made", async (context) => {
  const made = await court(context);
  if (made === null) return;
  const { path, attempt } = made;
  writeFileSync(path("a"), "before");
  const { kept } = await attempt('sh -c "echo mine > a; echo mine > b; echo printed"');
  writeFileSync(path("a"), "theirs");
  const outcome = await kept.run(cancel);
  assert.equal(outcome.status, "error", JSON.stringify(outcome));
  assert.match(
    outcome.message,
    /printed\nNot all of .*\n.*\/a was changed by somebody else.*This was done.*\n[^\n]*\/b was made\.$/s,
  );
  assert.deepEqual(outcome.changed, [path("b")]);
  assert.equal(readFileSync(path("a"), "utf8"), "theirs");
});

test("a command of whose changes none was made leaves nothing to be undone", async (context) => {
  const dropped: string[] = [];
  const made = await court(context, { drop: async (set) => void dropped.push(set) });
  if (made === null) return;
  const { path, attempt, sets } = made;
  writeFileSync(path("a"), "before");
  const { kept } = await attempt('sh -c "echo mine > a"');
  writeFileSync(path("a"), "theirs");
  const outcome = await kept.run(cancel);
  assert.equal(outcome.status === "error" && outcome.code, "not-made");
  assert.deepEqual(outcome.changed, []);
  assert.equal(dropped.length, 1);
  assert.deepEqual(readdirSync(sets), []);
});

test("a person who saved a file while a command waited for a yes reads that it stays, and sees only what was made", async (context) => {
  const cmd = `perl -e 'for ("Makefile", "b") { open F, ">", $_; print F "mine" }'`;
  const script = [calls(["shell", { cmd }]), { text: "done" }];
  const world = await makeWorld(context, script, { TRIALS: "true" });
  writeFileSync(world.path("b"), "before\n");
  await using daemon = await world.open();
  const client = await talkTo(daemon);
  const asked = await client.say("tidy up");
  assert.equal(asked.end, "approval-required", asked.text);
  writeFileSync(world.path("b"), "theirs\n");
  const approved = await daemon.runCommand({ kind: "approve", token: client.token() }, client.session);
  assert.equal(approved.kind, "turn");
  if (approved.kind === "turn") await daemon.whenSettled(approved.turn);
  const [outcome] = named(client.events, "outcome");
  assert.equal(outcome?.status, "error", JSON.stringify(outcome));
  assert.match(String(outcome?.content), /\/b was changed by somebody else/);
  assert.deepEqual(
    outcome?.changes?.map(({ path }) => path),
    [world.path("Makefile")],
  );
  assert.equal(readFileSync(world.path("b"), "utf8"), "theirs\n");
});

test("where there is no more room for what undo needs, a command asks before older ones can no longer be undone", async (context) => {
  const kept = new Map<string, string>();
  const made = await court(context, { needed: async () => kept, limits: { sets: 2, bytes: 1_000_000 } });
  if (made === null) return;
  const { path, approve, prepare, attempt, sets, workspace } = made;
  for (const name of ["a", "b"]) {
    await approve(`touch ${name}`);
    for (const set of readdirSync(sets)) kept.set(set, workspace);
  }
  const asks = (effects: readonly { readonly kind: string; readonly reversal: string }[]): boolean =>
    effects.some(({ kind, reversal }) => kind === "change-memory" && reversal === "final");
  const prepared = await prepare("touch c");
  assert.ok(prepared.ok && asks(prepared.effects));
  assert.ok(asks((await attempt('sh -c "echo x > d"')).kept.effects));
  assert.equal(
    readdirSync(sets).filter((name) => kept.has(name)).length,
    2,
    "nothing is dropped before a yes",
  );
  await prepared.run(cancel);
  assert.ok(existsSync(path("c")));
  assert.equal(readdirSync(sets).filter((name) => kept.has(name)).length, 1);
});
