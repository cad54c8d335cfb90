import assert from "node:assert/strict";
import { test } from "node:test";
import type { Agent } from "../../src/daemon/agent/resources/agent.ts";
import { pastStepOf } from "../../src/signal/past-step.ts";
import { isJsonArray, isJsonObject } from "../../src/text/json.ts";
import { calls, isMissing, makeWorld, named, sent, talkTo } from "../agent-world.ts";

const roomy = { LOOP_CONTEXT_WINDOW: "128000" };
/** What is said of each call in the history of a session: undone as a whole, in part, or not. */
async function marksOf(daemon: Agent, session: string): Promise<readonly unknown[]> {
  const reply = await daemon.runCommand({ kind: "history", id: null, limit: null }, session);
  assert.ok(reply.kind === "said");
  const turns = reply.data !== undefined && isJsonArray(reply.data) ? reply.data : [];
  return turns
    .flatMap((turn) => (isJsonObject(turn) && isJsonArray(turn["steps"]) ? turn["steps"] : []))
    .map((step) => pastStepOf(step)?.undone);
}

const takenBack = /From the program: what was changed here was taken back since: [^.]*roses\.txt/;

test("after an undo, a rewinding of files and a rollback the next request says what is not there, also after a resume, until it is done again", async (t) => {
  const world = await makeWorld(t, [], roomy);
  const write = (content: string) =>
    world.provider.add(calls(["write-file", { path: "roses.txt", content }]), { text: "Written." });
  let session = "";
  {
    await using daemon = await world.open();
    const talk = await talkTo(daemon, "garden");
    session = talk.session;
    const told = async (): Promise<string> => {
      world.provider.add({ text: "Seen." });
      await talk.say("what is there?");
      return sent(world, world.provider.requests.length - 1);
    };
    write("Friday\n");
    await talk.say("write it");
    assert.doesNotMatch(await told(), takenBack);
    await talk.say("/undo");
    assert.match(await told(), takenBack);
    await talk.say("/redo");
    assert.doesNotMatch(await told(), takenBack);
    await talk.say("/rewind 4 files");
    assert.match(await told(), takenBack);
    await talk.say("/redo");
    assert.doesNotMatch(await told(), takenBack);
    await talk.say("/rollback");
    assert.match(await told(), takenBack);
  }
  await using again = await world.open();
  world.provider.add({ text: "Seen." });
  const said = await again.say({ session, text: "and now?", source: "cli" });
  assert.ok(said.kind === "turn");
  await again.whenSettled(said.turn);
  assert.match(sent(world, world.provider.requests.length - 1), takenBack);
});

test("a call is marked in the history of its session while what it changed is undone, also by a command; one that changed nothing never is", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const world = await makeWorld(
    t,
    [
      calls(["shell", { cmd: "ls" }]),
      calls(["shell", { cmd: "sh -c 'echo x > tulips.txt'" }]),
      calls(["write-file", { path: "roses.txt", content: "Friday\n" }]),
      { text: "Made." },
    ],
    { ...roomy, TRIALS: "true" },
  );
  await using daemon = await world.open();
  const talk = await talkTo(daemon, "garden");
  const marks = () => marksOf(daemon, talk.session);
  await talk.say("make them");
  assert.deepEqual(await marks(), [null, null, null]);
  await talk.say("/undo");
  assert.deepEqual(await marks(), [null, "whole", "whole"]);
  const shown = await world.command(["cli", "--session", "garden"], { input: "/exit\n" });
  assert.match(
    shown.out,
    /\nshell: done \(exit code 0\): ls[\s\S]*↶ undone since: shell: done [\s\S]*↶ undone since: write-file: done/,
  );
  await talk.say("/redo");
  assert.deepEqual(await marks(), [null, null, null]);
  await talk.say("/rewind 1 files");
  assert.deepEqual(await marks(), [null, "whole", "whole"]);
});

