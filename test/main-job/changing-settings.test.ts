import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { formatApprovalQuestion } from "../../src/shown/approval-question.ts";
import { type AgentWorld, calls, journalOf, makeWorld, named, sent, talkTo } from "../agent-world.ts";
import { startLoopbackProvider } from "../loopback-provider.ts";

const changes = (name: string, value?: string) =>
  calls(["change-setting", { name, ...(value === undefined ? {} : { value }) }]);
const done = { text: "Done." };
const written = (world: AgentWorld): string => {
  const file = join(world.configuration, ".env");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
};

test("a setting is changed by words: the owner sees it before and after, and it is written after the yes", async (t) => {
  const world = await makeWorld(t, [done, changes("BUDGET_PER_DAY", "5"), done]);
  {
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    await talk.say("hi");
    assert.ok(!sent(world, 0).includes("change-setting"), "a greeting does not bring the tool");
    const asked = await talk.say("set the daily budget to 5 dollars");
    assert.equal(asked.end, "approval-required");
    const [question] = named(asked.events, "approval-required");
    assert.ok(question !== undefined);
    assert.match(formatApprovalQuestion(question, Date.now()), /BUDGET_PER_DAY=10 becomes BUDGET_PER_DAY=5/);
    assert.equal(written(world), "", "nothing is written before the yes");
    assert.equal((await talk.say(`/approve ${talk.token()}`)).end, "answered");
    assert.match(written(world), /^BUDGET_PER_DAY=5$/m);
    const [outcome] = named(talk.events, "outcome");
    assert.match(
      JSON.stringify(outcome?.content),
      /To take it back the owner types: \/config set BUDGET_PER_DAY 10/,
    );
  }
  const intent = journalOf(world).find(
    ({ kind, effects }) =>
      kind === "intent" && effects.some((one) => one.kind === "change-memory" && one.setting !== undefined),
  );
  assert.ok(intent !== undefined, "the journal has the change");
});

test("no yes is asked for what only the owner types: what allows, sends or keeps, and what would loosen a cap", async (t) => {
  const world = await makeWorld(t, [], { BUDGET_PER_TURN: "2" });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  for (const [name, value] of [
    ["TOOL_PERMISSIONS", "shell=allow"],
    ["PRIVACY_FILTER_TAGS", "@none"],
    ["PROTOCOL_ENFORCE_HMAC", "false"],
    ["UNPRICED_MODELS", "allow"],
    ["TRIALS", "false"],
    ["MANDATORY_SKILLS", ""],
    ["MODEL_ROUTES", ""],
    ["PROVIDER_CASCADE", "openai"],
    ["LOOP_BASE_URL", "https://evil.example.org/v1"],
    ["OPENAI_API_KEY", "vault:other"],
    ["EMBEDDING_PROVIDER", "openai"],
    ["EMBEDDING_PRICE", "0"],
    ["MEMEX_DIR", "/"],
    ["BUDGET_PER_DAY", "11"],
    ["BUDGET_PER_DAY", "1e9"],
    ["BUDGET_PER_TURN", "2.01"],
    ["SUB_TASK_DEPTH", "2"],
    ["DEPTH_LIMIT_UNATTENDED", "50"],
    ["APPROVAL_EXPIRY", "999999"],
    ["BUDGET_PER_DAY", undefined],
    ["NO_SUCH_SETTING", "1"],
    ["NOTICES", "bell\nTRIALS=false"],
    ["NOTICES\nTRIALS", "off"],
  ] as const) {
    world.provider.add(changes(name, value), done);
    const said = await talk.say(`change the setting ${name}`);
    assert.equal(said.end, "answered", `${name}=${value}`);
    assert.equal(named(said.events, "outcome")[0]?.status, "error", `${name}=${value}`);
  }
  assert.equal(written(world), "");
});

