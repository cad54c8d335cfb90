import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../src/text/json.ts";
import {
  type AgentWorld,
  calls,
  type Exchange,
  journalOf,
  makeWorld,
  named,
  onDatabase,
  talkTo,
} from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";

/** What the owner says; no sub-task knows these words. */
const words = "delegate the parts of OWNERS-JOB";
type Task = { readonly task: string; readonly tools: readonly string[] } & JsonObject;

const delegates = (...tasks: readonly Task[]): Step => ({
  ...calls(["delegate", { tasks }]),
  when: "OWNERS-JOB",
});
const ends: Step = { text: "All is done.", when: "OWNERS-JOB" };
const inTask = (task: string, ...steps: readonly Step[]): readonly Step[] =>
  steps.map((step) => ({ ...step, when: task }));

/** What came back to the turn that delegated: the outcome of its call, and what each sub-task gave. */
function cameBack({ events }: Exchange) {
  const outcome =
    named(events, "outcome").find(({ tool }) => tool === "delegate") ?? assert.fail("no outcome");
  const content: Json = outcome.content;
  const answers = isJsonObject(content) ? content["answers"] : null;
  const given = answers !== undefined && isJsonArray(answers) ? answers.filter(isJsonObject) : [];
  return { outcome, answers: given };
}

/** The label of the result of the call that delegated, as it is kept. */
function labelsOf(world: AgentWorld): readonly (readonly string[])[] {
  return onDatabase(world, "SELECT body FROM messages ORDER BY place").flatMap(({ body }) => {
    const [, integrity, secrecy] =
      /"role":"result".*"tool":"delegate".*"label":\{"integrity":"(\w+)","secrecy":"(\w+)"/.exec(
        String(body),
      ) ?? [];
    return integrity === undefined || secrecy === undefined ? [] : [[integrity, secrecy]];
  });
}

async function run(world: AgentWorld, steps: readonly Step[], settings = {}): Promise<Exchange> {
  world.provider.add(...steps);
  await using daemon = await world.open(settings);
  const said = await (await talkTo(daemon)).say(words);
  return said;
}

test("sub-tasks run side by side in sessions of their own, and their answers come back to the turn that pays for them", async (t) => {
  const world = await makeWorld(t, [], { LOOP_INPUT_PRICE: "1", LOOP_OUTPUT_PRICE: "1" });
  writeFileSync(world.path("a.txt"), "first\n");
  const met = Promise.withResolvers<void>();
  const both = Promise.withResolvers<void>();
  world.provider.add(
    { ...delegates({ task: "PART-A", tools: ["read-file"] }, { task: "PART-B", tools: [] }) },
    { ...calls(["read-file", { path: "a.txt" }]), when: "PART-A", after: both.promise },
    { text: "A says first", when: "PART-A" },
    { text: "B says second", when: "PART-B", after: met.promise },
    ends,
  );
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const saying = talk.say(words);
  await world.provider.reached(3);
  const status = (await (await talkTo(daemon)).say("/status")).text;
  both.resolve();
  met.resolve();
  const said = await saying;
  assert.equal(said.text, "All is done.");
  const { answers } = cameBack(said);
  assert.deepEqual(
    answers.map(({ task, state, answer }) => [task, state, answer]),
    [
      ["PART-A", "answered", "A says first"],
      ["PART-B", "answered", "B says second"],
    ],
  );
  assert.match(status, /\(sub-task of session /);
  const notices = named(said.events, "thinking").map(({ text }) => text);
  assert.ok(notices.includes("Sub-task 1 of 2: began: PART-A"), notices.join("\n"));
  assert.ok(notices.includes("Sub-task 1 of 2: read-file (answer 1 of at most 10)"), notices.join("\n"));
  assert.ok(notices.includes("Sub-task 2 of 2: answered"), notices.join("\n"));
  const requests = world.provider.requests.map(({ body }) => body);
  const ofPart = requests.find((body) => body.includes("PART-B") && !body.includes("OWNERS-JOB")) ?? "";
  assert.ok(!ofPart.includes('"read-file"'), "a tool that was not given is not declared");
  assert.ok(!requests[1]?.includes("OWNERS-JOB"), "a sub-task has a context of its own");
  const paid = onDatabase(
    world,
    "SELECT session, turn, count(*) AS calls, sum(cost) AS cost FROM ledger GROUP BY session, turn",
  );
  assert.deepEqual(
    paid.map(({ session, turn, calls: count }) => [session, turn, count]),
    [[talk.session, said.turn, 5]],
  );
  assert.equal(onDatabase(world, "SELECT count(*) AS count FROM sub_task_calls")[0]?.["count"], 3);
  assert.deepEqual(
    (await talk.say("/session")).text.match(/PART/g),
    null,
    "a sub-task is in no list of sessions",
  );
});

test("a sub-task calls no tool that it was not given, and is given none that its turn lacks", async (t) => {
  const world = await makeWorld(t, [], { TOOL_PERMISSIONS: "shell=deny" });
  for (const tools of [["shell"], ["read-file", "send-mail"], ["propose-plan"], ["delegate"]]) {
    const said = await run(world, [delegates({ task: "PART-A", tools }), ends]);
    assert.match(JSON.stringify(cameBack(said).outcome.content), /cannot hand on/, tools.join());
  }
  const said = await run(world, [
    delegates({ task: "PART-A", tools: ["read-file"] }),
    ...inTask(
      "PART-A",
      calls(["write-file", { path: "stolen.txt", content: "x" }]),
      calls(["Write", { file_path: "stolen.txt", content: "x" }]),
      calls(["shell", { cmd: "touch stolen.txt" }]),
    ),
    ends,
  ]);
  assert.deepEqual(
    cameBack(said).answers.map(({ state }) => state),
    ["blocked"],
  );
  assert.match(String(cameBack(said).answers[0]?.["answer"]), /was not given the tool/);
  assert.equal(existsSync(world.path("stolen.txt")), false);
});

test("a sub-task with a folder touches nothing outside of it, whatever its turn may touch", async (t) => {
  const world = await makeWorld(t);
  mkdirSync(world.path("in"));
  writeFileSync(world.path("secret-plan.txt"), "outside\n");
  for (const folder of ["..", world.home, "in/../..", "missing"]) {
    const said = await run(world, [delegates({ task: "PART-A", tools: ["read-file"], folder }), ends]);
    assert.equal(cameBack(said).outcome.status, "error", folder);
  }
  const tools = ["read-file", "write-file", "list-files"];
  const said = await run(world, [
    delegates({ task: "PART-A", tools, folder: "in" }),
    ...inTask("PART-A", calls(["write-file", { path: "mine.txt", content: "mine\n" }])),
    ...inTask("PART-A", calls(["read-file", { path: "../secret-plan.txt" }])),
    ...inTask("PART-A", calls(["write-file", { path: world.path("theirs.txt"), content: "x" }])),
    ...inTask("PART-A", calls(["list-files", { path: world.workspace }])),
    ends,
  ]);
  const [answer] = cameBack(said).answers;
  assert.equal(answer?.["state"], "blocked");
  assert.match(String(answer?.["answer"]), /outside of the folder of the sub-task/);
  assert.equal(readFileSync(world.path("in/mine.txt"), "utf8"), "mine\n");
  assert.equal(existsSync(world.path("theirs.txt")), false);
});

test("a sub-task spends no more than it was given, and is given no more than its turn has", async (t) => {
  const world = await makeWorld(t, [], {
    LOOP_INPUT_PRICE: "1",
    LOOP_OUTPUT_PRICE: "1",
    BUDGET_PER_TURN: "1",
  });
  const more = await run(world, [delegates({ task: "PART-A", tools: [], dollars: 1.5 }), ends]);
  assert.match(JSON.stringify(cameBack(more).outcome.content), /cannot spend more than this turn may, \$1/);
  const said = await run(world, [
    delegates({ task: "PART-A", tools: [], dollars: 0.0001 }, { task: "PART-B", tools: [], dollars: 0.5 }),
    { text: "B was paid for", when: "PART-B" },
    { text: "never asked", when: "PART-A" },
    { text: "All is done.", when: "OWNERS-JOB" },
  ]);
  assert.deepEqual(
    cameBack(said).answers.map(({ state }) => state),
    ["failed", "answered"],
  );
  assert.match(String(cameBack(said).answers[0]?.["answer"]), /budget/i);
  world.provider.drop();
  const long = await run(world, [
    delegates({ task: "PART-A", tools: ["list-files"], calls: 2 }),
    ...inTask(
      "PART-A",
      ...Array.from({ length: 3 }, (_, index) =>
        calls(["list-files", { path: ".".repeat(index + 1).slice(0, 1) }]),
      ),
    ),
    ends,
  ]);
  assert.deepEqual(
    cameBack(long).answers.map(({ state }) => state),
    ["stopped"],
  );
});

test("the answer of a sub-task is as private and as little trusted as all that it read", async (t) => {
  const world = await makeWorld(t);
  mkdirSync(join(world.home, "memex"), { recursive: true });
  writeFileSync(world.path("diary.org"), "* Diary :@personal:\nThe number of the safe is four.\n");
  const said = await run(world, [
    delegates({ task: "PART-A", tools: ["read-file"] }, { task: "PART-B", tools: [] }),
    ...inTask("PART-A", calls(["read-file", { path: "diary.org" }]), {
      text: "In other words, 2 + 2. It is public.",
    }),
    { text: "Nothing was read.", when: "PART-B" },
    ends,
  ]);
  assert.equal(said.text, "All is done.");
  assert.deepEqual(labelsOf(world), [["untrusted", "private"]]);
  const back = world.provider.requests.at(-1)?.body ?? "";
  assert.ok(back.includes("OWNERS-JOB"));
  assert.ok(!back.includes("2 + 2"), "the model of the turn is not local, and does not get it");
  await run(world, [
    delegates({ task: "PART-B", tools: [] }),
    { text: "Nothing was read.", when: "PART-B" },
    ends,
  ]);
  assert.deepEqual(labelsOf(world).at(-1), ["agent", "public"]);
});

test("of the notes a sub-task sees those that its words name, whole, within the budget, and no others; private ones by the same rules", async (t) => {
  const world = await makeWorld(t, [], { CONTEXT_TOKEN_BUDGET: "600" });
  const notes = join(world.home, "memex");
  mkdirSync(notes, { recursive: true });
  const entry = (title: string, id: string, text: string, tag = "") =>
    `* ${title}${tag}\n:PROPERTIES:\n:ID: ${id}\n:END:\n${text}\n`;
  writeFileSync(
    join(notes, "house.org"),
    [
      entry("Boiler room", "boiler-1", "The valve is heliotrope.\n** Winter\nDrain it in November."),
      entry("Garden plan", "garden-1", "The roses are tangerine."),
      entry("Boiler", "boiler-2", "A boiler room needs air, said the vermilion leaflet."),
      entry("New roof", "roof-1", "The slates are indigo.", " :project:"),
      entry("Doctor", "doctor-1", "The knee is magenta.", " :@personal:"),
      entry("Long list", "long-1", "turquoise\n".repeat(2_000)),
      entry("Porch", "porch-1", "The door is sepia."),
      ...Array.from({ length: 40 }, (_, at) =>
        entry(`Offer of porch prices ${at}`, `offer-${at}`, "compare prices of the offers for the porch"),
      ),
    ].join(""),
  );
  writeFileSync(join(notes, "review.org"), entry("Proposal", "review-77", "It is ochre."));
  await run(world, [
    delegates(
      { task: "PART-A: read what the boiler room says", tools: [] },
      { task: "PART-B: look at id:garden-1, at [review-77] and at the doctor", tools: [] },
      { task: "PART-C: go through the long list", tools: [] },
      { task: "PART-D: compare the prices of the offers with what the note Porch says", tools: [] },
    ),
    ...["A", "B", "C", "D"].map((part): Step => ({ text: `Read ${part}.`, when: `PART-${part}:` })),
    ends,
  ]);
  const seen = (part: string) => {
    const body =
      world.provider.requests.find(
        ({ body }) => body.includes(`PART-${part}:`) && !body.includes("OWNERS-JOB"),
      )?.body ?? assert.fail(part);
    const colours = "heliotrope tangerine vermilion indigo magenta turquoise sepia ochre November".split(" ");
    return colours.filter((colour) => body.includes(colour)).join(" ");
  };
  assert.equal(seen("A"), "heliotrope November");
  assert.equal(
    seen("B"),
    "tangerine",
    "a provider that is not local gets no private note, and no sub-task a proposal",
  );
  assert.equal(seen("C"), "turquoise");
  assert.equal(seen("D"), "sepia", "however many notes are nearer to the task");
  const long = world.provider.requests.find(
    ({ body }) => body.includes("PART-C:") && !body.includes("OWNERS-JOB"),
  );
  assert.match(long?.body ?? "", /\[cut to fit\]/);
});

test("a turn begins a bounded number of sub-tasks, over all of its calls, and a sub-task begins none unless the owner allows it", async (t) => {
  const world = await makeWorld(t);
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ task: `PART-${index}`, tools: [] }));
  const answers = { text: "yes", when: "PART-", repeat: true };
  const hundred = await run(world, [delegates(...many(100)), ends]);
  assert.equal(cameBack(hundred).outcome.status, "error");
  world.provider.add(delegates(...many(4)), delegates(...many(4)), delegates(...many(1)), ends, answers);
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say(words);
  const outcomes = named(said.events, "outcome").filter(({ tool }) => tool === "delegate");
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["success", "success", "error"],
  );
  assert.match(JSON.stringify(outcomes[2]?.content), /may begin 8 sub-tasks, and began 8/);
  assert.equal(onDatabase(world, "SELECT count(*) AS count FROM sub_tasks")[0]?.["count"], 8);
});

