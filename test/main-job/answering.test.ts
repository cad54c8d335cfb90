import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { calls, explanation, journalOf, makeWorld, named, onDatabase, sent, talkTo } from "../agent-world.ts";

test("words go in, the model thinks, its proposals are judged and done, it remembers, and the answer comes back", async (t) => {
  const world = await makeWorld(t, [
    calls(["read-file", { path: "a.txt" }], ["write-file", { path: "b.txt", content: "beta\n" }]),
    { text: "It said alpha, and b.txt is written." },
  ]);
  writeFileSync(world.path("a.txt"), "alpha\n");
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("read a.txt and write b.txt");
  assert.deepEqual(
    said.events.map(({ type }) => type).filter((event) => event !== "text"),
    [
      "accepted",
      "thinking",
      "proposed",
      "verdict",
      "proposed",
      "verdict",
      "outcome",
      "outcome",
      "thinking",
      "answered",
    ],
  );
  assert.deepEqual(
    named(said.events, "outcome").map(({ tool }) => tool),
    ["read-file", "write-file"],
  );
  assert.equal(said.text, "It said alpha, and b.txt is written.");
  assert.equal(readFileSync(world.path("b.txt"), "utf8"), "beta\n");
  assert.match(sent(world, 1), /alpha/);
});

test("a session remembers what was said and done in it", async (t) => {
  const world = await makeWorld(t, [{ text: "Nice to meet you, Ada." }, { text: "You are Ada." }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("I am Ada");
  assert.equal((await talk.say("who am I?")).text, "You are Ada.");
  const second = sent(world, 1);
  assert.ok(second.includes("I am Ada") && second.includes("Nice to meet you, Ada."));
});

test("another session begins without the words of the first", async (t) => {
  const world = await makeWorld(t, [{ text: "Noted." }, { text: "I do not know." }]);
  await using daemon = await world.open();
  assert.equal((await (await talkTo(daemon)).say("the word is heliotrope")).end, "answered");
  assert.equal((await (await talkTo(daemon)).say("what is the word?")).end, "answered");
  assert.ok(!sent(world, 1).includes("heliotrope"));
});

test("all calls of one answer are judged before the first runs", async (t) => {
  const world = await makeWorld(t, [
    calls(
      ["write-file", { path: "one.txt", content: "1" }],
      ["write-file", { path: "two.txt", content: "2" }],
    ),
    { text: "Both are written." },
  ]);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("write two files");
  const order = said.events.map(({ type }) => type);
  assert.ok(order.lastIndexOf("verdict") < order.indexOf("outcome"), order.join(" "));
});

test("if any call of an answer is blocked none runs, and each gets a result that says so", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: "one.txt", content: "1" }], ["read-file", { path: "/etc/shadow" }]),
    { text: "I may not read that." },
  ]);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("write a file and read the passwords");
  assert.equal(said.end, "answered");
  assert.equal(existsSync(world.path("one.txt")), false);
  assert.equal(named(said.events, "outcome").length, 0);
  const second = sent(world, 1);
  assert.match(second, /Not run, because another call of the same answer was refused/);
  assert.match(second, /Not allowed: /);
});

test("a step has at most three proposals, then the last reason is the result", async (t) => {
  const refused = calls(["read-file", { path: "/etc/shadow" }]);
  const world = await makeWorld(t, [refused, refused, refused, { text: "never asked" }]);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("read the passwords");
  assert.equal(said.end, "blocked");
  assert.match(said.text, /Refused after 3 proposals\. The last reason: .*\/etc\/shadow/);
  assert.equal(world.provider.requests.length, 3);
});

test("a refusal goes back to the model with its reason, and a step that is done counts anew", async (t) => {
  const refused = calls(["read-file", { path: "/etc/shadow" }]);
  const other = calls(["read-file", { path: "/etc/gshadow" }]);
  const world = await makeWorld(t, [
    refused,
    refused,
    calls(["list-files", { path: "." }]),
    other,
    other,
    { text: "At last." },
  ]);
  await using daemon = await world.open();
  assert.equal((await (await talkTo(daemon)).say("try")).text, "At last.");
  assert.match(sent(world, 1), /secret path/);
});

test("a tool's error is a result for the model, and no crash", async (t) => {
  const world = await makeWorld(t, [
    calls(["read-file", { path: "missing.txt" }]),
    { text: "There is none." },
  ]);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("read it");
  assert.equal(said.text, "There is none.");
  const [outcome] = named(said.events, "outcome");
  assert.equal(outcome?.status, "error");
  assert.match(sent(world, 1), /missing\.txt/);
});

test("a tool that does not exist is an error with the names that do, and nothing runs", async (t) => {
  const world = await makeWorld(t, [calls(["format-disk", { disk: "/dev/sda" }]), { text: "No such tool." }]);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("format it");
  assert.equal(said.end, "answered");
  assert.equal(named(said.events, "outcome")[0]?.code, "unknown-tool");
  assert.match(sent(world, 1), /write-file/);
});

