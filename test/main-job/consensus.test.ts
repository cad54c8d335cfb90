import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type AgentWorld, calls, makeWorld, named, onDatabase, sent, talkTo } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";

const remove = (line: string, words = "The owner asked for exactly this"): Step =>
  calls(["shell", { command: line, explanation: words }]);

/** Two models; what the first proposes is critical. */
async function twoModels(t: TestContext, first: readonly Step[], second: readonly Step[]) {
  const world = await makeWorld(t, [...first, { text: "Done.", repeat: true }], {
    PROVIDER_CASCADE: "loop,second",
    CONSENSUS_MODELS: "loop,second",
    CONSENSUS_EFFECTS: "delete,final",
  });
  const other = await makeWorld(t, second);
  for (const name of ["a.txt", "b.txt"]) writeFileSync(world.path(name), "x");
  const settings = { SECOND_BASE_URL: `${other.provider.url}/v1` };
  return { world, other, settings };
}

async function asked(world: AgentWorld, settings: Readonly<Record<string, string>>, words: string) {
  await using daemon = await world.open(settings);
  const said = await (await talkTo(daemon)).say(words);
  return { end: said.end, text: said.text };
}

/** Why the question is asked, without what other gates say of it. */
const disagree = /the models that you set for such steps do not agree: (.*)/;

test("models that would do the same agree, whatever they say, and nothing asks", async (t) => {
  const lie = remove("rm a.txt", "It only lists the files of the folder");
  const { world, other, settings } = await twoModels(t, [remove("rm a.txt")], [lie]);
  const said = await asked(world, settings, "delete a.txt");
  assert.doesNotMatch(said.text, disagree);
  assert.equal(other.provider.requests.length, 1);
  const booked = onDatabase(world, "SELECT provider, route FROM ledger WHERE route = 'consensus'");
  assert.deepEqual(
    booked.map(({ provider }) => provider),
    ["second"],
  );
});

for (const [what, second, told] of [
  ["differ by one path", remove("rm b.txt"), /second would .*b\.txt/],
  ["say the same and do another thing", remove("rm b.txt", "Removes a.txt"), /b\.txt/],
  ["answer with words alone", { text: "I agree, delete a.txt." }, /second answered with words/],
  ["fail", { status: 401, repeat: true }, /second gave no proposal/],
  ["are silent", { fault: "hang", repeat: true }, /second gave no proposal/],
] as const satisfies readonly (readonly [string, Step, RegExp])[]) {
  test(`the owner decides, with both shown, where models ${what}`, async (t) => {
    const { world, settings } = await twoModels(t, [remove("rm a.txt")], [second]);
    const patience = what === "are silent" ? { FIRST_TOKEN_TIMEOUT: "5", CASCADE_TIMEOUT: "10" } : {};
    const said = await asked(world, { ...settings, ...patience }, "delete a.txt");
    assert.equal(said.end, "approval-required");
    assert.match(disagree.exec(said.text)?.[1] ?? "", told);
    assert.match(said.text, /loop would .*a\.txt/);
    assert.ok(existsSync(world.path("a.txt")));
  });
}

test("a yes does what was asked, and asks no model again about it", async (t) => {
  const { world, other, settings } = await twoModels(t, [remove("rm a.txt")], [remove("rm b.txt")]);
  await using daemon = await world.open(settings);
  const talk = await talkTo(daemon);
  const { turn } = await talk.say("delete a.txt");
  await talk.say(`/approve ${talk.token()}`);
  await daemon.whenSettled(turn);
  assert.deepEqual([existsSync(world.path("a.txt")), existsSync(world.path("b.txt"))], [false, true]);
  assert.equal(other.provider.requests.length, 1);
});

test("a step that is not critical asks no other model", async (t) => {
  const { world, other, settings } = await twoModels(t, [calls(["list-files", { path: "." }])], []);
  assert.equal((await asked(world, settings, "list")).text, "Done.");
  assert.equal(other.provider.requests.length, 0);
});

/** What the two models propose, and what the owner is then asked. */
async function asksAbout(
  t: TestContext,
  first: Step,
  second: Step,
  more: Readonly<Record<string, string>> = {},
) {
  const made = await twoModels(t, [first], [{ ...second, repeat: true }]);
  const words = "delete a.txt and b.txt, write c.txt";
  const said = await asked(made.world, { ...made.settings, ...more }, words);
  return { ...made, said, told: disagree.exec(said.text)?.[1] ?? null };
}

const write = (path: string, content: string) => ["write-file", { path, content }] as const;
const run = (cmd: string) => ["shell", { cmd }] as const;

test("models agree that write the same change in other words, and look at something first", async (t) => {
  const one = calls(write("c.txt", "9"), run("rm a.txt b.txt"));
  const other = calls(
    ["list-files", { path: "." }],
    write("./c.txt", "9"),
    run("rm -f ./b.txt && unlink a.txt"),
  );
  const { said, told, other: second } = await asksAbout(t, one, other);
  assert.deepEqual([told, second.provider.requests.length, said.end], [null, 1, "approval-required"]);
});