test("what a command changed is told as taken back, too", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const world = await makeWorld(t, [calls(["shell", { cmd: "sh -c 'echo x > tulips.txt'" }])], {
    ...roomy,
    TRIALS: "true",
  });
  world.provider.add({ text: "Made." }, { text: "Seen." });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("make it");
  await talk.say("/undo");
  await talk.say("what is there?");
  assert.match(sent(world, 2), /taken back since: what a command changed in /);
});

test("a turn that waits for an answer while its own changes are undone is told of it when it goes on, unless they are done again", async (t) => {
  const world = await makeWorld(t, [], roomy);
  await using daemon = await world.open();
  const talk = await talkTo(daemon, "garden");
  const goesOn = async (...commands: readonly string[]): Promise<string> => {
    world.provider.add(
      calls(["write-file", { path: "roses.txt", content: `${commands.join()}\n` }]),
      calls(["write-file", { path: "../outside.txt", content: `${commands.join()}\n` }]),
      { text: "Seen." },
    );
    assert.equal((await talk.say("write both")).end, "approval-required");
    for (const command of commands) await talk.say(command);
    assert.equal((await talk.say(`/approve ${talk.token()}`)).end, "answered");
    return sent(world, world.provider.requests.length - 1);
  };
  assert.doesNotMatch(await goesOn("/status"), takenBack);
  const told = await goesOn("/undo");
  assert.match(told, takenBack);
  assert.ok(told.lastIndexOf("taken back since") > told.lastIndexOf("outside.txt"), "after what was done");
  await talk.say("/rewind 1 words");
  assert.doesNotMatch(await goesOn("/undo", "/redo"), takenBack);
});

test("a fork, and a fork of it, tell of the undo of what the session that they come from changed as that session does", async (t) => {
  const world = await makeWorld(
    t,
    [calls(["write-file", { path: "roses.txt", content: "Friday\n" }])],
    roomy,
  );
  await using daemon = await world.open();
  const talk = await talkTo(daemon, "garden");
  const forkOf = async (session: string) => {
    const reply = await daemon.runCommand({ kind: "fork-session", id: null }, session);
    assert.ok(reply.kind === "said" && reply.data !== undefined && isJsonObject(reply.data));
    return talkTo(daemon, String(reply.data["id"]));
  };
  world.provider.add({ text: "Written." });
  await talk.say("write it");
  const before = await forkOf(talk.session);
  await talk.say("/undo");
  const after = await forkOf(before.session);
  const shown = await world.command(["cli", "--session", before.session], { input: "/exit\n" });
  assert.match(shown.out, /↶ undone since: write-file: done/);
  for (const fork of [before, after]) {
    assert.deepEqual(await marksOf(daemon, fork.session), ["whole"]);
    world.provider.add({ text: "Seen." });
    await fork.say("what is there?");
    assert.match(sent(world, world.provider.requests.length - 1), takenBack);
  }
  await talk.say("/redo");
  assert.deepEqual(await marksOf(daemon, after.session), [null]);
  world.provider.add({ text: "Seen." });
  await after.say("and now?");
  assert.doesNotMatch(sent(world, world.provider.requests.length - 1), takenBack);
  assert.match(
    (await before.say("/undo")).text,
    /nothing to undo/,
    "what it changed stays with the first one",
  );
});

test("words that were taken back, or given back by a stop, never reach the model", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const world = await makeWorld(t, [calls(["shell", { cmd: "sleep 60" }])], roomy);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const running = talk.say("wait");
  while (named(talk.events, "verdict").length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const wait = (text: string) => daemon.say({ session: talk.session, text, source: "cli" });
  const first = await wait("chrysanthemum");
  await wait("heliotrope");
  assert.ok(first.kind === "turn");
  await daemon.runCommand({ kind: "take-back", turn: first.turn }, talk.session);
  await talk.say("/stop");
  await running;
  world.provider.add({ text: "Hello." });
  await talk.say("hello");
  assert.equal(world.provider.requests.length, 2);
  assert.doesNotMatch(sent(world, 1), /chrysanthemum|heliotrope/);
  const other = await talkTo(daemon);
  assert.match((await other.say("/search heliotrope")).text, /nothing found/i);
});