test("with a depth of 2 a sub-task begins further ones, within its own tools and money and those of all above it", async (t) => {
  const world = await makeWorld(t, [], {
    SUB_TASK_DEPTH: "2",
    LOOP_INPUT_PRICE: "1",
    LOOP_OUTPUT_PRICE: "1",
  });
  const inner = (tools: readonly string[], dollars: number) =>
    calls(["delegate", { tasks: [{ task: "INNER", tools, dollars }] }]);
  const said = await run(world, [
    delegates({ task: "PART-A", tools: ["list-files", "delegate"], dollars: 0.5 }),
    { ...inner(["read-file"], 0.1), when: "PART-A" },
    { ...inner(["list-files"], 0.6), when: "PART-A" },
    { ...inner(["delegate"], 0.1), when: "PART-A" },
    { ...inner(["list-files"], 0.1), when: "PART-A" },
    { ...calls(["list-files", { path: "." }]), when: "INNER" },
    { text: "inner is done", when: "INNER" },
    { text: "A is done", when: "PART-A" },
    ends,
  ]);
  assert.deepEqual(
    cameBack(said).answers.map(({ state, answer }) => [state, answer]),
    [["answered", "A is done"]],
  );
  const rows = onDatabase(world, "SELECT body FROM sub_tasks ORDER BY number").map(({ body }) =>
    JSON.parse(String(body)),
  );
  assert.deepEqual(
    rows.map(({ level, caps }) => [level, caps.length]),
    [
      [1, 1],
      [2, 2],
    ],
  );
  assert.ok(rows.every(({ root }) => root === said.turn));
  const inAll = cameBack(said).answers[0]?.["dollars"];
  const paid = onDatabase(
    world,
    "SELECT sum(cost) AS cost FROM ledger WHERE id IN (SELECT call FROM sub_task_calls)",
  )[0]?.["cost"];
  assert.equal(inAll, Number(paid) / 1e6, "what its parts cost is counted on it");
});

