import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type AgentWorld, makeWorld, talkTo } from "../agent-world.ts";

const inboxOf = (world: AgentWorld): string => {
  const path = join(world.home, "memex", "review.org");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};

test("what was said and done is proposed once, accepted into the note of the day with links to its lines, and asks no model", async (t) => {
  const world = await makeWorld(t, [{ text: "Noted." }, { text: "Fine." }]);
  mkdirSync(join(world.home, "memex"));
  await using agent = await world.open();
  const talk = await talkTo(agent);
  assert.match((await talk.say("/jobs run scribe")).text, /Nothing was due/);
  assert.equal(inboxOf(world), "");
  const said = await talk.say("We decided to take the copper pipe. Thanks!");
  await talk.say("My sister lives in Ghent now.");
  const asked = world.provider.requests.length;
  assert.match((await talk.say("/jobs run scribe")).text, /1 proposed for review\.org, from 2 claims/);
  assert.equal(world.provider.requests.length, asked);
  const inbox = inboxOf(world);
  assert.match(inbox, /^\* TODO Notes of \d{4}-\d\d-\d\d: 2 claims$/m);
  assert.match((await talk.say("/jobs run scribe")).text, /Nothing was due/);
  assert.equal(inboxOf(world), inbox);
  const id = /:ID: +(review-\S+)/.exec(inbox)?.[1] ?? "";
  await talk.say(`/review accept ${id}`);
  const file = /\+\+\+ (daily\/\S+\.org)/.exec(inbox)?.[1] ?? "";
  const note = readFileSync(join(world.home, "memex", file), "utf8");
  assert.match(
    note,
    /^\*\* Decisions\n- We decided to take the copper pipe\. \[\[said:\S+:1\]\[\d\d:\d\d\]\]$/m,
  );
  assert.match(note, /^\*\* Told\n- My sister lives in Ghent now\. /m);
  const shown = await world.command(["memory", "show", `said:${said.turn}:1`]);
  assert.match(shown.out, /We decided to take the copper pipe\. Thanks!/);
});

test("a claim that says another value than a note becomes a task, and the note stays as it is", async (t) => {
  const world = await makeWorld(t, [{ text: "Ok." }]);
  const memex = join(world.home, "memex");
  mkdirSync(memex);
  const house = "* House\n- Boiler: 390 euros\n- Pump: 55 watts\n";
  writeFileSync(join(memex, "house.org"), house);
  await using agent = await world.open();
  const talk = await talkTo(agent);
  await talk.say("The boiler costs 417 euros.");
  assert.match((await talk.say("/jobs run scribe")).text, /2 proposed/);
  assert.match(inboxOf(world), /^\* TODO Two values of boiler$/m);
  assert.match(
    inboxOf(world),
    /It was said: The boiler costs 417 euros\.\nThe note House says: - Boiler: 390 euros/,
  );
  assert.equal(readFileSync(join(memex, "house.org"), "utf8"), house);
});

