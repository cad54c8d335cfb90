import assert from "node:assert/strict";
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { calls, onDatabase, sent, talkTo } from "../agent-world.ts";
import { startDaemon } from "../daemon/daemon-process.ts";
import { jobsOf, openJobs, runsOf } from "../daemon/job-world.ts";
import { serveDaemon } from "../daemon/serve-daemon.ts";
import { onSmallDisk } from "../small-disk.ts";
import { entryOf, makeQuestionsWorld, property, type QuestionsWorld } from "./questions-world.ts";

const cannotWrite =
  /^questions\.org could not be written: .* Questions are asked as always; passepartout approve lists/;

/** Asks twice, answers the first with yes, and returns what was reported of the file. */
async function askTwice(world: QuestionsWorld): Promise<readonly string[]> {
  world.provider.add(world.asks("one.txt"), { text: "Made it." }, world.asks("two.txt"));
  const warned: string[] = [];
  {
    await using agent = await world.serve(warned);
    await agent.startUpkeep();
    const talk = await talkTo(agent);
    assert.equal((await talk.say("write one")).end, "approval-required");
    await talk.say(`/approve ${talk.token()}`);
    assert.ok(existsSync(world.outside("one.txt")));
    await agent.beat();
    assert.equal((await talk.say("write two")).end, "approval-required");
    await agent.beat();
  }
  return warned.filter((text) => text.includes("questions.org"));
}

test("a file that cannot be written stops no question, and is told once", async (t) => {
  const world = await makeQuestionsWorld(t);
  mkdirSync(join(world.notes, "questions.org"));
  const told = await askTwice(world);
  assert.equal(told.length, 1, told.join("\n"));
  assert.match(told[0] ?? "", cannotWrite);
});

test("a note of the owner that has the name of the file stays as it is, and that is told once", async (t) => {
  const world = await makeQuestionsWorld(t);
  const mine = "#+TITLE: What to ask the doctor\n* TODO Ask about :ID: question-1\n";
  world.write(mine);
  const told = await askTwice(world);
  assert.equal(told.length, 1, told.join("\n"));
  assert.match(told[0] ?? "", /questions\.org is a file of yours, which stays as it is\. Rename it/);
  assert.equal(world.read(), mine);
});

test("without a notes folder nothing is written or told, and a folder that is lost is not written into", async (t) => {
  const none = await makeQuestionsWorld(t);
  rmSync(none.notes, { recursive: true });
  assert.deepEqual(await askTwice(none), []);
  assert.equal(existsSync(none.notes), false);

  const lost = await makeQuestionsWorld(t);
  writeFileSync(join(lost.notes, "house.org"), "* House\n");
  assert.equal((await lost.command(["memory", "rebuild"])).code, 0);
  renameSync(lost.notes, `${lost.notes}-away`);
  mkdirSync(lost.notes);
  const told = await askTwice(lost);
  assert.equal(told.length, 1, told.join("\n"));
  assert.match(told[0] ?? "", /This folder is gone or empty.*Mount its disk/);
  assert.equal(existsSync(join(lost.notes, "questions.org")), false);
});

test("a link to a file elsewhere is not written through", async (t) => {
  const world = await makeQuestionsWorld(t);
  const target = world.path("mine.org");
  writeFileSync(target, "mine\n");
  symlinkSync("/etc/passepartout-questions", join(world.notes, "questions.org"));
  const told = await askTwice(world);
  assert.equal(told.length, 1, told.join("\n"));
  assert.match(told[0] ?? "", cannotWrite);
  assert.equal(existsSync("/etc/passepartout-questions"), false);
});

