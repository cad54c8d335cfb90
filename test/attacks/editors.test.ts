import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { lockPathOf } from "../../src/act/files/locks/lock-file.ts";
import type { JsonObject } from "../../src/text/json.ts";
import { connectPeer, type Peer } from "../../src/wire/server/wire.fixture.ts";
import { type AgentWorld, calls, makeWorld, onDatabase, sent, talkTo } from "../agent-world.ts";
import { untilAnswer, wordsIn } from "../daemon/wire-client.ts";
import {
  bufferOf,
  connectEditor,
  type EditorAnswer,
  type FakeEditor,
  socketOf,
} from "../doors/fake-editor.ts";

const before = "* TODO buy milk\n* call Ann\n";
const unsaved = `${before}* from Emacs\n`;

/** An agent beside a plan that this process holds, as an editor with unsaved changes does. */
async function heldPlan(t: TestContext, settings: Readonly<Record<string, string>> = {}) {
  const world = await makeWorld(t);
  const notes = join(world.home, "notes");
  const plan = join(notes, "plan.org");
  mkdirSync(notes);
  writeFileSync(plan, before);
  symlinkSync(`me@${hostname()}.${process.pid}:1`, lockPathOf(plan));
  const agent = await world.open({ MEMEX_DIR: notes, ...settings });
  const peers: Peer[] = [];
  // The agent stays while a client is there.
  t.after(async () => {
    for (const { socket } of peers) socket.destroy();
    await agent[Symbol.asyncDispose]();
  });
  const connect = async (answer: EditorAnswer, named: JsonObject = {}) => {
    const editor = await connectEditor(t, world, answer, named);
    peers.push(editor.peer);
    return editor;
  };
  return { world, plan, agent, talk: await talkTo(agent), connect, peers };
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 4800 && !holds(); tries += 1) await pause(25);
  assert.ok(holds(), "it did not come to be");
}

const waiting = (world: AgentWorld) => onDatabase(world, "SELECT id FROM pending_edits").length;
const edit = (path: string, old: string, put: string) => calls(["edit-file", { path, old, new: put }]);

test("only a proved client of the process that holds a file is asked for its text, and only for that file", async (t) => {
  const { world, plan, talk, connect, peers } = await heldPlan(t, { PROTOCOL_ENFORCE_HMAC: "false" });
  writeFileSync(join(world.home, "notes/other.org"), "* other\n");
  const none = () => null;
  const strangers: FakeEditor[] = [];
  for (const named of [
    { process: process.pid + 1 },
    { host: "elsewhere" },
    { capabilities: ["stream"] },
    { host: "" },
  ] as const)
    strangers.push(await connect(none, named));
  const unproved = connectPeer(t, { path: socketOf(world) });
  peers.push(unproved);
  await unproved.next();
  world.provider.add({ text: "Hello." });
  const { meta: _, ...hello } = wordsIn("", "hello", "u1");
  unproved.send({ ...hello, meta: { source: "emacs", capabilities: ["buffers", "stream"] } });
  assert.equal((await untilAnswer(unproved)).at(-1)?.["type"], "response");
  world.provider.add(edit(plan, "milk", "bread"), { text: "It waits." });
  assert.match((await talk.say("bread")).text, /waits until Emacs lets go of plan\.org/);
  assert.deepEqual(
    strangers.flatMap(({ asked }) => asked),
    [],
  );
  assert.equal(waiting(world), 1);
  const buffer = bufferOf(unsaved);
  const { asked } = await connect(buffer.answer);
  await until(() => waiting(world) === 0);
  assert.equal(buffer.text(), unsaved.replace("milk", "bread"));
  world.provider.add(edit(join(world.home, "notes/other.org"), "other", "others"), { text: "Done." });
  await talk.say("the other");
  assert.deepEqual(new Set(asked.map(({ path }) => path)), new Set([plan]));
  const told = unproved.rest();
  unproved.socket.destroy();
  assert.doesNotMatch(JSON.stringify(await told), /buffer-/);
  assert.equal(readFileSync(plan, "utf8"), before);
});