test("the parts of a sub-task take no more answers of a model than it has left", async (t) => {
  const world = await makeWorld(t, [], { SUB_TASK_DEPTH: "2" });
  const look = calls(["list-files", { path: "." }]);
  const tools = ["list-files", "delegate"];
  const said = await run(world, [
    delegates({ task: "PART-A", tools, calls: 3 }),
    {
      ...calls(["delegate", { tasks: [{ task: "INNER", tools: ["list-files"], calls: 3 }] }]),
      when: "PART-A",
    },
    ...inTask("INNER", look, look, look),
    { text: "A goes on", when: "PART-A" },
    ends,
  ]);
  const [answer] = cameBack(said).answers;
  assert.equal(answer?.["state"], "failed");
  assert.match(String(answer?.["answer"]), /may take 3 answers of a model with all its parts/);
  const requests = world.provider.requests.filter(({ body }) => !body.includes("OWNERS-JOB"));
  assert.equal(requests.length, 3);
});

test("a sub-task asks nobody and speaks to nobody: what needs the owner is refused there and told to its turn", async (t) => {
  const world = await makeWorld(t);
  const outside = join(world.home, "outside.txt");
  const said = await run(world, [
    delegates({ task: "PART-A", tools: ["write-file", "remember"] }),
    ...inTask("PART-A", calls(["write-file", { path: outside, content: "x" }]), { text: "/stop" }),
    ends,
  ]);
  assert.equal(said.end, "answered", "its words are no command");
  const [answer] = cameBack(said).answers;
  assert.equal(answer?.["state"], "answered");
  assert.match(JSON.stringify(answer?.["needs the owner"]), /write-file: /);
  const notices = named(said.events, "thinking").map(({ text }) => text.replace(/^The sub-task: /, ""));
  assert.deepEqual(
    notices.filter((text) => /write-file|answered/.test(text)),
    ["write-file (answer 1 of at most 10)", "answered, write-file was refused: it needs your yes"],
  );
  assert.equal(existsSync(outside), false);
  assert.equal(named(said.events, "approval-required").length, 0);
});