test("a disk of notes that is full or read-only stops no question, and each command tells it once", async (t) => {
  const twice = "agent ask 'write it'; agent ask 'write it again'";
  for (const [options, script] of [
    ["size=1m", `fill; ${twice}; free`],
    ["size=1m,ro", twice],
  ] as const) {
    const world = await makeQuestionsWorld(t);
    rmSync(world.notes, { recursive: true });
    world.provider.add(world.asks("one.txt"), world.asks("two.txt"));
    const output = await onSmallDisk(t, { world, place: "memex", options }, script);
    if (output === null) return;
    assert.equal(output.match(/May I\? This would:/g)?.length, 2, output);
    assert.equal(output.match(/^.*questions\.org could not be written/gm)?.length, 2, output);
    assert.equal(output.match(/code 4/g)?.length, 2, output);
  }
});

test("a question that an editor's lock kept out of the file is written once the lock is gone", async (t) => {
  const world = await makeQuestionsWorld(t);
  world.write("* Mine\n# Passepartout writes this file\n");
  const lock = join(world.notes, ".#questions.org");
  symlinkSync(`me@${hostname()}.${process.pid}`, lock);
  world.provider.add(world.asks("one.txt"));
  const warned: string[] = [];
  await using agent = await world.serve(warned);
  await agent.startUpkeep();
  await (await talkTo(agent)).say("write one");
  await agent.beat();
  rmSync(lock);
  await agent.beat();
  const text = await world.until(/^\* OPEN .*one\.txt/m);
  assert.match(text, /^\* Mine$/m);
  assert.deepEqual(
    warned.filter((words) => words.includes("questions.org")),
    [],
  );
});

test("a question that lapsed or was withdrawn says so, and the entries of a session that is forgotten are gone", async (t) => {
  const world = await makeQuestionsWorld(t);
  world.provider.add(world.asks("late.txt"), world.asks("stopped.txt"), world.asks("forgotten.txt"));
  await using agent = await world.serve();
  const talk = await talkTo(agent);
  await talk.say("write the first");
  await world.until(/^\* OPEN .*late\.txt/m);
  onDatabase(world, "UPDATE approvals SET expires = 1, body = json_set(body, '$.expiresAt', 1)");
  await agent.beat();
  await world.until(/^\* LAPSED .*late\.txt/m);
  const other = await talkTo(agent, "other");
  await other.say("write the second");
  await world.until(/^\* OPEN .*stopped\.txt/m);
  await other.say("/stop");
  await world.until(/^\* WITHDRAWN .*stopped\.txt/m);
  const third = await talkTo(agent, "third");
  await third.say("write the third");
  await world.until(/^\* OPEN .*forgotten\.txt/m);
  world.write(`${world.read()}My note on it.\n`);
  await third.say("/stop");
  const { text } = await talk.say("/sessions delete third");
  assert.match(text, /forgotten|deleted/i);
  assert.doesNotMatch(world.read(), /forgotten\.txt/);
  assert.match(world.read(), /My note on it/);
});

test("a question of a conversation that saw private text is listed without what it is about, and its text is not in the file", async (t) => {
  const world = await makeQuestionsWorld(t, { LOOP_LOCAL: "true", PRIVACY_FILTER_TAGS: "@personal" });
  writeFileSync(
    join(world.notes, "diary.org"),
    "* Diary :@personal:\nThe wombats of 4711 sleep under the old shed today.\n",
  );
  world.provider.add(
    calls(["read-file", { path: join(world.notes, "diary.org") }]),
    world.asks("wombats-4711.txt", "they sleep\n"),
    world.asks("plain.txt", "The wombats of 4711 sleep under the old shed today.\n"),
  );
  await using agent = await world.serve();
  const talk = await talkTo(agent);
  assert.equal((await talk.say("read the diary and write it")).end, "approval-required");
  const text = await world.until(/^\* OPEN .*private/m);
  const entry = entryOf(text, /^\* OPEN/);
  assert.equal(property(entry, "ACTION"), "write-file");
  assert.equal(property(entry, "EFFECTS"), "");
  // Private words are known by what they say, wherever they turn up.
  const other = await talkTo(agent);
  assert.equal((await other.say("write something")).end, "approval-required");
  const both = await world.until(/^\* OPEN[\s\S]*^\* OPEN/m);
  assert.doesNotMatch(both, /wombats|4711|old shed|plain\.txt/);
});

