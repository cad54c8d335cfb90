import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openState } from "../../src/memory/state/open-state.ts";
import { perceiveInput } from "../../src/perceive/perceive-input.ts";
import { type AgentWorld, calls, makeWorld, named, onDatabase, talkTo } from "../agent-world.ts";

test("the same client id twice is one signal", async (t) => {
  const world = await makeWorld(t);
  await using state = await openState({
    folder: world.state,
    clock: Date.now,
    gates: "gates",
    access: "write",
  });
  const { id: session } = await state.sessions.open({ name: null, workspace: null, source: "cli" });
  const perceived = (id: string) =>
    perceiveInput({
      id,
      clientId: "mine-1",
      session,
      source: "cli",
      person: "owner",
      at: 1,
      sensor: "user-input",
      payload: { text: "hello" },
    });
  const [one, two] = [perceived("a"), perceived("b")];
  assert.ok(one.ok && two.ok);
  const [first, second] = [await state.accept(one.signal, 50), await state.accept(two.signal, 50)];
  assert.deepEqual([first.fresh, second.fresh], [true, false]);
  assert.equal(second.turn.id, first.turn.id);
  assert.equal((await state.turns.unfinished()).length, 1);
});

/** Leaves a signal behind that was accepted and no more, as a process that was killed does. */
async function leaveBehind(world: AgentWorld, session: string, text: string): Promise<void> {
  const { state: folder } = world;
  await using state = await openState({ folder, clock: Date.now, gates: "gates", access: "write" });
  const { id } = await state.sessions.open({ name: session, workspace: null, source: "cli" });
  const perceived = perceiveInput({
    id: session,
    clientId: null,
    session: id,
    source: "cli",
    person: "owner",
    at: 1,
    sensor: "user-input",
    payload: { text },
  });
  assert.ok(perceived.ok);
  await state.accept(perceived.signal, 50);
}

test("a signal that was accepted and not answered is answered after the next start, and shown when its session is opened", async (t) => {
  const world = await makeWorld(t, [{ text: "Answered late." }]);
  await leaveBehind(world, "work", "are you there?");
  {
    await using daemon = await world.open();
    const [turn] = onDatabase(world, "SELECT id FROM turns");
    await daemon.whenSettled(String(turn?.["id"]));
  }
  const shown = await world.command(["--session", "work"], { input: "/exit\n" });
  assert.match(shown.out, /\(earlier\) Answered late\./);
  const again = await world.command(["--session", "work"], { input: "/exit\n" });
  assert.doesNotMatch(again.out, /earlier/);
});

test("an ask takes up what a former process left behind in another session, and keeps its answer for that one", async (t) => {
  const world = await makeWorld(t, [
    { when: "are you there?", text: "Answered late." },
    { when: "good morning", text: "Good morning." },
  ]);
  await leaveBehind(world, "work", "are you there?");
  const done = await world.command(["ask", "good morning"]);
  assert.deepEqual([done.code, done.out], [0, "Good morning.\n"]);
  await using daemon = await world.open();
  const session = await daemon.openSession({ name: "work", latest: false, source: "cli" });
  assert.deepEqual(
    (await daemon.undelivered(session)).map(({ text }) => text),
    ["Answered late."],
  );
});

test("turns of one session run one after the other", async (t) => {
  const world = await makeWorld(t, [{ text: "First.", pauseMs: 30 }, { text: "Second." }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await Promise.all([talk.say("one"), talk.say("two")]);
  const order = talk.events.filter(({ type }) => type === "thinking" || type === "answered");
  assert.deepEqual(
    order.map(({ type }) => type),
    ["thinking", "answered", "thinking", "answered"],
  );
});

test("two sessions run side by side", async (t) => {
  const world = await makeWorld(t, [
    { when: "the slow one", fault: "hang" },
    { when: "the fast one", text: "Fast." },
  ]);
  await using daemon = await world.open();
  const [slow, fast] = [await talkTo(daemon), await talkTo(daemon)];
  const hanging = slow.say("I am the slow one");
  await world.provider.reached(1);
  assert.equal((await fast.say("I am the fast one")).text, "Fast.");
  await slow.say("/stop");
  await hanging;
});

test("/status, /help and /stop overtake the queue of their session", async (t) => {
  const world = await makeWorld(t, [{ fault: "hang" }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const hanging = talk.say("think for ever");
  await world.provider.reached(1);
  assert.match((await talk.say("/status")).text, /thinking \(session .*\): think for ever/);
  assert.match((await talk.say("/help")).text, /\/rollback/);
  await talk.say("/stop");
  await hanging;
});

test("a session with a name is the same session at the next start", async (t) => {
  const world = await makeWorld(t, [{ text: "Noted." }, { text: "Heliotrope." }]);
  for (const text of ["the word is heliotrope", "what is the word?"]) {
    await using daemon = await world.open();
    await (await talkTo(daemon, "words")).say(text);
  }
  assert.match(world.provider.requests[1]?.body ?? "", /heliotrope/);
});

test("a session keeps the workspace that it began with", async (t) => {
  const world = await makeWorld(t, [
    { text: "Begun." },
    calls(["write-file", { path: join("..", "work", "a.txt"), content: "x" }]),
    { text: "Written." },
  ]);
  {
    await using daemon = await world.open();
    await (await talkTo(daemon, "fixed")).say("begin");
  }
  await using daemon = await world.open({}, { cwd: world.home });
  const said = await (await talkTo(daemon, "fixed")).say("write it");
  assert.equal(named(said.events, "verdict")[0]?.verdict, "pass");
});

test("a home folder is no workspace unasked", async (t) => {
  const world = await makeWorld(t, [calls(["write-file", { path: "a.txt", content: "x" }])]);
  await using daemon = await world.open({}, { cwd: world.home });
  assert.match(daemon.notices.join("\n"), /is not taken as a workspace/);
  const said = await (await talkTo(daemon)).say("write it");
  assert.notEqual(named(said.events, "verdict")[0]?.verdict, "pass");
});

test("an answer that was shown is not shown again", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  const done = await world.command(["ask", "--session", "one", "hi"]);
  assert.equal(done.out, "Hello.\n");
  await using daemon = await world.open();
  const session = await daemon.openSession({ name: "one", latest: false, source: "cli" });
  assert.deepEqual(await daemon.undelivered(session), []);
});