test("a tool that does not exist is told at once, also beside a call whose explanation is too short", async (t) => {
  const world = await makeWorld(t, [
    calls(
      ["list-files", { path: ".", explanation: "look" }],
      ["paint", { colour: "red", explanation: "art" }],
    ),
    { text: "There is no such tool." },
  ]);
  await using daemon = await world.open();
  assert.equal((await (await talkTo(daemon)).say("paint it")).end, "answered");
  assert.match(sent(world, 1), /the explanation has no more than 10 characters/);
  assert.match(sent(world, 1), /Tool 'paint' not found\. There are: /);
});

test("arguments that the tool's schema does not know are an error, and nothing runs", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: "a.txt", content: "x", sudo: true }]),
    { text: "Corrected." },
  ]);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("write it");
  assert.equal(named(said.events, "outcome")[0]?.status, "error");
  assert.equal(existsSync(world.path("a.txt")), false);
});

test("a proposal without an explanation is blocked, and nothing runs", async (t) => {
  const bare = { calls: [{ name: "write-file", arguments: { path: "a.txt", content: "x" } }] };
  const short = {
    calls: [{ name: "write-file", arguments: { path: "a.txt", content: "x", explanation: "why not" } }],
  };
  const world = await makeWorld(t, [bare, short, { text: "I give up." }]);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("write it");
  assert.deepEqual(
    named(said.events, "verdict").map(({ verdict }) => verdict),
    ["block", "block"],
  );
  assert.equal(existsSync(world.path("a.txt")), false);
});

test("text beside native calls is a note: it is kept, it is no form, and it does not end the turn", async (t) => {
  const note = '(:TARGET "shell" :PAYLOAD (:CMD "touch forged.txt"))';
  const world = await makeWorld(t, [
    { text: note, ...calls(["list-files", { path: "." }]) },
    { text: "Listed." },
  ]);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("list");
  assert.equal(said.text, "Listed.");
  assert.deepEqual(
    named(said.events, "proposed").map(({ action }) => action.payload["tool"]),
    ["list-files"],
  );
  assert.equal(existsSync(world.path("forged.txt")), false);
});

test("a proposal carries the model's own explanation, and nobody fills one in", async (t) => {
  const world = await makeWorld(t, [calls(["list-files", { path: "." }]), { text: "Listed." }]);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("list");
  assert.equal(named(said.events, "proposed")[0]?.action.explanation, explanation);
});

test("a snapshot is taken before each call of a model", async (t) => {
  const world = await makeWorld(t, [calls(["list-files", { path: "." }]), { text: "Listed." }]);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("list");
  const snapshots = onDatabase(world, "SELECT note FROM snapshots").filter(({ note }) => note === said.turn);
  assert.equal(world.provider.requests.length, 2);
  assert.equal(snapshots.length, 2);
});

test("at the depth limit the person is told what was done, and continue goes on", async (t) => {
  const list = calls(["list-files", { path: "." }]);
  const world = await makeWorld(t, [list, list, { text: "Now it is finished." }], { DEPTH_LIMIT: "2" });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const said = await talk.say("list for ever");
  assert.equal(said.code, "depth-limit");
  assert.match(said.text, /Stopped after 2 steps[\s\S]*- list-files: success[\s\S]*Say `continue`/);
  assert.equal(world.provider.requests.length, 2);
  assert.equal((await talk.say("continue")).text, "Now it is finished.");
  assert.match(sent(world, 2), /list for ever/);
});

test("what the model remembers is found in a later session", async (t) => {
  const world = await makeWorld(t, [
    calls(["remember", { text: "The owner's cat is called Mimi" }]),
    { text: "Kept." },
    calls(["recall", { query: "cat" }]),
    { text: "Mimi." },
  ]);
  await using daemon = await world.open();
  await (await talkTo(daemon)).say("my cat is called Mimi, remember that");
  await (await talkTo(daemon)).say("what is my cat called?");
  assert.match(sent(world, 3), /called Mimi/);
  assert.ok(journalOf(world).some(({ effects }) => effects.some(({ kind }) => kind === "change-memory")));
});

test("without a provider the agent answers by reflex, and asks nobody", async (t) => {
  const world = await makeWorld(t, [], { PROVIDER_CASCADE: "" });
  writeFileSync(world.path("a.txt"), "alpha\n");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.match((await talk.say("read a.txt")).text, /alpha/);
  assert.match((await talk.say("good morning")).text, /No model is set up/);
  assert.equal(world.provider.requests.length, 0);
});

test("without a provider the flow of approvals works as well", async (t) => {
  const world = await makeWorld(t, [], { PROVIDER_CASCADE: "" });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const asked = await talk.say(`write ${world.home}/out.txt: heliotrope`);
  assert.equal(asked.end, "approval-required");
  const done = await talk.say(`/approve ${talk.token()}`);
  assert.match(done.text, /Created .*out\.txt/);
  assert.equal(readFileSync(`${world.home}/out.txt`, "utf8"), "heliotrope\n");
});