test("models do not agree where a file gets other contents, and the question says so", async (t) => {
  const one = calls(write("c.txt", "9"), run("rm a.txt"));
  const { told } = await asksAbout(t, one, calls(write("c.txt", "10"), run("rm a.txt")));
  assert.match(told ?? "", /; second would .*c\.txt.*, with contents of its own/);
});

test("a call stays disputed when a call before it changed what it is about", async (t) => {
  const one = calls(write("a.txt", "9"), run("rm a.txt"));
  const { world, said, told } = await asksAbout(t, one, remove("rm b.txt"));
  assert.equal(readFileSync(world.path("a.txt"), "utf8"), "9");
  assert.match(said.text, /rm is not known to be harmless/);
  assert.match(told ?? "", /second would .*b\.txt/);
});

test("another answer of the turn is put to the other models too, also where it repeats a call", async (t) => {
  const { world, other, settings } = await twoModels(
    t,
    [remove("rm a.txt"), calls(run("rm b.txt"), run("rm a.txt"))],
    [remove("rm a.txt"), { text: "No." }],
  );
  await using daemon = await world.open(settings);
  const talk = await talkTo(daemon);
  const { turn } = await talk.say("delete a.txt");
  await talk.say(`/deny ${talk.token()}`);
  await daemon.whenSettled(turn);
  const question = named(talk.events, "approval-required").at(-1);
  assert.match(disagree.exec(question?.reason ?? "")?.[1] ?? "", /second answered with words/);
  assert.equal(other.provider.requests.length, 2);
});

test("a model under another name is no other model, and another model of the same provider is one", async (t) => {
  const world = await makeWorld(t, [remove("rm a.txt")], {
    PROVIDER_CASCADE: "loop,second",
    LOOP_MODEL: "one",
    SECOND_MODEL: "one",
    CONSENSUS_MODELS: "loop,second,loop/one",
  });
  writeFileSync(world.path("a.txt"), "x");
  const same = { SECOND_BASE_URL: `${world.provider.url}/v1/` };
  assert.match((await asked(world, same, "delete a.txt")).text, /no other model is set for it/);
  assert.equal(world.provider.requests.length, 1);
  world.provider.add(remove("rm a.txt"), remove("rm a.txt"));
  const two = { ...same, CONSENSUS_MODELS: "loop/one,loop/two" };
  assert.doesNotMatch((await asked(world, two, "delete a.txt")).text, disagree);
  assert.match(sent(world, 2), /"model":"two"/);
});

for (const [what, more, why] of [
  [
    "a rule keeps the turn from",
    { MODEL_ROUTES: "always: only loop" },
    /your rule "always: only loop" keeps it/,
  ],
  [
    "a rule skips",
    { MODEL_ROUTES: "person: skip second; always: loop" },
    /rule "person: skip second" keeps it/,
  ],
  [
    "the budget does not hold",
    { SECOND_INPUT_PRICE: "900000", SECOND_OUTPUT_PRICE: "900000", AT_BUDGET_CAP: "reflex" },
    /second gave no proposal \(the budget does not hold it\)/,
  ],
] as const) {
  test(`a model that ${what} is not asked, and the owner decides`, async (t) => {
    const { told, other } = await asksAbout(t, remove("rm a.txt"), remove("rm a.txt"), more);
    assert.match(told ?? "", why);
    assert.equal(other.provider.requests.length, 0);
  });
}

test("a message that went to one model as it is goes to no other one as it is", async (t) => {
  const { world, other, settings } = await twoModels(t, [remove("rm a.txt")], [remove("rm a.txt")]);
  mkdirSync(join(world.home, "memex"));
  const passage = "the doctor said that the lump in my left lung has grown by four millimetres since spring";
  writeFileSync(join(world.home, "memex", "health.org"), `* Health :@personal:\n${passage}\n`);
  await using daemon = await world.open(settings);
  const talk = await talkTo(daemon);
  assert.equal((await talk.say(`delete a.txt, since ${passage}`)).code, "private-words");
  await talk.say("/send");
  const question = named(talk.events, "approval-required").at(-1);
  assert.match(sent(world, 0), /lump in my left lung/);
  assert.equal(other.provider.requests.length, 0);
  assert.match(question?.reason ?? "", /second gave no proposal \(Nothing was sent/);
});

test("what is stopped while another model thinks runs nothing and asks nothing", async (t) => {
  const { world, other, settings } = await twoModels(
    t,
    [remove("rm a.txt")],
    [{ fault: "hang", repeat: true }],
  );
  await using daemon = await world.open(settings);
  const talk = await talkTo(daemon);
  const said = talk.say("delete a.txt");
  await other.provider.reached(1);
  await talk.say("/stop");
  assert.equal((await said).end, "stopped");
  assert.deepEqual(named(talk.events, "approval-required"), []);
  assert.ok(existsSync(world.path("a.txt")));
});
