import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../src/text/json.ts";
import { frame } from "../../src/wire/codec/frame.ts";
import { payloadOf } from "../../src/wire/server/wire.fixture.ts";
import { calls, makeWorld, onDatabase, sent } from "../agent-world.ts";
import { serveDaemon } from "./serve-daemon.ts";
import {
  isAcceptance,
  isQuestion,
  listenTo,
  metaOf,
  provedPeer,
  textOf,
  tokenOf,
  untilAnswer,
  wordsIn,
} from "./wire-client.ts";

const writesOutside = calls(["write-file", { path: "../outside.txt", content: "made\n" }]);
const isFinal = (message: JsonObject): boolean =>
  message["type"] === "response" && typeof metaOf(message)["turn-id"] === "string";

test("two clients of one session see the same, in the same order", async (t) => {
  const world = await makeWorld(t, [
    { text: "Welcome." },
    calls(["shell", { cmd: "ls" }]),
    { text: ["The folder ", "is ", "empty."] },
  ]);
  const daemon = await serveDaemon(world);
  const [one, two] = [listenTo(t, world, daemon), listenTo(t, world, daemon, { source: "emacs" })];
  await two.say("shared", "hello");
  const before = two.messages.length;
  await one.say("shared", "what is here?");
  const last = await two.message((message) => textOf(message) === "The folder is empty.");
  const own = one.messages.filter((message) => metaOf(message)["turn-id"] === metaOf(last)["turn-id"]);
  const seen = ({ meta: _, ...message }: JsonObject): JsonObject => message;
  assert.deepEqual(
    own.filter((message) => payloadOf(message)["action"] !== "accepted").map(seen),
    two.messages
      .slice(before)
      .filter((message) => payloadOf(message)["action"] !== "accepted")
      .map(seen),
  );
  assert.deepEqual([metaOf(own.at(-1) ?? {})["source"], metaOf(last)["source"]], ["tui", "emacs"]);
  const kinds = own.map(({ type }) => type);
  assert.equal(kinds.filter((type) => type === "stream-chunk").length > 0, true);
  assert.equal(
    own.some((message) => payloadOf(message)["sensor"] === "tool-output"),
    true,
  );
});

test("a client of another session is told nothing of this one", async (t) => {
  const world = await makeWorld(t, [{ text: "Between us." }, { text: "For you." }]);
  const daemon = await serveDaemon(world);
  const [one, two] = [listenTo(t, world, daemon), listenTo(t, world, daemon)];
  await one.say("mine", "hello");
  assert.equal(textOf(await two.say("other", "hello")), "For you.");
  assert.ok(!JSON.stringify(two.messages).includes("Between us."));
});

test("a client without the capability gets no chunks, and the whole answer", async (t) => {
  const world = await makeWorld(t, [{ text: ["One ", "whole ", "text."] }]);
  const daemon = await serveDaemon(world);
  const plain = listenTo(t, world, daemon, { capabilities: [] });
  assert.equal(textOf(await plain.say("s", "hello")), "One whole text.");
  assert.deepEqual(
    plain.messages.filter(({ type }) => String(type).startsWith("stream")),
    [],
  );
});