test("/stop of the turn stops its sub-tasks, and /undo takes back what they changed", async (t) => {
  const world = await makeWorld(t);
  const never = new Promise<void>(() => undefined);
  world.provider.add(
    delegates({ task: "PART-A", tools: ["write-file"] }, { task: "PART-B", tools: [] }),
    { ...calls(["write-file", { path: "new.txt", content: "new\n" }]), when: "PART-A" },
    { text: "late", when: "PART-A", after: never },
    { text: "late", when: "PART-B", after: never },
  );
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const saying = talk.say(words);
  await world.provider.reached(4);
  await talk.say("/stop");
  assert.equal((await saying).end, "stopped");
  assert.equal(existsSync(world.path("new.txt")), true);
  assert.match((await talk.say("/undo")).text, /^Undone/);
  assert.equal(existsSync(world.path("new.txt")), false);
  const states = onDatabase(world, "SELECT state FROM turns WHERE id IN (SELECT turn FROM sub_tasks)").map(
    ({ state }) => state,
  );
  assert.deepEqual(states, ["stopped", "stopped"]);
});

test("sub-tasks that a process left are taken up by the next one, once each, and answer the turn that waits for them", async (t) => {
  const world = await makeWorld(t);
  const never = new Promise<void>(() => undefined);
  world.provider.add(
    delegates({ task: "PART-A", tools: ["write-file"] }, { task: "PART-B", tools: [] }),
    { text: "B is done", when: "PART-B" },
    { ...calls(["write-file", { path: "new.txt", content: "once\n" }]), when: "PART-A" },
    { text: "late", when: "PART-A", after: never },
  );
  let turn = "";
  {
    await using daemon = await world.open();
    const talk = await talkTo(daemon, "kept");
    void talk.say(words);
    await world.provider.reached(4);
    turn = talk.events[0]?.turn ?? "";
  }
  world.provider.add({ text: "A is done", when: "PART-A" }, ends);
  await using daemon = await world.open();
  await daemon.whenSettled(turn);
  const [kept] = onDatabase(world, `SELECT state FROM turns WHERE id = '${turn}'`);
  assert.equal(kept?.["state"], "answered");
  assert.equal(onDatabase(world, "SELECT count(*) AS count FROM sub_tasks")[0]?.["count"], 2);
  const back = world.provider.requests.at(-1)?.body ?? "";
  assert.match(back, /A is done/);
  assert.match(back, /B is done/);
  assert.equal(
    world.provider.requests.filter(({ body }) => body.includes("PART-B") && !body.includes("OWNERS-JOB"))
      .length,
    1,
  );
});

