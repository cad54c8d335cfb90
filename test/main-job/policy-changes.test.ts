import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type AgentWorld, calls, journalOf, makeWorld, onDatabase, talkTo } from "../agent-world.ts";

const outside = (world: AgentWorld, name: string): string => join(world.home, name);
const writes = (world: AgentWorld, name: string) =>
  calls(["write-file", { path: outside(world, name), content: "new\n" }]);
const notes = (world: AgentWorld, event: string) =>
  journalOf(world).filter(({ kind, detail }) => kind === "note" && detail["event"] === event);

test("a yes is void where a rule was taught or forgotten, or a secret path was allowed, since the question, and says so", async (t) => {
  const world = await makeWorld(t);
  writeFileSync(outside(world, ".netrc"), "machine example.org\n");
  world.provider.add(writes(world, "a.txt"), writes(world, "b.txt"), { text: "Done." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write a");
  const old = talk.token();
  const other = await talkTo(daemon, "other");
  await other.say("write b");
  const kept = await other.say(`/always ${other.token()} keep`);
  assert.equal(kept.end, "answered", "the rule that is taught by a yes does not void that yes");
  const again = await talk.say(`/approve ${old}`);
  assert.equal(again.end, "approval-required");
  assert.match(again.text, /your rules changed since you were asked, so that yes is void; /);
  assert.equal(existsSync(outside(world, "a.txt")), false);
  const name = String(notes(world, "rule-kept")[0]?.detail["name"]);
  assert.equal((await world.command(["rules", "forget", name])).code, 0);
  assert.match((await talk.say(`/approve ${talk.token()}`)).text, /your rules changed/);
  assert.equal((await world.command(["secret-paths", "allow", outside(world, ".netrc")])).code, 0);
  assert.match((await talk.say(`/approve ${talk.token()}`)).text, /what you allow by your settings changed/);
  world.provider.add({ text: "Done." });
  assert.equal((await talk.say(`/approve ${talk.token()}`)).end, "answered");
  assert.equal(readFileSync(outside(world, "a.txt"), "utf8"), "new\n");
});

test("a yes is void where the gates or the settings changed over a restart, and where an older version asked", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(writes(world, "a.txt"), { text: "Done." });
  const changes: readonly (readonly [Record<string, string>, string | null, RegExp])[] = [
    [{}, `json_set(body, '$.policy.gates', 'older')`, /the gates were changed by an upgrade/],
    [{}, `json_remove(body, '$.policy')`, /the gates were changed by an upgrade/],
    [{ PRIVACY_FILTER_TAGS: "diary" }, null, /what you allow by your settings changed/],
    [{ TOOL_PERMISSIONS: "write-file=ask" }, null, /what you allow by your settings changed/],
  ];
  let token = "";
  {
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    await talk.say("write a");
    token = talk.token();
  }
  for (const [settings, damage, words] of changes) {
    if (damage !== null) onDatabase(world, `UPDATE approvals SET body = ${damage} WHERE state = 'open'`);
    await using daemon = await world.open(settings);
    const waiting = await daemon.findQuestion(token);
    assert.ok(waiting !== null);
    const reasons: string[] = [];
    daemon.subscribe((event) => {
      if (event.type !== "approval-required") return;
      reasons.push(event.reason);
      ({ token } = event);
    });
    await daemon.runCommand({ kind: "approve", token }, waiting.session);
    await daemon.whenSettled(waiting.turn);
    assert.match(reasons.join(), words);
    assert.equal(existsSync(outside(world, "a.txt")), false);
  }
});

test("each change of what is allowed is in the journal, by whatever way it was made", async (t) => {
  const world = await makeWorld(t);
  const secret = outside(world, ".netrc");
  writeFileSync(secret, "machine example.org\n");
  const events = () =>
    journalOf(world).flatMap(({ kind, detail: { event, name } }) =>
      kind === "note" ? [`${String(event)} ${String(name).split("/").at(-1)}`] : [],
    );
  const told = (from: readonly string[]) => events().slice(from.length);
  assert.equal((await world.command(["secret-paths", "allow", secret])).code, 0);
  assert.deepEqual(events(), ["secret-path-allowed .netrc"], "no agent has to run");
  const rule = { workspace: world.workspace, command: null, madeAt: 0 };
  const effect = { kind: "write-path", target: outside(world, "a.txt") };
  const book = (names: readonly string[]) =>
    writeFileSync(
      join(world.configuration, "rules.json"),
      JSON.stringify({
        version: 1,
        rules: names.map((name) => ({
          ...rule,
          name,
          effects: [effect],
          examples: { matches: [], differs: [] },
        })),
      }),
    );
  world.provider.add(calls(["read-file", { path: "x" }]), { text: "Done." });
  {
    await using daemon = await world.open();
    const before = events();
    assert.equal((await world.command(["secret-paths", "forget", secret])).code, 0);
    assert.deepEqual(told(before), ["secret-path-forgotten .netrc"], "while an agent runs");
    book(["by-hand"]);
    await (await talkTo(daemon)).say("read x");
    assert.ok(told(before).includes("rule-kept by-hand"), "edited by hand, and seen before the next verdict");
    assert.equal((await world.command(["rules", "forget", "by-hand"])).code, 0);
    assert.equal(told(before).at(-1), "rule-forgotten by-hand");
  }
  const before = events();
  {
    await using _daemon = await world.open({ TOOL_PERMISSIONS: "shell=deny" });
  }
  assert.deepEqual(told(before), ["setting-changed TOOL_PERMISSIONS"]);
});
