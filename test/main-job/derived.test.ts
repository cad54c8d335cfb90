import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Agent } from "../../src/daemon/agent/resources/agent.ts";
import { type AgentWorld, calls, filesWith, makeWorld, onDatabase, talkTo } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";

/** A page on loopback that says one thing at each path. */
async function startPages(t: TestContext): Promise<string> {
  const server = createServer(({ url }, response) => {
    response.setHeader("content-type", "text/plain");
    response.end(url === "/pump" ? "A pump needs 55 watts." : "The boiler costs 417 euros at Hansen's.");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return `http://127.0.0.1:${address.port}`;
}

/** Says something in a session of its own, with a yes to each question. */
async function sayIn(agent: Agent, words: string): Promise<string> {
  const talk = await talkTo(agent);
  await talk.say(words);
  for (let count = 0; count < 5 && talk.events.at(-1)?.type === "approval-required"; count += 1)
    await talk.say(`/approve ${talk.token()}`);
  assert.equal(talk.events.at(-1)?.type, "answered", JSON.stringify(talk.events.at(-1)));
  return talk.session;
}

const own = "#+TITLE: Inbox\n\n* Milk\nwith  two spaces \r\n** Sub\n\ttab\n";
const chain = (url: string): readonly Step[] => [
  calls(["fetch-url", { url }]),
  calls(["remember", { text: "Boiler price: 417 euros (Hansen)" }]),
  { text: "Noted." },
  calls(["recall", { query: "boiler price" }]),
  calls(["write-file", { path: "../memex/plan.org", content: "* Budget\nThe boiler takes 417 of it.\n" }]),
  { text: "Planned." },
  calls(["read-file", { path: "../memex/plan.org" }]),
  calls(["remember", { text: "Ada can still afford the heating" }]),
  { text: "Remembered." },
];

/** A page, a note of it, a note that quotes that note, and a fact from there, each from a session of its own; beside them notes that have nothing to do with it. */
async function growChain(t: TestContext, more: readonly Step[] = []) {
  const pages = await startPages(t);
  const url = `${pages}/boiler`;
  const world = await makeWorld(t, [...chain(url), ...more]);
  const memex = join(world.home, "memex");
  mkdirSync(memex);
  const [inbox, plan] = [join(memex, "inbox.org"), join(memex, "plan.org")];
  writeFileSync(inbox, own);
  return { world, url, pages, memex, inbox, plan };
}

async function runChain(agent: Agent, url: string): Promise<void> {
  await sayIn(agent, `read ${url} and note the price`);
  await sayIn(agent, "plan the budget");
  await sayIn(agent, "remember whether that is too much");
}

type WhyData = {
  readonly kind: string;
  readonly line: number;
  readonly label: { readonly integrity: string };
  readonly origin: { readonly sources: readonly { readonly kind: string; readonly id: string }[] };
};

const whyIn = (text: string): WhyData => JSON.parse(text);

const planIn = (
  text: string,
): {
  readonly done: boolean;
  readonly source: string;
  readonly notes: object[];
  readonly memories: object[];
} => JSON.parse(text);

async function memories(world: AgentWorld): Promise<number> {
  const read = (text: string): { readonly counts: { readonly own: number } } => JSON.parse(text);
  return read((await world.command(["memory", "show", "--json"])).out).counts.own;
}

test("what grew from a page goes over three hops, and every other byte stays; an undo brings it all back", async (t) => {
  const { world, url, inbox, plan } = await growChain(t);
  await using agent = await world.open();
  await runChain(agent, url);
  const [before, planned] = [readFileSync(inbox, "utf8"), readFileSync(plan, "utf8")];
  const talk = await talkTo(agent);
  const shown = await talk.say(`/forget --derived-from ${url}`);
  assert.match(shown.text, /note [\da-f-]{36}: Boiler price: 417 euros/);
  assert.match(shown.text, /note plan\.org::Budget/);
  assert.match(shown.text, /memory [\da-f-]{36}: Ada can still afford/);
  assert.match(shown.text, /plan\.org is deleted: nothing else is in it/);
  assert.equal(readFileSync(inbox, "utf8"), before);
  assert.equal(await memories(world), 2);
  const done = await talk.say(`/forget --derived-from ${url} --undoable`);
  assert.match(done.text, /^Taken back: 3 notes, 2 remembered facts, 2 changed files\. \/undo/);
  assert.equal(readFileSync(inbox, "utf8"), own);
  assert.equal(existsSync(plan), false);
  assert.equal(await memories(world), 0);
  assert.match(
    (await talk.say(`/forget --derived-from ${url}/other`)).text,
    /Nothing that is known grew from/,
  );
  assert.match((await talk.say("/undo")).text, /^Undone\./);
  assert.equal(readFileSync(inbox, "utf8"), before);
  assert.equal(readFileSync(plan, "utf8"), planned);
  assert.equal(await memories(world), 2);
});

test("for good, nothing of it is on the disk any more, and the owner's words, the chain and memory are whole", async (t) => {
  const { world, url, inbox } = await growChain(t, [
    calls(["remember", { text: "milk is out" }]),
    { text: "Kept." },
  ]);
  await using agent = await world.open();
  await runChain(agent, url);
  await sayIn(agent, "remember: milk is out");
  const dry = await world.command([
    "memory",
    "forget",
    "--derived-from",
    `${url}#top`,
    "--dry-run",
    "--json",
  ]);
  const plan = planIn(dry.out);
  assert.deepEqual(
    [dry.code, plan.done, plan.source, plan.notes.length, plan.memories.length],
    [0, false, "address", 3, 2],
  );
  const unasked = await world.command(["memory", "forget", "--derived-from", url]);
  assert.equal(unasked.code, 1);
  assert.match(unasked.err, /Nothing was done\. To do it, add --yes\./);
  const done = await world.command(["memory", "forget", "--derived-from", url, "--yes"]);
  assert.match(
    done.out,
    /^Forgotten for good: 3 notes, 2 remembered facts, 2 changed files, texts of 4 turns/,
  );
  assert.equal(done.code, 0);
  assert.ok(readFileSync(inbox, "utf8").startsWith(own));
  assert.match(readFileSync(inbox, "utf8"), /^\* milk is out$/m);
  await agent[Symbol.asyncDispose]();
  assert.equal((await world.command(["memory", "rebuild"])).code, 0);
  for (const words of ["417 euros", "417 of it", "still afford"])
    assert.deepEqual(filesWith(world.home, words), [], words);
  assert.ok(filesWith(world.state, "plan the budget").length > 0);
  for (const command of [
    ["journal", "verify"],
    ["journal", "replay"],
    ["memory", "verify"],
  ]) {
    const { code, out, err } = await world.command(command);
    assert.equal(code, 0, `${command.join(" ")}: ${out}${err}`);
  }
  assert.equal((await world.command(["memory", "forget", "--derived-from", url, "--yes"])).code, 1);
});

test("a note that the owner changed meanwhile is kept and named, and what grew from it goes", async (t) => {
  const { world, url, inbox, plan } = await growChain(t);
  await using agent = await world.open();
  await sayIn(agent, `read ${url} and note the price`);
  await sayIn(agent, "plan the budget");
  writeFileSync(plan, readFileSync(plan, "utf8").replace("takes 417 of it", "is paid already, I asked"));
  await sayIn(agent, "remember whether that is too much");
  const talk = await talkTo(agent);
  const shown = await talk.say(`/forget --derived-from ${url}`);
  assert.match(shown.text, /This stays:\n {2}Budget in \S*plan\.org: it was changed since/);
  assert.match(shown.text, /memory [\da-f-]{36}: Ada can still afford/);
  await talk.say(`/forget --derived-from ${url} --undoable`);
  assert.equal(readFileSync(inbox, "utf8"), own);
  assert.match(readFileSync(plan, "utf8"), /\* Budget\nThe boiler is paid already, I asked\.\n/);
});

test("a text of two sources goes with each of them, and says so; what has one of them alone goes with that one", async (t) => {
  const pages = await startPages(t);
  const [boiler, pump] = [`${pages}/boiler`, `${pages}/pump`];
  const world = await makeWorld(t, [
    calls(["fetch-url", { url: boiler }]),
    calls(["remember", { text: "Hansen asks 417" }]),
    { text: "Noted." },
    calls(["fetch-url", { url: pump }]),
    calls(["remember", { text: "The pump takes 55 watts" }]),
    { text: "Noted." },
    calls(["recall", { query: "Hansen pump watts" }]),
    calls(["remember", { text: "Both together: 417 euros, 55 watts" }]),
    { text: "Noted." },
  ]);
  await using agent = await world.open();
  for (const words of [`read ${boiler}`, `read ${pump}`, "put both together"]) await sayIn(agent, words);
  const inbox = join(world.home, "memex", "inbox.org");
  const talk = await talkTo(agent);
  const shown = await talk.say(`/forget --derived-from ${pump}`);
  assert.match(
    shown.text,
    new RegExp(`Both together: 417 euros, 55 watts in \\S+ \\(also from ${boiler}\\)`),
  );
  await talk.say(`/forget --derived-from ${pump} --for-good`);
  const titles = readFileSync(inbox, "utf8").match(/^\* .*$/gm);
  assert.deepEqual(titles, ["* Hansen asks 417"]);
});

test("notes that were made from each other go once, and a session takes what it wrote with it", async (t) => {
  const world = await makeWorld(t, [
    calls(["write-file", { path: "../memex/a.org", content: "* A\none\n" }]),
    { text: "a" },
    calls(["read-file", { path: "../memex/a.org" }]),
    calls(["write-file", { path: "../memex/b.org", content: "* B\nafter a\n" }]),
    { text: "b" },
    calls(["read-file", { path: "../memex/b.org" }]),
    calls(["write-file", { path: "../memex/a.org", content: "* A\nafter b\n" }]),
    { text: "a" },
  ]);
  const memex = join(world.home, "memex");
  mkdirSync(memex);
  writeFileSync(join(memex, "mine.org"), "* Mine\n");
  await using agent = await world.open();
  const session = await sayIn(agent, "write a");
  await sayIn(agent, "write b");
  await sayIn(agent, "write a again");
  const talk = await talkTo(agent);
  await talk.say(`/forget --derived-from ${session} --undoable`);
  assert.deepEqual(
    ["a.org", "b.org", "mine.org"].map((name) => existsSync(join(memex, name))),
    [false, false, true],
  );
});

test("why something is believed: its lines, who wrote it, and through which notes it came from which page", async (t) => {
  const { world, url, inbox } = await growChain(t);
  await using agent = await world.open();
  await runChain(agent, url);
  const id = /still afford[^\n]*\n:PROPERTIES:\n:ID: +(\S+)/.exec(readFileSync(inbox, "utf8"))?.[1] ?? "";
  const { out, code } = await world.command(["memory", "why", id]);
  assert.equal(code, 0);
  assert.match(out, /^\S+ \S*inbox\.org:13\n {2}\| \* Ada can still afford the heating\n/);
  assert.match(out, /author: the agent, from words of others \(untrusted, public\)/);
  assert.match(
    out,
    /written in: turn \S+ of session \S+, \S+, by loop\/\S+: "remember whether that is too much"/,
  );
  assert.match(out, /the file \S*plan\.org/);
  assert.match(out, /turn [^\n]*"plan the budget"/);
  assert.match(out, new RegExp(`the page ${url}`));
  const data = whyIn((await world.command(["memory", "why", id, "--json"])).out);
  assert.deepEqual([data.kind, data.line, data.label.integrity], ["note", 13, "untrusted"]);
  assert.ok(data.origin.sources.some((source) => source.kind === "address" && source.id === url));
  const mine = await world.command(["memory", "why", "inbox.org::Milk"]);
  assert.match(mine.out, /author: you .*\nwritten in: the file itself, by you or by another program/);
  const talk = await talkTo(agent);
  await talk.say("/note call Bob");
  const noted = /call Bob\n:PROPERTIES:\n:ID: +(\S+)/.exec(readFileSync(inbox, "utf8"))?.[1] ?? "";
  const why = await world.command(["memory", "why", noted]);
  assert.match(why.out, /author: you \(user, public\)\nwritten in: turn [^\n]*"\/note call Bob"\n$/);
  assert.equal((await world.command(["memory", "why", "no-such-id"])).code, 1);
});

test("a page that came before more sources than a label keeps is still known, and a text that the owner trusted stays", async (t) => {
  const pages = await startPages(t);
  const url = `${pages}/boiler`;
  const files = Array.from({ length: 40 }, (_, index) => `n${index}.org`);
  const world = await makeWorld(t, [
    calls(["fetch-url", { url }]),
    calls(...files.map((name) => ["read-file", { path: `../memex/${name}` }] as const)),
    calls(["remember", { text: "Hansen is too dear" }], ["remember", { text: "Hansen is near" }]),
    { text: "Noted." },
  ]);
  const memex = join(world.home, "memex");
  mkdirSync(memex);
  for (const name of files) writeFileSync(join(memex, name), `* Note ${name}\n`);
  await using agent = await world.open();
  await sayIn(agent, `read ${url}, then my notes`);
  const inbox = join(memex, "inbox.org");
  const near = /near\n:PROPERTIES:\n:ID: +(\S+)/.exec(readFileSync(inbox, "utf8"))?.[1] ?? "";
  const talk = await talkTo(agent);
  await talk.say(`/trust ${near}`);
  const shown = await talk.say(`/forget --derived-from ${url}`);
  assert.match(shown.text, /note \S+: Hansen is too dear/);
  assert.match(shown.text, /This stays:\n {2}\S+ in inbox\.org: you took its text as your own by \/trust/);
  await talk.say(`/forget --derived-from ${url} --undoable`);
  assert.deepEqual(readFileSync(inbox, "utf8").match(/^\* .*$/gm), ["* Hansen is near"]);
  for (const name of files) assert.equal(readFileSync(join(memex, name), "utf8"), `* Note ${name}\n`);
});

test("what was made from a file of the workspace goes, with files that hold nothing else; the file itself and what the owner wrote into one stay", async (t) => {
  const world = await makeWorld(t, [
    calls(["read-file", { path: "offer.txt" }]),
    calls(
      ["write-file", { path: "summary.txt", content: "Hansen wants 417.\n" }],
      ["write-file", { path: "mixed.txt", content: "Hansen again.\n" }],
      ["remember", { text: "Hansen made an offer" }],
    ),
    { text: "Done." },
    calls(["write-file", { path: "other.txt", content: "Nothing of it.\n" }]),
    { text: "Done." },
  ]);
  writeFileSync(world.path("offer.txt"), "Hansen offers the boiler for 417 euros.\n");
  await using agent = await world.open();
  await sayIn(agent, "summarise the offer");
  await sayIn(agent, "write something else");
  writeFileSync(world.path("mixed.txt"), "Hansen again. My own line.\n");
  const talk = await talkTo(agent);
  const done = await talk.say(`/forget --derived-from ${world.path("offer.txt")} --undoable`);
  assert.match(done.text, /mixed\.txt: it was changed since; look at it yourself/);
  const there = (name: string): boolean => existsSync(world.path(name));
  assert.deepEqual(["offer.txt", "summary.txt", "mixed.txt", "other.txt"].map(there), [
    true,
    false,
    true,
    true,
  ]);
  assert.match(
    (await talk.say("/forget --derived-from nothing-known")).text,
    /Nothing that is known grew from/,
  );
  assert.match((await talk.say("/forget --derived x")).text, /^Usage: /);
});

test("a line of a page that was added to a note of the owner goes, and the owner's own lines around it stay", async (t) => {
  const pages = await startPages(t);
  const url = `${pages}/boiler`;
  const path = "../memex/house.org";
  const world = await makeWorld(t, [
    calls(["fetch-url", { url }]),
    calls(["edit-file", { path, old: "Mine again.", new: "Hansen asks 417.\nMine again." }]),
    calls(["edit-file", { path, old: "Last.", new: "Last.\n* Hansen\n417 euros" }]),
    calls(["edit-file", { path, old: "* Cellar\nDamp.", new: "* Cellar for 417\nDamp. Hansen knows." }]),
    calls(["edit-file", { path, old: "Hansen asks 417.", new: "Hansen asks 417 euros." }]),
    { text: "Noted." },
  ]);
  mkdirSync(join(world.home, "memex"));
  const house = join(world.home, "memex", "house.org");
  const mine = "#+TITLE: House\n\n* Boiler\nMy own line.\nMine again.\n** Pump\nLast.\n";
  writeFileSync(house, `${mine}* Cellar\nDamp.\n`);
  await using agent = await world.open();
  await sayIn(agent, `read ${url} and add the price to house.org`);
  const grown = readFileSync(house, "utf8");
  const talk = await talkTo(agent);
  await talk.say(`/forget --derived-from ${url} --undoable`);
  assert.equal(readFileSync(house, "utf8"), `${mine}* Cellar for 417\nDamp. Hansen knows.\n`);
  await talk.say("/undo");
  assert.equal(readFileSync(house, "utf8"), grown);
});

test("what was proposed from a forgotten text is gone from the inbox and from the state", async (t) => {
  const world = await makeWorld(t, [{ text: "Ok." }, { text: "Ok." }]);
  mkdirSync(join(world.home, "memex"));
  await using agent = await world.open();
  const talk = await talkTo(agent);
  const said = await talk.say("We decided to take the copper pipe from Zanzibar.");
  assert.match((await talk.say("/jobs run scribe")).text, /1 proposed/);
  const other = await talkTo(agent);
  assert.match(
    (await other.say(`/forget --derived-from ${said.turn} --for-good`)).text,
    /Forgotten for good/,
  );
  const next = await talkTo(agent);
  const again = await next.say("We decided to take the lead pipe from Kilwa.");
  await next.say("/jobs run scribe");
  await other.say(`/forget ${again.turn}`);
  await agent[Symbol.asyncDispose]();
  assert.deepEqual(filesWith(world.home, "Zanzibar"), []);
  assert.deepEqual(onDatabase(world, "SELECT id FROM proposals WHERE body LIKE '%Kilwa%'"), []);
});

test("a session is all that was said in it: what was rewound, what its sub-tasks wrote, and its copies in forks", async (t) => {
  const pages = await startPages(t);
  const url = `${pages}/boiler`;
  const task = "TASK-C note what Zyxheron asks";
  const world = await makeWorld(t, [
    { ...calls(["remember", { text: "Zyxheron asks 417 euros" }]), when: "TASK-C" },
    { text: "Zyxheron is noted.", when: "TASK-C" },
    calls(["fetch-url", { url }]),
    calls(["remember", { text: "Boiler price of Zyxheron" }]),
    calls(["delegate", { tasks: [{ task, tools: ["remember"] }] }]),
    { text: "Zyxheron asks that." },
  ]);
  const memex = join(world.home, "memex");
  const inbox = join(memex, "inbox.org");
  mkdirSync(memex);
  writeFileSync(inbox, own);
  await using agent = await world.open();
  const session = await sayIn(agent, `read ${url} and note the price of Zyxheron`);
  assert.equal(readFileSync(inbox, "utf8").match(/^\* .*Zyxheron.*$/gm)?.length, 2);
  const talk = await talkTo(agent);
  const said = async (text: string) => agent.say({ session, text, source: "cli" });
  const fork = await said("/session fork");
  assert.match(fork.kind === "turn" ? "" : fork.text, /continues it/);
  const rewound = await said("/rewind 1 words");
  assert.match(rewound.kind === "turn" ? "" : rewound.text, /^The words of 1 turn/);
  const done = await talk.say(`/forget --derived-from ${session} --for-good`);
  assert.match(done.text, /^Forgotten for good: 2 notes/);
  assert.equal(readFileSync(inbox, "utf8"), own);
  await agent[Symbol.asyncDispose]();
  const holders = filesWith(world.home, "Zyxheron");
  assert.deepEqual(
    holders.filter((path) => !/journal(?:-\d+)?\.jsonl$/.test(path)),
    [],
  );
});

test("what was forgotten while a model words it is not proposed, and what else was said is", async (t) => {
  const release = Promise.withResolvers<void>();
  const world = await makeWorld(
    t,
    [
      { text: "Ok." },
      { text: "Ok." },
      {
        when: "for a diary",
        text: "1. Zanzibar has pipes.\n2. The door of Zanzibar is green.",
        after: release.promise,
      },
    ],
    { COGNITION_MODEL: "loop" },
  );
  mkdirSync(join(world.home, "memex"));
  await using agent = await world.open();
  const talk = await talkTo(agent);
  const said = await talk.say("We decided to take the copper pipe from Zanzibar.");
  await talk.say("We decided to paint the door green.");
  const job = (await talkTo(agent)).say("/jobs run scribe");
  await world.provider.reached(3);
  const forgotten = await (await talkTo(agent)).say(`/forget ${said.turn}`);
  assert.match(forgotten.text, /1 turn that is not over may have texts of it: forget once more when it is/);
  release.resolve();
  assert.match((await job).text, /1 proposed/);
  const inbox = readFileSync(join(world.home, "memex", "review.org"), "utf8");
  assert.match(inbox, /We decided to paint the door green/);
  assert.doesNotMatch(inbox, /Zanzibar/);
  await (await talkTo(agent)).say(`/forget ${said.turn}`);
  await agent[Symbol.asyncDispose]();
  assert.deepEqual(filesWith(world.home, "Zanzibar"), []);
});

test("what was taken back undoably goes for good afterwards, earlier versions of remembered facts too", async (t) => {
  const { world, url, inbox } = await growChain(t);
  await using agent = await world.open();
  await runChain(agent, url);
  const talk = await talkTo(agent);
  await talk.say(`/forget --derived-from ${url} --undoable`);
  const again = await (await talkTo(agent)).say(`/forget --derived-from ${url} --for-good`);
  assert.match(again.text, /^Forgotten for good: /);
  assert.equal(readFileSync(inbox, "utf8"), own);
  await talk.say("/undo");
  assert.equal(readFileSync(inbox, "utf8"), own);
  await agent[Symbol.asyncDispose]();
  for (const words of ["417 euros", "417 of it", "still afford"])
    assert.deepEqual(filesWith(world.home, words), [], words);
  assert.equal((await world.command(["memory", "verify"])).code, 0);
});

test("what grew from a page goes from an archive and from a note that was moved, too", async (t) => {
  const { world, url, inbox, plan, memex } = await growChain(t);
  await using agent = await world.open();
  await runChain(agent, url);
  const talk = await talkTo(agent);
  const shown = await talk.say(`/forget --derived-from ${url}`);
  const [, id = ""] = /note ([\da-f-]{36}): Boiler price/.exec(shown.text) ?? [];
  const archived = await talk.say(`/review archive ${id}`);
  await talk.say(`/review accept ${/review-\w+/.exec(archived.text)?.[0]}`);
  assert.match(readFileSync(`${inbox}_archive`, "utf8"), /417 euros/);
  mkdirSync(join(memex, "moved"));
  renameSync(plan, join(memex, "moved", "plans.org"));
  await (await talkTo(agent)).say(`/forget --derived-from ${url} --for-good`);
  assert.equal(readFileSync(inbox, "utf8"), own);
  await agent[Symbol.asyncDispose]();
  for (const words of ["417 euros", "417 of it", "still afford"])
    assert.deepEqual(filesWith(world.home, words), [], words);
});

test("a line is forgotten by the link that a note of the day has to it", async (t) => {
  const world = await makeWorld(t, [{ text: "Ok." }, { text: "Ok." }]);
  mkdirSync(join(world.home, "memex"));
  await using agent = await world.open();
  const talk = await talkTo(agent);
  const [one, two] = [await talk.say("We decided on copper."), await talk.say("We decided on zinc.")];
  const other = await talkTo(agent);
  assert.match((await other.say(`/forget said:${one.turn}:1`)).text, /Forgotten: the texts of that turn/);
  const derived = await other.say(`/forget --derived-from said:${two.turn}:1 --for-good`);
  assert.match(derived.text, /Forgotten for good/);
  await agent[Symbol.asyncDispose]();
  for (const words of ["on copper", "on zinc"]) assert.deepEqual(filesWith(world.home, words), [], words);
});