test("an answer whose client is gone is kept, and shown once when a client of the session is back", async (t) => {
  const world = await makeWorld(t, [
    { text: "Here is what you wanted.", pauseMs: 200 },
    { text: "And more." },
  ]);
  const daemon = await serveDaemon(world);
  const gone = await provedPeer(t, world, daemon);
  gone.send({ type: "request", id: "open", payload: { action: "session", name: "later" } });
  const session = String(metaOf(await gone.next())["session-id"]);
  gone.send(wordsIn(session, "do it while I am away", "one"));
  while (!isAcceptance(await gone.next(), "one"));
  gone.socket.destroy();
  const final = "SELECT state FROM turns WHERE state = 'answered'";
  while (onDatabase(world, final).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  for (const shown of ["Here is what you wanted.", undefined]) {
    const back = await provedPeer(t, world, daemon);
    back.send({ type: "request", id: "open", payload: { action: "session", name: "later" } });
    const first = await back.next();
    assert.equal(isFinal(first) ? textOf(first) : undefined, shown);
    if (isFinal(first)) assert.equal(payloadOf(await back.next())["action"], "session");
    back.socket.end();
  }
});

test("the command line shows an answer that waited", async (t) => {
  const world = await makeWorld(t, [{ text: "It waited for you.", pauseMs: 100 }]);
  await serveDaemon(world);
  await world.run(["ask", "--session", "away", "tell me"], {
    begun: ({ signal }) => void world.provider.reached(1).then(() => signal("SIGKILL")),
  });
  const waits = "SELECT id FROM outbox WHERE delivered = 0";
  while (onDatabase(world, waits).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const { out } = await world.command(["--session", "away"]);
  assert.match(out, /\(earlier\) It waited for you\./);
});

test("an answer says which note is in focus, and how many rules count and questions wait", async (t) => {
  const world = await makeWorld(t, [
    { text: "Hello." },
    { text: "On the boiler." },
    writesOutside,
    { text: "Meanwhile." },
  ]);
  mkdirSync(join(world.home, "memex"));
  writeFileSync(join(world.home, "memex/house.org"), "* Boiler\n:PROPERTIES:\n:ID: boiler\n:END:\nOld.\n");
  const client = listenTo(t, world, await serveDaemon(world));
  const told = async (words: string): Promise<unknown> => {
    const {
      "foveal-id": focus,
      "rule-count": rules,
      "pending-count": pending,
    } = payloadOf(await client.say("work", words));
    return [focus, rules, pending];
  };
  assert.deepEqual(await told("hello"), [undefined, 0, 0]);
  await client.request("focus", { id: "boiler" }, "work");
  assert.deepEqual(await told("and the boiler?"), ["boiler", 0, 0]);
  client.client.send(wordsIn("work", "make it", "make"));
  await client.message(isQuestion);
  assert.deepEqual(await told("and now?"), ["boiler", 0, 1]);
});

test("a question reaches every proved client of the owner, and the first answer counts", async (t) => {
  const world = await makeWorld(t, [writesOutside, { text: "Made it." }]);
  const daemon = await serveDaemon(world);
  const all = [listenTo(t, world, daemon), listenTo(t, world, daemon), listenTo(t, world, daemon)];
  const [caller, second, third] = all;
  assert.ok(caller !== undefined && second !== undefined && third !== undefined);
  for (const client of all) await client.request("status");
  caller.client.send(wordsIn("work", "make it", "one"));
  const questions = await Promise.all(all.map((client) => client.message(isQuestion)));
  assert.equal(new Set(questions.map(tokenOf)).size, 1);
  const token = tokenOf(questions[0] ?? {});
  const { "rule-count": rules, "pending-count": pending } = payloadOf(await second.request("help"));
  assert.deepEqual(
    [rules, pending],
    [0, 1],
    "each answer says how many rules count and how many questions wait",
  );
  const [no, yes] = await Promise.all([
    second.request("deny", { token }),
    third.request("approve", { token }),
  ]);
  const outcomes = [no, yes].map((answer) => payloadOf(answer)["outcome"] ?? "turn");
  assert.equal(outcomes.filter((outcome) => outcome === "refused").length, 1, outcomes.join(", "));
  assert.equal(textOf(await caller.message(isFinal)), "Made it.");
  assert.equal(existsSync(`${world.home}/outside.txt`), outcomes[0] === "refused");
});

test("a yes from another client has the work done where it was asked for, and both see its end", async (t) => {
  const world = await makeWorld(t, [writesOutside, { text: "Made it." }]);
  const daemon = await serveDaemon(world);
  const [caller, other] = [listenTo(t, world, daemon), listenTo(t, world, daemon)];
  await other.request("status");
  caller.client.send(wordsIn("work", "make it", "one"));
  const token = tokenOf(await other.message(isQuestion));
  await other.request("approve", { token });
  assert.equal(textOf(await caller.message(isFinal)), "Made it.");
  assert.equal(textOf(await other.message((message) => textOf(message) === "Made it.")), "Made it.");
  assert.equal(readFileSync(`${world.home}/outside.txt`, "utf8"), "made\n");
  assert.equal(payloadOf(await other.request("approve", { token }))["outcome"], "refused");
});

test("a session's workspace is the folder of the proof that began it, whatever a later client brings", async (t) => {
  const look = calls(["read-file", { path: "here.txt" }]);
  const world = await makeWorld(t, [look, { text: "First." }, look, { text: "Second." }]);
  writeFileSync(world.path("here.txt"), "in the workspace\n");
  const daemon = await serveDaemon(world, { cwd: "/" });
  await listenTo(t, world, daemon).say("fixed", "look");
  await listenTo(t, world, daemon, { workspace: "/etc" }).say("fixed", "look again");
  const folders = onDatabase(world, "SELECT workspace FROM sessions WHERE name = 'fixed'");
  assert.deepEqual(
    folders.map(({ workspace }) => workspace),
    [realpathSync(world.workspace)],
  );
  for (const request of [1, 3]) assert.match(sent(world, request), /in the workspace/);
});

test("home, what holds it, the root and no folder are no workspace, and one that is no absolute path is refused", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello.", repeat: true }]);
  const daemon = await serveDaemon(world);
  const above = dirname(world.home);
  symlinkSync(above, world.path("link"));
  const places = { home: world.home, above, link: world.path("link"), root: "/", none: null };
  for (const [name, workspace] of Object.entries(places)) {
    await listenTo(t, world, daemon, { workspace }).say(name, "hello");
  }
  const folders = onDatabase(world, "SELECT name, workspace FROM sessions WHERE name IS NOT NULL");
  assert.deepEqual(
    folders.map(({ workspace }) => workspace),
    Object.keys(places).map(() => null),
  );
  await assert.rejects(provedPeer(t, world, daemon, { workspace: "work" }));
});

test("the workspace is named in the proof and nowhere else", async (t) => {
  const world = await makeWorld(t);
  const daemon = await serveDaemon(world);
  const peer = await provedPeer(t, world, daemon);
  const words =
    '(:TYPE :EVENT :META (:SESSION-ID "s" :WORKSPACE "/etc") :PAYLOAD (:SENSOR :USER-INPUT :TEXT "x"))';
  peer.write(frame(words));
  const [refused] = await untilAnswer(peer);
  assert.equal(refused?.["type"], "protocol-error");
  assert.match(textOf(refused ?? {}), /WORKSPACE/);
});

test("sessions go on side by side while one of them hangs", async (t) => {
  const world = await makeWorld(t, [
    { when: "stuck session", fault: "hang" },
    { when: "free session", text: "Free.", repeat: true },
  ]);
  const daemon = await serveDaemon(world);
  const client = listenTo(t, world, daemon);
  client.client.send(wordsIn("stuck", "I am the stuck session", "one"));
  await world.provider.reached(1);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => client.say(`free-${index}`, "I am a free session")),
  );
  assert.deepEqual(new Set(answers.map(textOf)), new Set(["Free."]));
  assert.equal(payloadOf(await client.request("stop", {}, "stuck"))["text"], "Stopped.");
});