test("an editor that does not answer is waited for once, and what it makes later is not made twice", async (t) => {
  const { world, plan, agent, talk, connect } = await heldPlan(t);
  const buffer = bufferOf(unsaved);
  const silent = { kind: "buffer-text" };
  const late: (() => void)[] = [];
  const { asked } = await connect((question, peer) => {
    if (question["action"] !== silent.kind) return buffer.answer(question);
    late.push(() => {
      const payload = { action: "answer-buffer", request: question["id"] ?? "", ...buffer.answer(question) };
      peer.send({ type: "request", payload });
    });
    return null;
  });
  const insert = (title: string) =>
    calls(["edit-notes", { file: plan, operations: [{ op: "insert", title }] }]);
  world.provider.add(insert("one"), { text: "It waits." }, insert("two"), { text: "It waits." });
  assert.match((await talk.say("one")).text, /waits until Emacs lets go/);
  await talk.say("two");
  assert.equal(asked.length, 1, "a silent editor is not asked again");
  // It answers, and then is slow with an edit that it makes all the same.
  silent.kind = "buffer-edit";
  for (const answer of late.splice(0)) answer();
  await until(() => late.length === 1);
  await until(
    () => onDatabase(world, "SELECT 1 FROM pending_edits WHERE body LIKE '%attempted%'").length === 1,
  );
  silent.kind = "";
  for (const answer of late.splice(0)) answer();
  await until(() => waiting(world) === 0);
  await agent.whenIdle();
  for (const title of ["one", "two"])
    assert.equal(buffer.text().split(`* ${title}\n`).length, 2, buffer.text());
  assert.equal(readFileSync(plan, "utf8"), before);
});

test("what an editor answers that it was not asked, or that is no answer, changes nothing, and the edit waits", async (t) => {
  const { world, plan, talk, connect } = await heldPlan(t);
  const answers: readonly JsonObject[] = [
    { done: true },
    { refused: "because" },
    {},
    { text: unsaved, request: "0" },
    { refused: "failed", text: unsaved },
  ];
  for (const [index, answer] of answers.entries()) {
    const { peer } = await connect((question) => (question["action"] === "buffer-text" ? answer : null));
    world.provider.add(edit(plan, "milk", `bread ${index}`), { text: "It waits." });
    assert.match((await talk.say("bread")).text, /waits until Emacs lets go/, JSON.stringify(answer));
    peer.socket.destroy();
  }
  assert.equal(waiting(world), answers.length);
  assert.equal(readFileSync(plan, "utf8"), before);
  rmSync(lockPathOf(plan));
  await until(() => waiting(world) === 0);
  assert.equal(readFileSync(plan, "utf8"), before.replace("milk", "bread 0"));
});

test("nobody answers for another editor, and one that leaves in the middle leaves an edit that waits", async (t) => {
  const { world, plan, talk, connect } = await heldPlan(t);
  const stolen: string[] = [];
  const thief = await connect(() => null, { process: process.pid + 1 });
  await connect(({ id }, peer) => {
    stolen.push(String(id));
    const payload = { action: "answer-buffer", request: String(id), text: "all yours\n" };
    thief.peer.send({ type: "request", payload });
    setTimeout(() => peer.socket.destroy(), 200);
    return null;
  });
  world.provider.add(edit(plan, "milk", "bread"), { text: "It waits." });
  assert.match((await talk.say("bread")).text, /waits until Emacs lets go/);
  assert.equal(stolen.length, 1);
  assert.equal(readFileSync(plan, "utf8"), before);
});

test("what is private in an unsaved buffer stays so, keys of it are masked, and a buffer with encrypted text is not used", async (t) => {
  const { world, plan, agent, talk, connect } = await heldPlan(t);
  const key =
    "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefghijklmnopqrstu-AAAAAA";
  const shown = { text: `* Doctor :@personal:\nThe pyjamas are blue velvet.\n${before}` };
  const { asked } = await connect(() => ({ text: shown.text, eol: "lf" }));
  const near = edit(plan, "The pyjamas are blue", "The pyjamas are red");
  const wrong = edit(plan, "The pyjamas were blue.", "x");
  world.provider.add(wrong, { text: "Not found." });
  await talk.say("change it");
  assert.doesNotMatch(sent(world, 1), /velvet/);
  shown.text = `* Key\nIt is ${key} here\n${before}`;
  world.provider.add(edit(plan, `It was ${key.slice(0, 12)} here`, "x"), { text: "Not found." });
  await talk.say("change that");
  assert.doesNotMatch(world.provider.requests.map(({ body }) => body).join(), new RegExp(key.slice(30)));
  shown.text = `* Safe :crypt:\nplain words of the safe\n${before}`;
  world.provider.add(near, { text: "It waits." }, edit(plan, "milk", "bread"), { text: "It waits too." });
  const texts = asked.length;
  await talk.say("the safe");
  assert.match((await talk.say("bread")).text, /waits until Emacs lets go/);
  assert.ok(asked.length > texts && asked.every(({ action }) => action === "buffer-text"));
  await agent.whenIdle();
  assert.doesNotMatch(world.provider.requests.map(({ body }) => body).join(), /of the safe/);
});
