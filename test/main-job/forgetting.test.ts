import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type AgentWorld, explanation, makeWorld, talkTo } from "../agent-world.ts";

const call = (name: string, args: object) => ({
  calls: [{ id: "c1", name, arguments: { ...args, explanation } }],
});

/** The files of the state folder that hold some words. */
function holders(world: AgentWorld, words: string): readonly string[] {
  return readdirSync(world.state).filter((name) => {
    const path = join(world.state, name);
    return /^(state|index)\.db|journal/.test(name) && readFileSync(path).includes(words);
  });
}

test("what is forgotten is on the disk no more, and the chain, the history and memory are whole", async (t) => {
  const world = await makeWorld(t, [
    call("remember", { text: "The safe says abracadabra" }),
    { text: "Kept." },
  ]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const kept = await talk.say("remember it");
  const found = await talk.say("/search abracadabra");
  assert.match(found.text, /abracadabra/);
  const id = /^(\S+) {2}/m.exec(found.text)?.[1] ?? "";
  assert.ok(holders(world, "abracadabra").length > 0);
  assert.match(
    (await talk.say("/forget nothing-of-that-name")).text,
    /There is no note, memory or finished turn/,
  );
  const told = await talk.say(`/forget ${id}`);
  assert.match(
    told.text,
    /^Forgotten: 1 versions of it, 1 kept versions of .*inbox\.org, which no undo brings back\.\nThe note itself stands in .*inbox\.org; delete it there\./,
  );
  assert.ok(told.text.includes(`/forget ${kept.turn} forgets them too`), told.text);
  for (const turn of [kept.turn, found.turn]) {
    assert.match((await talk.say(`/forget ${turn}`)).text, /^Forgotten: the texts of that turn\./);
  }
  await daemon[Symbol.asyncDispose]();
  rmSync(join(world.home, "memex", "inbox.org"));
  assert.equal((await world.command(["memory", "rebuild"])).code, 0);
  assert.deepEqual(holders(world, "abracadabra"), []);
  for (const command of [
    ["journal", "verify"],
    ["journal", "replay"],
    ["memory", "verify"],
  ]) {
    const { code, out, err } = await world.command(command);
    assert.equal(code, 0, `${command.join(" ")}: ${out}${err}`);
  }
  const again = await world.command(["memory", "search", "abracadabra"]);
  assert.equal(again.code, 1);
});

test("the earlier contents of a forgotten note's file are gone, and undo says so", async (t) => {
  const world = await makeWorld(t, [
    call("write-file", { path: "../memex/a.org", content: "* Rose\nwhite\n" }),
    { text: "Done." },
  ]);
  mkdirSync(join(world.home, "memex"));
  const note = join(world.home, "memex", "a.org");
  writeFileSync(note, "* Rose\nonce crimson\n");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const asked = await talk.say("make it white");
  if (asked.end !== "answered") await talk.say(`/approve ${talk.token()}`);
  assert.equal(readFileSync(note, "utf8"), "* Rose\nwhite\n");
  const told = await talk.say("/forget a.org::Rose");
  assert.match(
    told.text,
    /^Forgotten: 2 kept versions of .*a\.org, which no undo brings back\.\nThe note itself stands in/,
  );
  const undone = await talk.say("/undo");
  assert.match(undone.text, /forgotten at your word/);
  assert.equal(readFileSync(note, "utf8"), "* Rose\nwhite\n");
});

test("a snapshot from before a forgetting brings back all but what was forgotten", async (t) => {
  const world = await makeWorld(t, [
    call("remember", { text: "one stays" }),
    { text: "Kept." },
    call("remember", { text: "two goes" }),
    { text: "Kept." },
  ]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("remember one");
  await talk.say("remember two");
  const ids = async (): Promise<readonly string[]> => {
    const shown = await world.command(["memory", "search", "stays goes", "--json"]);
    return shown.out
      .trim()
      .split("\n")
      .filter(Boolean)
      .map((line): { title: string; id: string } => JSON.parse(line))
      .filter(({ title }) => /^(one stays|two goes)$/.test(title))
      .map(({ id, title }) => `${title}|${id}`)
      .sort();
  };
  const [, second = ""] = await ids();
  const snapshot = await daemon.takeSnapshot("both are there");
  const id = second.split("|")[1] ?? "";
  assert.match((await talk.say(`/forget ${id}`)).text, /^Forgotten: 1 versions of it/);
  const back = await talk.say(`/rollback ${snapshot}`);
  assert.match(back.text, new RegExp(`${id} was forgotten and stays forgotten`));
  const { out } = await world.command(["memory", "show", "--json"]);
  assert.equal(JSON.parse(out).counts.own, 1);
});

test("what was proposed from a forgotten turn leaves review.org and its kept versions, and nothing else does", async (t) => {
  const world = await makeWorld(
    t,
    Array.from({ length: 8 }, () => ({ text: "Ok." })),
  );
  const memex = join(world.home, "memex");
  mkdirSync(memex);
  writeFileSync(join(memex, "house.org"), "* House\n- Boiler: 390 euros\n");
  const review = join(memex, "review.org");
  const inbox = () => readFileSync(review, "utf8");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const heron = await talk.say("We decided to name the boat Heron. The boiler costs 417 euros.");
  await talk.say("My sister lives in Ghent now.");
  await talk.say("/jobs run scribe");
  assert.match(inbox(), /Heron[\s\S]*Two values of boiler/);
  writeFileSync(review, `* Mine\nstays \n\n${inbox()}My remark.\n* Mine too\n`);
  const told = await talk.say(`/forget ${heron.turn}`);
  assert.match(
    told.text,
    /^Forgotten: the texts of that turn, what 1 turn of jobs and sub-tasks made of it, 2 proposals of the review inbox/,
  );
  assert.equal(inbox(), "* Mine\nstays \n\n#+TITLE: Review\n\n* Forgotten\nMy remark.\n* Mine too\n");
  assert.match((await talk.say("/review")).text, /Nothing is proposed/);

  // What else was said that day is proposed again, although nothing was said since.
  assert.match((await talk.say("/jobs run scribe")).text, /1 proposed/);
  assert.match(inbox(), /My sister lives in Ghent/);
  assert.ok(!inbox().includes("Heron"));

  // What was decided goes too, and so does what a deleted session said.
  const other = await talkTo(daemon);
  const otter = await other.say("We decided to name the dog Otter.");
  assert.notEqual(otter.turn, heron.turn);
  await talk.say("/jobs run scribe");
  const [, id = ""] = /:ID: +(review-\S+)/.exec(inbox()) ?? [];
  await talk.say(`/review reject ${id}`);
  assert.match(inbox(), /Otter/);
  assert.match((await talk.say(`/session delete ${other.session}`)).text, /^Deleted, with/);
  assert.ok(!inbox().includes("Otter"), inbox());
  await daemon[Symbol.asyncDispose]();
  assert.equal((await world.command(["memory", "rebuild"])).code, 0);
  for (const words of ["Heron", "Otter", "417 euros"]) assert.deepEqual(holders(world, words), [], words);
});
