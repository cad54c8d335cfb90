import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Message } from "../../src/signal/message.ts";
import {
  type AgentWorld,
  calls,
  journalOf,
  makeWorld,
  named,
  onDatabase,
  sent,
  talkTo,
} from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";

const outside = (world: AgentWorld, name = "outside.txt"): string => join(world.home, name);
const writes = (world: AgentWorld, name = "outside.txt"): Step =>
  calls(["write-file", { path: outside(world, name), content: "new\n" }]);

/** The messages of the turns as they are kept. */
function keptMessages(world: AgentWorld): readonly Message[] {
  return onDatabase(world, "SELECT body FROM messages ORDER BY place").map(({ body }) =>
    JSON.parse(String(body)),
  );
}

test("a denial goes back to the model, and the turn goes on", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(writes(world), { text: "Then I leave it." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write it");
  const said = await talk.say(`/deny ${talk.token()}`);
  assert.deepEqual([said.end, said.text], ["answered", "Then I leave it."]);
  assert.match(sent(world, 1), /denied-by-owner: The owner said no, so this was not run/);
  assert.match(
    named(said.events, "thinking")[0]?.text ?? "",
    /^Denied\. Nothing was done\. The agent is told/,
  );
  assert.equal(existsSync(outside(world)), false);
  assert.equal((await talk.say(`/approve ${talk.token()}`)).end, "refused");
  assert.deepEqual(
    journalOf(world).flatMap(({ kind, detail }) => (kind === "approval" ? [detail] : [])),
    [{ answer: "no" }],
  );
});

test("the owner's reason goes with a denial, as the owner's own words", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(writes(world), writes(world, "other.txt"), { text: "Written there." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write it");
  const said = await talk.say(`/deny ${talk.token()} because it belongs into ${outside(world, "other.txt")}`);
  assert.equal(said.end, "approval-required", "a reason licenses nothing");
  assert.match(sent(world, 1), /No, because it belongs into .*other\.txt/);
  const words = keptMessages(world).findLast(({ role }) => role === "user");
  assert.ok(words?.role === "user");
  assert.deepEqual([words.label.integrity, words.label.secrecy], ["user", "public"]);
  await talk.say(`/approve ${talk.token()}`);
  assert.deepEqual([existsSync(outside(world)), existsSync(outside(world, "other.txt"))], [false, true]);
});

const forms: readonly (readonly [name: string, first: Step, again: Step])[] = [
  ["the same bytes", calls(["shell", { cmd: "touch a" }]), calls(["shell", { cmd: "touch a" }])],
  ["other blanks", calls(["shell", { cmd: "touch a" }]), calls(["shell", { cmd: " touch   a\n" }])],
  [
    "another explanation",
    calls(["shell", { cmd: "touch a" }]),
    calls(["shell", { cmd: "touch a", explanation: "The owner surely wants this done now" }]),
  ],
  [
    "another name of the path",
    calls(["write-file", { path: "../a.txt", content: "x" }]),
    calls(["write-file", { path: "./.././a.txt", content: "x" }]),
  ],
  [
    "among other calls",
    calls(["shell", { cmd: "touch a" }]),
    calls(["list-files", { path: "." }], ["shell", { cmd: "touch a" }]),
  ],
];
for (const [name, first, again] of forms) {
  test(`what was denied is not asked again in its turn: ${name}`, async (t) => {
    const world = await makeWorld(t, [first, again, { text: "I leave it." }]);
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    await talk.say("do it");
    const said = await talk.say(`/deny ${talk.token()}`);
    assert.deepEqual([said.end, said.text], ["answered", "I leave it."]);
    assert.equal(named(talk.events, "approval-required").length, 1);
    assert.match(sent(world, 2), /The owner said no to this in this turn/);
  });
}

test("what was denied in one turn can be asked in the next", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(writes(world), { text: "No then." }, writes(world), { text: "Written." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write it");
  await talk.say(`/deny ${talk.token()}`);
  assert.equal((await talk.say("do write it")).end, "approval-required");
});

test("a model that insists on what was denied is refused three times, and the turn ends", async (t) => {
  const world = await makeWorld(t);
  world.provider.add({ ...writes(world), repeat: true });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write it");
  const said = await talk.say(`/deny ${talk.token()}`);
  assert.equal(said.end, "blocked");
  assert.match(said.text, /The owner said no to this in this turn/);
  assert.equal(named(talk.events, "approval-required").length, 1);
  assert.equal(world.provider.requests.length, 4);
});

test("the third denial ends a turn, whatever the model did between", async (t) => {
  const world = await makeWorld(t);
  const looks = calls(["list-files", { path: "." }]);
  world.provider.add(writes(world, "1"), looks, writes(world, "2"), looks, writes(world, "3"), {
    text: "never asked",
  });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write it");
  await talk.say(`/deny ${talk.token()}`);
  await talk.say(`/deny ${talk.token()} because I said so`);
  const said = await talk.say(`/deny ${talk.token()}`);
  assert.match(said.text, /^You said no 3 times in this turn, so it ends\. That was not done\./);
  assert.equal(named(talk.events, "blocked").at(-1)?.code, "denied");
  assert.equal(world.provider.requests.length, 5);
});

test("a denial says what the turn had done before, and the calls behind it do not run", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(
    calls(
      ["write-file", { path: "first.txt", content: "1" }],
      ["shell", { cmd: "ls" }],
      ["shell", { cmd: "ls missing" }],
      ["write-file", { path: outside(world), content: "2" }],
      ["write-file", { path: "third.txt", content: "3" }],
    ),
    { text: "Only the first is written." },
  );
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write three");
  const said = await talk.say(`/deny ${talk.token()}`);
  assert.match(
    named(said.events, "thinking")[0]?.text ?? "",
    /^Denied\. That was not done\. Done before it in this turn: write-file first\.txt; ls; ls missing \(exit code 2\)\. \/undo /,
  );
  assert.match(sent(world, 1), /not-run: Not run, because another call of the same answer was refused/);
  assert.deepEqual(
    ["first.txt", "third.txt"].map((name) => existsSync(world.path(name))),
    [true, false],
  );
});

test("a key in what was done before a denial is masked, also where the command is cut within it", async (t) => {
  const world = await makeWorld(t);
  const token = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7".padEnd(36, "qRsTuVwXy")}`;
  const cmd = `echo ${"x".repeat(60)} ${token}`;
  world.provider.add(calls(["shell", { cmd }], ["write-file", { path: outside(world), content: "2" }]), {
    text: "Left.",
  });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write it");
  await talk.say(`/approve ${talk.token()}`);
  const said = await talk.say(`/deny ${talk.token()}`);
  const told = named(said.events, "thinking")[0]?.text ?? "";
  assert.match(told, /Done before it in this turn: echo x{60} /);
  assert.ok(!told.includes(token.slice(0, 8)), told);
});

test("a denial after a restart goes back to the model too", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(writes(world), { text: "I leave it, then." });
  let token = "";
  {
    await using before = await world.open();
    const talk = await talkTo(before, "kept");
    await talk.say("write it");
    token = talk.token();
  }
  await using daemon = await world.open();
  const talk = await talkTo(daemon, "kept");
  const said = await talk.say(`/deny ${token} because of the date`);
  assert.equal(said.text, "I leave it, then.");
  assert.match(sent(world, 1), /No, because of the date/);
});

test("a denial that the daily budget does not cover ends over budget, and calls nobody", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(writes(world), { text: "never asked" });
  let token = "";
  {
    await using before = await world.open();
    const talk = await talkTo(before, "kept");
    await talk.say("write it");
    token = talk.token();
  }
  const poor = { BUDGET_PER_DAY: "0", LOOP_INPUT_PRICE: "1", LOOP_OUTPUT_PRICE: "1" };
  await using daemon = await world.open(poor);
  const talk = await talkTo(daemon, "kept");
  const said = await talk.say(`/deny ${token}`);
  assert.deepEqual([said.end, said.code], ["failed", "over-budget"]);
  assert.equal(world.provider.requests.length, 1);
});