test("every change of a setting asks, also where rules and permissions allow all else, and no other action writes the settings", async (t) => {
  const world = await makeWorld(t, [], { TOOL_PERMISSIONS: "*=allow" });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  for (const [name, value] of [
    ["NOTICES", "off"],
    ["MEMEX_ASSISTANT", "Ada"],
    ["APPROVAL_EXPIRY", "60"],
  ] as const) {
    world.provider.add(changes(name, value), done);
    const said = await talk.say(`set ${name} to ${value}`);
    assert.equal(said.end, "approval-required", name);
    await talk.say(`/deny ${talk.token()}`);
  }
  world.provider.add(
    calls(["write-file", { path: join(world.configuration, ".env"), content: "TRIALS=false\n" }]),
    done,
  );
  assert.equal((await talk.say("write my settings")).end, "answered");
  assert.equal(written(world), "");
});

test("the question about a setting says that its value was made from private text, and not of a value that the owner said", async (t) => {
  const world = await makeWorld(t, [], { LOOP_LOCAL: "true" });
  writeFileSync(world.path("diary.org"), "* Doctor :@personal:\nwombats4711 in the left knee\n");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  for (const [value, isPrivate] of [
    ["wombats4711", true],
    ["Ada", false],
  ] as const) {
    world.provider.add(
      calls(["read-file", { path: "diary.org" }]),
      calls(["change-setting", { name: "MEMEX_ASSISTANT", value }]),
      done,
    );
    const said = await talk.say("read diary.org and change the setting of your name to Ada");
    assert.equal(said.end, "approval-required");
    const asked = JSON.stringify(named(said.events, "approval-required"));
    assert.equal(/made from private text, and each provider may get it/.test(asked), isPrivate, asked);
    await talk.say(`/deny ${talk.token()}`);
  }
});

test("another order of the models counts from the next turn on, by /model order, /config set and an edited .env, and a turn under way keeps its own", async (t) => {
  const spare = await startLoopbackProvider([{ text: "Spare.", repeat: true }]);
  t.after(() => spare.close());
  const world = await makeWorld(
    t,
    [
      { text: "Loop." },
      calls(["shell", { cmd: "touch made" }]),
      { text: "Loop." },
      { text: "Loop.", repeat: true },
    ],
    {
      PROVIDER_CASCADE: undefined,
      SPARE_BASE_URL: `${spare.url}/v1`,
      SPARE_API_KEY: "unused-spare-key-of-this-test",
    },
  );
  const order = (names: string) => {
    mkdirSync(world.configuration, { recursive: true });
    writeFileSync(join(world.configuration, ".env"), `PROVIDER_CASCADE=${names}\n`);
  };
  order("loop,spare");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const newsOf = ({ events }: Awaited<ReturnType<typeof talk.say>>) =>
    named(events, "thinking").flatMap(({ text }) => (text === "" ? [] : [text]));
  assert.equal((await talk.say("hi")).text, "Loop.");
  const asked = await talk.say("make it");
  assert.equal(asked.end, "approval-required");
  assert.equal(
    (await talk.say("/model order spare,loop")).text,
    "From the next turn on models are asked in this order: spare, loop.",
  );
  assert.equal(written(world), "PROVIDER_CASCADE=spare,loop\n");
  await talk.say(`/approve ${talk.token()}`);
  assert.equal(spare.requests.length, 0, "the turn under way asks as it began");
  const next = await talk.say("hi");
  assert.deepEqual([next.text, newsOf(next)], ["Spare.", []], "the change is told once");
  const other = await talkTo(daemon);
  assert.deepEqual(newsOf(await other.say("hi")), [
    "From this turn on models are asked in this order: spare, loop.",
  ]);
  order("nobody,loop");
  const edited = await talk.say("hi");
  assert.equal(edited.text, "Loop.");
  assert.match(
    newsOf(edited).join("|"),
    /^From this turn on .*: loop\. nobody of PROVIDER_CASCADE was not set up/,
  );
  order("nobody");
  assert.equal((await talk.say("hi")).text, "Loop.", "where none can be asked the former order stays");
  await talk.say("/config set PROVIDER_CASCADE spare");
  assert.match(
    (await talk.say("/config keep")).text,
    /\nFrom the next turn on models are asked in this order: spare\.$/,
  );
  assert.equal((await talk.say("hi")).text, "Spare.");
  assert.match((await talk.say("/model")).text, /^Asked in this order:\n {2}1 {2}spare\//);
  assert.match((await talk.say("/model order nobody")).text, /^nobody is not set up, so nothing was changed/);
  assert.match(written(world), /^PROVIDER_CASCADE=spare$/m);
});