test("a session opened for the last time is the one that --continue finds, and a look opens none", async (t) => {
  const world = await makeWorld(t, [{ text: "Noted." }, { text: "Still here." }]);
  const daemon = await serveDaemon(world);
  await listenTo(t, world, daemon).say("notes", "remember the milk");
  assert.equal((await world.command(["ask", "--continue", "what was it?"])).out, "Still here.\n");
  assert.match(sent(world, 1), /remember the milk/);
  assert.equal(onDatabase(world, "SELECT id FROM sessions").length, 1);
});

test("a rewinding by one client is told to the others of its session at once, and its redo; to no other session", async (t) => {
  const world = await makeWorld(t, [{ text: "One." }, { text: "Elsewhere." }, { text: "Two." }]);
  const daemon = await serveDaemon(world);
  const [one, two, other] = [1, 2, 3].map(() => listenTo(t, world, daemon));
  assert.ok(one !== undefined && two !== undefined && other !== undefined);
  await two.say("shared", "first");
  await other.say("elsewhere", "hello");
  const last = await one.say("shared", "second");
  const turn = String(metaOf(last)["turn-id"]);
  const session = String(metaOf(last)["session-id"]);
  const isPast = (code: string) => (message: JsonObject) =>
    payloadOf(message)["code"] === code && message["id"] === undefined;
  await one.request("rewind", { turn, what: "words" }, session);
  const told = await two.message(isPast("rewound"));
  assert.equal(metaOf(told)["session-id"], session);
  assert.match(textOf(told), /The words of 1 turn are taken back\./);
  two.client.send({
    type: "event",
    id: "redo",
    meta: { "session-id": session },
    payload: { sensor: "user-input", text: "/redo" },
  });
  await one.message(isPast("words-back"));
  assert.ok(!JSON.stringify(other.messages).includes("taken back"));
  assert.ok(!one.messages.some(isPast("rewound")), "who did it has the answer alone");
});

