import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sealLine } from "../../src/memory/journal/journal-chain.ts";
import { requiresForcedIntent } from "../../src/signal/effect.ts";
import { canonicalJson, type Json } from "../../src/text/json.ts";
import { calls, journalOf, makeWorld, named, talkTo } from "../agent-world.ts";

test("the intent of an effect is on disk before it, with the digests before and after, and its outcome follows", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: "a.txt", content: "x" }]),
    { text: "Written." },
  ]);
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("write it");
  const journal = journalOf(world);
  const intent = journal.find(({ kind, changes }) => kind === "intent" && changes.length > 0);
  const outcome = journal.find(({ kind, digest }) => kind === "outcome" && digest === intent?.digest);
  assert.ok(intent !== undefined && outcome !== undefined && intent.sequence < outcome.sequence);
  assert.equal(intent.changes[0]?.path, world.path("a.txt"));
  assert.equal(intent.changes[0]?.before, null);
  assert.match(intent.changes[0]?.after ?? "", /^[0-9a-f]{64}$/);
  assert.equal(outcome.detail["status"], "success");
});

test("what is blocked or asks is in the journal with its verdict and trace, and has no intent", async (t) => {
  const world = await makeWorld(t, [
    calls(["read-file", { path: "/etc/shadow" }]),
    calls(["read-file", { path: "/etc/hostname" }]),
  ]);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("read them");
  assert.equal(said.end, "approval-required");
  const judged = journalOf(world).filter(
    ({ kind, effects }) => kind === "verdict" && effects[0]?.kind === "read-path",
  );
  assert.deepEqual(
    judged.map(({ verdict }) => verdict),
    ["block", "ask"],
  );
  assert.ok(judged.every(({ trace }) => trace.some(({ gate }) => gate === "paths")));
  assert.ok(
    journalOf(world).every(({ kind, effects }) => kind !== "intent" || effects[0]?.kind === "call-model"),
  );
});

test("each call of a model is in the journal before it is made, with what was reserved, and after it with what it cost", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }], {
    LOOP_INPUT_PRICE: "1000",
    LOOP_OUTPUT_PRICE: "1000",
  });
  await using daemon = await world.open({
    BUDGET_PER_DAY: "1000",
    BUDGET_PER_SESSION: "1000",
    BUDGET_PER_TURN: "1000",
  });
  await (await talkTo(daemon)).say("hi");
  const calling = journalOf(world).filter(({ effects }) => effects[0]?.kind === "call-model");
  assert.deepEqual(
    calling.map(({ kind }) => kind),
    ["intent", "outcome"],
  );
  assert.ok(Number(calling[0]?.detail["microdollars"]) > Number(calling[1]?.detail["microdollars"]));
  assert.equal(calling[1]?.detail["microdollars"], 15_000);
});

test("reads need no forced write, and changes, runs and spends do", () => {
  const label = { integrity: "user", secrecy: "public", sources: [] } as const;
  const about = { target: "x", label, reversal: "undoable" } as const;
  assert.equal(requiresForcedIntent({ kind: "read-path", access: "contents", tree: false, ...about }), false);
  assert.equal(requiresForcedIntent({ kind: "write-path", change: "create", ...about }), true);
  assert.equal(requiresForcedIntent({ kind: "delete-path", ...about }), true);
  assert.equal(requiresForcedIntent({ kind: "change-memory", realm: "own", operation: "x", ...about }), true);
});

test("the journal holds no contents: neither what was written nor what was read", async (t) => {
  const world = await makeWorld(t, [
    calls(
      ["write-file", { path: "a.txt", content: "heliotrope in writing" }],
      ["read-file", { path: "b.txt" }],
    ),
    { text: "Done." },
  ]);
  writeFileSync(world.path("b.txt"), "vermilion in reading");
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("do both");
  assert.ok(existsSync(world.path("a.txt")));
  assert.doesNotMatch(JSON.stringify(journalOf(world)), /heliotrope|vermilion/);
});

test("replaying the journal gives the recorded verdicts", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: "a.txt", content: "x" }]),
    calls(["read-file", { path: "/etc/shadow" }]),
    calls(["shell", { cmd: "touch b.txt" }]),
  ]);
  {
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    await talk.say("do all");
    assert.equal(named(talk.events, "approval-required").length, 1);
  }
  const replayed = await world.command(["journal", "replay", "--json"]);
  const counts: unknown = JSON.parse(replayed.out);
  const judged = journalOf(world).filter(({ verdict, facts }) => verdict !== null && facts !== null).length;
  assert.equal(replayed.code, 0);
  assert.ok(judged >= 5);
  assert.deepEqual(counts, { judged, same: judged, newer: 0, faults: [] });
});

test("a journal of an older version is replayed where it lies: other gates are said, and damage stops it", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: "a.txt", content: "x" }]),
    calls(["read-file", { path: "/etc/hostname" }]),
  ]);
  {
    await using daemon = await world.open();
    await (await talkTo(daemon)).say("do both");
  }
  let previous = "0".repeat(64);
  const lines = journalOf(world).map(({ hash: _, ...entry }) => {
    const verdict = entry.verdict === "ask" ? "pass" : entry.verdict;
    const members = Object.entries({ ...entry, version: 1, gates: "older gates", verdict, previous });
    const sealed = sealLine(new Map(members.map(([name, value]) => [name, canonicalJson(value as Json)])));
    previous = sealed.hash;
    return sealed.line;
  });
  const folder = join(world.home, "kept");
  mkdirSync(folder);
  writeFileSync(join(folder, "journal.jsonl"), lines.join(""));
  const replayed = await world.command(["journal", "replay", folder]);
  assert.equal(replayed.code, 0, replayed.err);
  assert.match(replayed.out, /, 1 different because the gates changed, 0 different by the same gates\./);
  assert.match(replayed.out, /recorded by the gates of another version, .*: that is no fault\./);
  assert.match(replayed.out, /entry \d+: recorded pass, today ask: .*outside the workspace/);
  const nothing = await world.command(["journal", "replay", join(world.home, "nowhere")]);
  assert.deepEqual([nothing.code, /There is no journal with verdicts at/.test(nothing.err)], [1, true]);
  writeFileSync(join(folder, "journal.jsonl"), lines.join("").replace('"pass"', '"ask"'));
  const damaged = await world.command(["journal", "replay", join(folder, "journal.jsonl")]);
  assert.equal(damaged.code, 1);
  assert.match(damaged.err, /does not have the content of its hash/);
});

test("a journal that a session wrote is whole", async (t) => {
  const world = await makeWorld(t, [calls(["list-files", { path: "." }]), { text: "Listed." }]);
  {
    await using daemon = await world.open();
    await (await talkTo(daemon)).say("list");
  }
  const verified = await world.command(["journal", "verify"]);
  assert.deepEqual([verified.code, /is intact/.test(verified.out)], [0, true]);
});