test("after kill -9 in the middle of sub-tasks each is done once, and the turn gets their answers once", async (t) => {
  const world = await makeWorld(t);
  const never = new Promise<void>(() => undefined);
  world.provider.add(
    delegates({ task: "PART-A", tools: ["write-file"] }, { task: "PART-B", tools: [] }),
    { text: "B is done", when: "PART-B" },
    { ...calls(["write-file", { path: "new.txt", content: "once\n" }]), when: "PART-A" },
    { text: "late", when: "PART-A", after: never },
  );
  const kill = Promise.withResolvers<() => void>();
  const asking = world.run(["ask", words], { begun: ({ signal }) => kill.resolve(() => signal("SIGKILL")) });
  await world.provider.reached(4);
  (await kill.promise)();
  await asking;
  world.provider.add({ text: "A is done", when: "PART-A" }, ends);
  await using daemon = await world.open();
  await daemon.whenIdle();
  const states = onDatabase(world, "SELECT state FROM turns ORDER BY number").map(({ state }) => state);
  assert.deepEqual(states, ["answered", "answered", "answered"]);
  const asked = world.provider.requests.map(({ body }) => body);
  const back = asked.findLast((body) => body.includes("OWNERS-JOB")) ?? "";
  assert.equal(back.split("A is done").length, 2, "its answer came once");
  assert.match(back, /B is done/);
  const alone = (part: string) => asked.filter((body) => body.includes(part) && !body.includes("OWNERS-JOB"));
  assert.equal(alone("PART-B").length, 1, "what had ended is not begun again");
  const writes = journalOf(world).filter(({ kind, changes }) => kind === "intent" && changes.length > 0);
  assert.equal(writes.length, 1);
});

test("the sub-tasks of several calls in one answer count together", async (t) => {
  const world = await makeWorld(t);
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ task: `PART-${index}`, tools: [] }));
  world.provider.add(
    {
      ...calls(
        ["delegate", { tasks: many(4) }],
        ["delegate", { tasks: many(4) }],
        ["delegate", { tasks: many(4) }],
        ["delegate", { tasks: many(4) }],
      ),
      when: "OWNERS-JOB",
    },
    ends,
    { text: "yes", when: "PART-", repeat: true },
  );
  await using daemon = await world.open();
  await (await talkTo(daemon)).say(words);
  assert.equal(onDatabase(world, "SELECT count(*) AS count FROM sub_tasks")[0]?.["count"], 8);
});