test("nothing of the file is in a prompt, and a key that a proposal repeats is masked in it", async (t) => {
  const world = await makeQuestionsWorld(t);
  world.provider.add(world.asks("boiler.txt", "the boiler has loopback-key-c0ffee-4711\n"), {
    text: "Hello.",
  });
  await using agent = await world.serve();
  const talk = await talkTo(agent);
  await talk.say("write about the boiler");
  const text = await world.until(/^\* OPEN .*boiler\.txt/m);
  assert.doesNotMatch(text, /c0ffee/);
  const other = await talkTo(agent);
  const [, title = ""] = /^\* OPEN (.*)$/m.exec(text) ?? [];
  await other.say(title);
  const id = property(entryOf(text, /boiler\.txt/), "ID");
  const prompt = sent(world, world.provider.requests.length - 1);
  assert.equal(prompt.includes(id), false);
  assert.ok(!prompt.includes("questions.org"));
  assert.doesNotMatch(prompt, /Nothing in it answers that|Answer with C-c C-t/);
});

test("a question that is listed begins no job that waits for a changed note", async (t) => {
  const job = "* look\n:PROPERTIES:\n:HOOK: note-changed\n:END:\nSay what changed.\n";
  const { world, notes, agent } = await openJobs(
    t,
    [{ when: "Say what changed", text: "I looked." }],
    () => [job],
    {
      HEARTBEAT_INTERVAL: "1",
    },
  );
  await jobsOf(agent, { verb: "add", name: "look" });
  const outside = join(world.home, "outside.txt");
  world.provider.add({ ...calls(["write-file", { path: outside, content: "x" }]), when: "write it" });
  assert.equal((await world.command(["ask", "write it"])).code, 4);
  const file = join(notes, "questions.org");
  for (let tries = 0; tries < 600 && !existsSync(file); tries += 1) await pause(100);
  assert.ok(existsSync(file));
  const beat = () => jobsOf(agent, { verb: "run", name: "heartbeat" });
  for (let beats = 0; beats < 3; beats += 1) await beat();
  assert.deepEqual(await runsOf(agent, "look"), []);
  writeFileSync(join(notes, "new.org"), "* New\n");
  for (let tries = 0; tries < 600 && (await runsOf(agent, "look")).length === 0; tries += 1) {
    await beat();
    await pause(100);
  }
  await world.provider.reached(2);
  const told = sent(world, 1);
  assert.match(told, /new\.org/);
  assert.ok(!told.includes("questions.org"));
});

test("after a kill the file agrees with the questions at the next start", async (t) => {
  const world = await makeQuestionsWorld(t);
  world.provider.add(world.asks("one.txt"), world.asks("two.txt"), { text: "Left alone." });
  const daemon = await startDaemon(t, world);
  const first = await world.command(["ask", "write one"]);
  assert.equal(first.code, 4, first.err);
  const [, token = ""] = /passepartout deny ([\w-]{22,})/.exec(first.out + first.err) ?? [];
  await world.until(/^\* OPEN .*one\.txt/m);
  await world.command(["ask", "write two"]);
  daemon.signal("SIGKILL");
  await daemon.end;
  // What the killed one had not written, and what was answered and edited while the file stood still.
  const before = world.read();
  world.write(before.replace(/^\* OPEN .*two\.txt[\s\S]*$/m, ""));
  rmSync(join(world.notes, ".#questions.org"), { force: true });
  const denied = await world.command(["deny", token]);
  assert.equal(denied.code, 0, denied.out + denied.err + token);
  world.write(world.read().replace("* DENIED", "* OPEN"));
  await serveDaemon(world);
  const text = await world.until(/^\* DENIED .*one\.txt[\s\S]*^\* OPEN .*two\.txt/m);
  assert.equal(text.match(/^\* /gm)?.length, 2);
  assert.doesNotMatch(text, /An edit of this entry was found/);
});