test("a small model words the claims, and only public ones of the owner and the agent go to it", async (t) => {
  const world = await makeWorld(
    t,
    [{ text: "Ok." }, { when: "for a diary", text: "1. Ada takes the copper pipe.\n9. Invented." }],
    { COGNITION_MODEL: "loop" },
  );
  mkdirSync(join(world.home, "memex"));
  await using agent = await world.open();
  const talk = await talkTo(agent);
  await talk.say("We decided to take the copper pipe.");
  await talk.say("/jobs run scribe");
  const inbox = inboxOf(world);
  assert.match(inbox, /^\+- Ada takes the copper pipe\. \[\[said:/m);
  assert.match(inbox, /^\+ {2}Said: We decided to take the copper pipe\.$/m);
  assert.ok(!inbox.includes("Invented"));
  const asked = world.provider.requests.length;
  assert.match((await talk.say("/jobs run scribe")).text, /Nothing was due/);
  assert.equal(world.provider.requests.length, asked);
});

test("a claim of words that were withheld is private in its proposal and in its note, and no model gets it", async (t) => {
  const world = await makeWorld(t, [{ text: "Ok." }, { when: "for a diary", text: "1. Ada takes copper." }], {
    COGNITION_MODEL: "loop",
  });
  const memex = join(world.home, "memex");
  mkdirSync(memex);
  const words = "our spare cellar key hangs behind the blue door near the stairs";
  writeFileSync(join(memex, "diary.org"), `* Cellar :@personal:\nToday ${words}.\n`);
  await using agent = await world.open();
  const talk = await talkTo(agent);
  assert.match((await talk.say(`Remember that ${words}.`)).text, /Nothing was sent/);
  await talk.say("We decided to take the copper pipe.");
  assert.match((await talk.say("/jobs run scribe")).text, /2 proposed for review\.org, from 2 claims/);
  const proposals = inboxOf(world).split(/^\* TODO /m);
  const ofCellar = proposals.filter((one) => one.includes("cellar key"));
  assert.equal(ofCellar.length, 1);
  assert.match(ofCellar[0] ?? "", /^Notes of .*:@personal:$/m);
  const id = /:ID: +(review-\S+)/.exec(ofCellar[0] ?? "")?.[1] ?? "";
  const file = /\+\+\+ (daily\/\S+-private\.org)/.exec(ofCellar[0] ?? "")?.[1] ?? "";
  await talk.say(`/review accept ${id}`);
  assert.match(readFileSync(join(memex, file), "utf8"), /^\* What was said and done :@personal:$/m);
  assert.ok(world.provider.requests.every((request) => !JSON.stringify(request).includes("cellar key")));
});

test("a line that looks like a secret is left out alone, and the job says so without it", async (t) => {
  const world = await makeWorld(t, [{ text: "Ok." }, { text: "Ok." }, { text: "Ok." }]);
  mkdirSync(join(world.home, "memex"));
  await using agent = await world.open();
  const talk = await talkTo(agent);
  const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  await talk.say(`My token for the build is ${token}`);
  assert.match(
    (await talk.say("/jobs run scribe")).text,
    /^1 claim left out, since it looks like a secret/,
    "where nothing else was said",
  );
  await talk.say("We decided to take the copper pipe.");
  await talk.say("My locker password: hunter2-Gh3nt-x9. My sister lives in Ghent now.");
  const ran = await talk.say("/jobs run scribe");
  assert.match(
    ran.text,
    /1 proposed for review\.org, from 2 claims; 2 claims left out, since they look like/,
  );
  const inbox = inboxOf(world);
  assert.match(inbox, /^\+- We decided to take the copper pipe\. /m);
  assert.match(inbox, /^\+- My sister lives in Ghent now\. /m);
  for (const text of [ran.text, inbox]) assert.ok(!/ghp_|hunter2/.test(text), text);
});

test("a no to a day's notes is a no to what they said, and what is said later that day is proposed by itself", async (t) => {
  const answers = Array.from({ length: 5 }, () => ({ text: "Ok." }));
  const world = await makeWorld(t, answers);
  mkdirSync(join(world.home, "memex"));
  await using agent = await world.open();
  const talk = await talkTo(agent);
  const propose = () => talk.say("/jobs run scribe");
  const idsOpen = () =>
    inboxOf(world)
      .split(/^(?=\* )/m)
      .flatMap((part) => /^\* TODO [\s\S]*?^:ID: +(review-\S+)/m.exec(part)?.[1] ?? []);
  await talk.say("We decided to take the copper pipe.");
  await propose();
  const [first = ""] = idsOpen();
  await talk.say(`/review reject ${first}`);
  await talk.say("My sister lives in Ghent now.");
  assert.match((await propose()).text, /1 proposed/);
  const [second = "", ...others] = idsOpen();
  assert.deepEqual([others, second !== first], [[], true]);
  const shown = (await talk.say(`/review show ${second}`)).text;
  assert.match(shown, /My sister lives in Ghent now/);
  assert.ok(!shown.includes("copper"), shown);

  // What is accepted keeps its own way back, and what comes after it is a proposal of its own.
  await talk.say(`/review accept ${second}`);
  await talk.say("I will call Hansen on Monday. We decided to take the copper pipe.");
  assert.match((await propose()).text, /1 proposed/);
  const [third = ""] = idsOpen();
  const later = (await talk.say(`/review show ${third}`)).text;
  assert.match(later, /call Hansen/);
  assert.ok(!/^\s*\+.*(?:copper|sister)/m.test(later), later);
  await talk.say(`/review reject ${third}`);
  assert.match((await talk.say(`/review undo ${second}`)).text, /Undone/);
  await talk.say("My dentist is Dr. Frey.");
  await propose();
  const open = idsOpen();
  const all = await Promise.all(open.map((id) => talk.say(`/review show ${id}`)));
  assert.match(all.map(({ text }) => text).join("\n"), /dentist/);
  assert.ok(all.every(({ text }) => !/^\s*\+.*(?:copper|Hansen)/m.test(text)));
});

test("a link of the note of the day leads to its line after the session is shortened, cleared and renamed, and the note archived", async (t) => {
  const world = await makeWorld(t, [{ text: "Noted." }, { text: "Fine." }]);
  const memex = join(world.home, "memex");
  mkdirSync(memex);
  let file = "";
  {
    await using agent = await world.open();
    const talk = await talkTo(agent);
    await talk.say("We decided to take the copper pipe. Thanks!");
    await talk.say("And what is the weather?");
    await talk.say("/jobs run scribe");
    const inbox = inboxOf(world);
    file = join(memex, /\+\+\+ (daily\/\S+\.org)/.exec(inbox)?.[1] ?? "");
    await talk.say(`/review accept ${/:ID: +(review-\S+)/.exec(inbox)?.[1] ?? ""}`);
    for (const words of ["/compact", "/clear", "/session rename pipes"]) await talk.say(words);
  }
  renameSync(file, `${file}_archive`);
  const [, link = ""] = /copper pipe\. \[\[(said:\S+?)\]/.exec(readFileSync(`${file}_archive`, "utf8")) ?? [];
  assert.match(
    (await world.command(["memory", "show", link])).out,
    /We decided to take the copper pipe\. Thanks!/,
  );
  assert.match(
    (await world.command(["memory", "why", link])).out,
    /^ {2}\| We decided to take the copper pipe/m,
  );
  assert.match((await world.command(["memory", "search", "copper"])).out, /copper pipe/);
});
