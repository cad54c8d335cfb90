import assert from "node:assert/strict";
import { test } from "node:test";
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