test("without a model a denial ends the turn", async (t) => {
  const world = await makeWorld(t, [], { PROVIDER_CASCADE: "" });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("run rm plan.txt")).end, "approval-required");
  const said = await talk.say(`/deny ${talk.token()} because I need it`);
  assert.deepEqual([said.end, said.text], ["said", "Denied. Nothing was done."]);
  assert.equal(named(talk.events, "blocked")[0]?.code, "denied");
});

test("a reason that is too long is refused, and the question stays open", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(writes(world), { text: "Left." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write it");
  const long = await talk.say(`/deny ${talk.token()} because ${"no ".repeat(4000)}`);
  assert.deepEqual([long.end, long.code], ["refused", "reason-too-long"]);
  assert.equal((await talk.say(`/deny ${talk.token()}`)).text, "Left.");
});

test("after a no and after a block the model is told what would pass instead", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(writes(world), calls(["read-file", { path: join(world.home, ".ssh/id_ed25519") }]), {
    text: "I leave it.",
  });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write it");
  assert.equal((await talk.say(`/deny ${talk.token()}`)).text, "I leave it.");
  assert.match(sent(world, 1), /another way\. What passes instead: write it into the workspace, and tell/);
  assert.match(sent(world, 2), /Not allowed: [^"]*\. What passes instead: work without its contents/);
});
