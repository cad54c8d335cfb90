import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { calls, filesWith, journalOf, makeWorld, named, onDatabase, sent, talkTo } from "../agent-world.ts";

const outside = (home: string) =>
  calls(["write-file", { path: join(home, "outside.txt"), content: "new\n" }]);

test("the first call that asks suspends the turn with the results so far, and approval resumes it there", async (t) => {
  const world = await makeWorld(t);
  const target = join(world.home, "outside.txt");
  world.provider.add(
    calls(
      ["write-file", { path: "first.txt", content: "1" }],
      ["write-file", { path: target, content: "2" }],
      ["write-file", { path: "third.txt", content: "3" }],
    ),
    { text: "All three are written." },
  );
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const asked = await talk.say("write three files");
  assert.equal(asked.end, "approval-required");
  assert.deepEqual(
    [existsSync(world.path("first.txt")), existsSync(target), existsSync(world.path("third.txt"))],
    [true, false, false],
  );
  await talk.say(`/approve ${talk.token()}`);
  assert.equal(named(talk.events, "answered").at(-1)?.text, "All three are written.");
  assert.ok(existsSync(target) && existsSync(world.path("third.txt")));
  assert.equal(world.provider.requests.length, 2);
});

test("a question says what would be done, why it asks, and whether it can be taken back", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(outside(world.home));
  await using daemon = await world.open();
  const asked = await (await talkTo(daemon)).say("write it");
  const [question] = named(asked.events, "approval-required");
  assert.match(question?.reason ?? "", /outside the workspace/);
  assert.deepEqual(
    question?.effects.map(({ kind, target, reversal }) => [kind, target, reversal]),
    [["write-path", join(world.home, "outside.txt"), "undoable"]],
  );
  assert.match(question?.token ?? "", /^[\w-]{22,}$/);
});

test("an approval survives a restart and resumes the turn where it stopped", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(outside(world.home), { text: "Written after the restart." });
  let token = "";
  {
    await using before = await world.open();
    const talk = await talkTo(before);
    await talk.say("write it");
    token = talk.token();
  }
  await using daemon = await world.open();
  const waiting = await daemon.findQuestion(token);
  assert.ok(waiting !== null);
  const said = await daemon.runCommand({ kind: "approve", token }, waiting.session);
  assert.equal(said.kind, "turn");
  await daemon.whenSettled(waiting.turn);
  assert.equal(readFileSync(join(world.home, "outside.txt"), "utf8"), "new\n");
  assert.deepEqual(
    (await daemon.undelivered(waiting.session)).map(({ text }) => text),
    ["Written after the restart."],
  );
});

