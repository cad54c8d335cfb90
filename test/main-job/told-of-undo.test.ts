import assert from "node:assert/strict";
import { test } from "node:test";
import { isJsonArray, isJsonObject } from "../../src/signal/json.ts";
import { pastStepOf } from "../../src/signal/past-step.ts";
import { calls, isMissing, makeWorld, named, sent, talkTo } from "../agent-world.ts";

const roomy = { LOOP_CONTEXT_WINDOW: "128000" };
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
  const marks = async (): Promise<readonly unknown[]> => {
    const reply = await daemon.runCommand({ kind: "history", id: null, limit: null }, talk.session);
    assert.ok(reply.kind === "said");
    const turns = reply.data !== undefined && isJsonArray(reply.data) ? reply.data : [];
    return turns
      .flatMap((turn) => (isJsonObject(turn) && isJsonArray(turn["steps"]) ? turn["steps"] : []))
      .map((step) => pastStepOf(step)?.undone);
  };
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
  assert.match((await talk.say("/search heliotrope")).text, /nothing found/i);
});