test("words of one client are told to the others of its session once, and to no other session", async (t) => {
  const world = await makeWorld(t, [{ text: "One." }, { text: "Elsewhere." }, { text: "Two." }]);
  const daemon = await serveDaemon(world);
  const [one, two, other] = [1, 2, 3].map(() => listenTo(t, world, daemon));
  assert.ok(one !== undefined && two !== undefined && other !== undefined);
  await two.say("shared", "first");
  await other.say("elsewhere", "hello");
  const last = await one.say("shared", "second");
  const isSaid = (message: JsonObject) => typeof payloadOf(message)["words"] === "string";
  const told = await two.message(isSaid);
  assert.equal(metaOf(told)["turn-id"], metaOf(last)["turn-id"]);
  assert.equal(payloadOf(told)["words"], "second");
  one.client.send(wordsIn(String(metaOf(last)["session-id"]), "/status", "status"));
  await one.message(({ id }) => id === "status");
  assert.deepEqual(
    [one, two, other].map(({ messages }) => messages.filter(isSaid).length),
    [0, 1, 0],
  );
});

test("a question that is answered in its session goes away for a client of another one", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }, writesOutside, { text: "ok" }]);
  const daemon = await serveDaemon(world);
  const [one, other] = [listenTo(t, world, daemon), listenTo(t, world, daemon)];
  await other.say("elsewhere", "hello");
  one.client.send(wordsIn("mine", "make it", "one"));
  const asked = await other.message(isQuestion);
  await one.message(isQuestion);
  one.client.send({
    type: "request",
    id: "no",
    meta: { "session-id": "mine" },
    payload: { action: "deny", token: tokenOf(asked) },
  });
  const goesOn = await other.message(
    (message) =>
      payloadOf(message)["action"] === "thinking" && metaOf(message)["turn-id"] === metaOf(asked)["turn-id"],
  );
  assert.equal(payloadOf(goesOn)["text"], "");
  await one.message(isFinal);
  const turn = metaOf(asked)["turn-id"];
  assert.equal(other.messages.filter((message) => metaOf(message)["turn-id"] === turn).length, 2);
});

test("a question lists its offers, and a yes takes one by its id; an id that it has not answers nothing", async (t) => {
  const world = await makeWorld(t, [calls(["shell", { cmd: "make -n all" }]), { text: "Made." }]);
  const daemon = await serveDaemon(world);
  const one = listenTo(t, world, daemon);
  one.client.send(wordsIn("mine", "make it", "one"));
  const asked = await one.message(isQuestion);
  const { offers, token = "" } = payloadOf(asked);
  assert.partialDeepStrictEqual(offers, [{ id: "rule", effect: "keep-rule" }]);
  assert.match(JSON.stringify(offers), /yes, and always in .*work:","run `make -n all` in the sandbox/);
  const refused = await one.request("approve", { token, offer: "something" });
  assert.equal(payloadOf(refused)["code"], "no-offer");
  assert.equal(onDatabase(world, "SELECT 1 FROM approvals WHERE state = 'open'").length, 1);
  one.client.send({ type: "request", id: "yes", payload: { action: "approve", token, offer: "rule" } });
  assert.equal(textOf(await one.message(isFinal)), "Made.");
  assert.match(readFileSync(`${world.configuration}/rules.json`, "utf8"), /make/);
});