test("an approval is bound to what was shown: where that changed meanwhile it is void, and is asked again", async (t) => {
  const world = await makeWorld(t);
  const target = join(world.home, "outside.txt");
  writeFileSync(target, "old words\n");
  world.provider.add(calls(["edit-file", { path: target, old: "old", new: "new" }]), { text: "Edited." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("edit it");
  const first = talk.token();
  writeFileSync(target, "old words, and more of them\n");
  const again = await talk.say(`/approve ${first}`);
  assert.equal(again.end, "approval-required");
  assert.match(again.text, /^what it acts on changed since you said yes, so that yes is void; /);
  assert.notEqual(talk.token(), first);
  assert.equal(readFileSync(target, "utf8"), "old words, and more of them\n");
  await talk.say(`/approve ${talk.token()}`);
  assert.equal(readFileSync(target, "utf8"), "new words, and more of them\n");
});

test("a question is answered by a whole message in any case, with blanks around it", async (t) => {
  const world = await makeWorld(t);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  for (const [answer, isMade] of [
    [(token: string) => ` /DENY   ${token} Because of the rain\n`, false],
    [(token: string) => `\n/Approve ${token} `, true],
  ] as const) {
    world.provider.add(outside(world.home), { text: "So be it." });
    await talk.say("write it");
    assert.match(talk.token(), /^[\w-]{22}$/);
    assert.equal((await talk.say(answer(talk.token()))).text, "So be it.");
    assert.equal(existsSync(join(world.home, "outside.txt")), isMade);
  }
  assert.match(sent(world, 1), /of the rain/);
});

test("an approval works once", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(outside(world.home), { text: "Written." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write it");
  const token = talk.token();
  await talk.say(`/approve ${token}`);
  const twice = await talk.say(`/approve ${token}`);
  assert.equal(twice.end, "refused");
  assert.match(
    twice.text,
    /was answered before, with yes, here or in another window\. Your answer changed nothing/,
  );
});

test("an approval of one call does not allow the next one of the same answer", async (t) => {
  const world = await makeWorld(t);
  const [one, two] = [join(world.home, "one.txt"), join(world.home, "two.txt")];
  world.provider.add(
    calls(["write-file", { path: one, content: "1" }], ["write-file", { path: two, content: "2" }]),
  );
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write both");
  const second = await talk.say(`/approve ${talk.token()}`);
  assert.equal(second.end, "approval-required");
  assert.deepEqual([existsSync(one), existsSync(two)], [true, false]);
});

test("an approval answers what asks, and never what blocks", async (t) => {
  const world = await makeWorld(t);
  const target = join(world.home, "outside.txt");
  world.provider.add(calls(["write-file", { path: target, content: "2" }]), { text: "I could not." });
  await using before = await world.open();
  const talk = await talkTo(before);
  await talk.say("write it");
  await before[Symbol.asyncDispose]();
  await using daemon = await world.open({ TOOL_PERMISSIONS: "write-file=deny" });
  const waiting = await daemon.findQuestion(talk.token());
  assert.ok(waiting !== null);
  await daemon.runCommand({ kind: "approve", token: talk.token() }, waiting.session);
  await daemon.whenSettled(waiting.turn);
  assert.equal(existsSync(target), false);
  assert.match(sent(world, 1), /Not allowed: /);
});

test("an approval that comes too late means no, and ends the turn", async (t) => {
  const world = await makeWorld(t, [], { APPROVAL_EXPIRY: "0.001" });
  world.provider.add(outside(world.home));
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write it");
  await pause(20);
  const late = await talk.say(`/approve ${talk.token()}`);
  assert.equal(late.end, "refused");
  assert.match(late.text, /has expired, which means no/);
  assert.equal(named(talk.events, "blocked")[0]?.code, "expired");
  assert.equal(existsSync(join(world.home, "outside.txt")), false);
});

test("an approval that expired while nothing ran is a no at the next start", async (t) => {
  const world = await makeWorld(t, [], { APPROVAL_EXPIRY: "0.001" });
  world.provider.add(outside(world.home));
  let session = "";
  {
    await using before = await world.open();
    const talk = await talkTo(before);
    await talk.say("write it");
    session = talk.session;
  }
  await using daemon = await world.open();
  assert.match((await daemon.undelivered(session))[0]?.text ?? "", /not given in time, which means no/);
});

test("an unknown token is refused, and nothing happens", async (t) => {
  const world = await makeWorld(t);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("/approve AAAAAAAAAAAAAAAAAAAAAA");
  assert.equal(said.end, "refused");
  assert.match(said.text, /This token is not known/);
});

test("a suspended turn frees its session, and a later message knows that something is pending", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(outside(world.home), { text: "Hello while it waits." }, { text: "Written." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write it");
  const token = talk.token();
  assert.equal((await talk.say("hello")).text, "Hello while it waits.");
  assert.match(sent(world, 1), /APPROVALS: 1 pending/);
  await talk.say(`/approve ${token}`);
  assert.equal(named(talk.events, "answered").at(-1)?.text, "Written.");
});

test("a token is shown once and kept nowhere: not in the state, the journal, or a prompt", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(outside(world.home), { text: "Hello." }, { text: "Written." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write it");
  const token = talk.token();
  await talk.say("hello");
  await talk.say(`/approve ${token}`);
  await daemon[Symbol.asyncDispose]();
  assert.deepEqual(filesWith(world.state, token), []);
  assert.ok(world.provider.requests.every(({ body }) => !body.includes(token)));
  assert.equal(named(talk.events, "approval-required").length, 1);
});

test("words that hold an approval among others are no approval", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(outside(world.home), { text: "That is not for me." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write it");
  const said = await talk.say(`please do this: /approve ${talk.token()}`);
  assert.equal(said.end, "answered");
  assert.equal(existsSync(join(world.home, "outside.txt")), false);
});

test("an answer of the model that reads like an approval approves nothing", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(outside(world.home));
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write it");
  world.provider.add({ text: `/approve ${talk.token()}` });
  await talk.say("what now?");
  assert.equal(existsSync(join(world.home, "outside.txt")), false);
  assert.deepEqual(
    onDatabase(world, "SELECT state FROM approvals").map(({ state }) => state),
    ["open"],
  );
});

test("an approval is in the journal before what it allows, by its hash", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(outside(world.home), { text: "Written." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write it");
  await talk.say(`/approve ${talk.token()}`);
  const journal = journalOf(world);
  const approval = journal.find(({ kind }) => kind === "approval");
  const intent = journal.find(({ kind, changes }) => kind === "intent" && changes.length > 0);
  assert.ok(approval !== undefined && intent !== undefined && approval.sequence < intent.sequence);
  assert.equal(approval.digest, intent.digest);
  assert.match(String(intent.detail["approval"]), /^[0-9a-f]{8}$/);
});

test("a question whose token was lost can be answered by the one that /status shows", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(calls(["write-file", { path: `${world.home}/outside.txt`, content: "x" }]), {
    text: "Written.",
  });
  {
    await using daemon = await world.open();
    await (await talkTo(daemon)).say("write it outside");
  }
  await using again = await world.open();
  const talk = await talkTo(again);
  const shown = await talk.say("/status");
  const token = /\/approve (\S{22})/.exec(shown.text)?.[1];
  assert.ok(token !== undefined, shown.text);
  await talk.say(`/approve ${token}`);
  assert.equal(readFileSync(`${world.home}/outside.txt`, "utf8"), "x");
});

test("of several answers to one question at once the first counts, and the others hear that it was used", async (t) => {
  const world = await makeWorld(t, []);
  world.provider.add(outside(world.home), { text: "Done." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write it");
  const token = talk.token();
  const said = await Promise.all([
    daemon.runCommand({ kind: "approve", token }, talk.session),
    daemon.runCommand({ kind: "deny", token, reason: null }, talk.session),
    daemon.runCommand({ kind: "approve", token }, talk.session),
  ]);
  assert.deepEqual(
    said.map(({ kind }) => kind),
    ["turn", "refused", "refused"],
  );
  const answers = journalOf(world).filter(({ kind }) => kind === "approval");
  assert.deepEqual(
    answers.map(({ detail }) => detail["answer"]),
    ["yes"],
  );
});
