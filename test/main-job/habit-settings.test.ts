import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calls, makeWorld, named, talkTo } from "../agent-world.ts";
import { serveDaemon } from "../daemon/serve-daemon.ts";
import type { Step } from "../loopback-provider.ts";

test("each number of what the agent does by itself has bounds, which the refusal of another value names", async (t) => {
  const world = await makeWorld(t);
  for (const [name, least, most] of [
    ["SCRIBE_HOUR", 0, 23],
    ["SCRIBE_PROPOSALS", 1, 1000],
    ["REVIEW_LIMIT", 1, 1000],
    ["SUB_TASKS_AT_ONCE", 1, 8],
    ["REPEAT_LIMIT", 2, 20],
    ["DENIAL_LIMIT", 1, 20],
  ] as const) {
    for (const value of [...(least === 0 ? [] : [least - 1]), most + 1, 1.5, "many"]) {
      const { code, err } = await world.command(["config", "set", name, String(value)]);
      assert.equal(code, 1, `${name}=${value}`);
      assert.match(err, new RegExp(`${name} is not a whole number from ${least} to ${most}`));
    }
    for (const value of [least, most])
      assert.equal((await world.command(["config", "set", name, String(value), "--dry-run"])).code, 0);
  }
  assert.ok(!existsSync(join(world.configuration, ".env")));
});

test("a turn ends at the denial that DENIAL_LIMIT says, and an act is refused after the repeats of REPEAT_LIMIT", async (t) => {
  const world = await makeWorld(t, [], { DENIAL_LIMIT: "1", REPEAT_LIMIT: "2" });
  writeFileSync(world.path("plan.txt"), "Water the roses.\n");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  world.provider.add(calls(["write-file", { path: join(world.home, "outside.txt"), content: "x" }]));
  await talk.say("write it");
  assert.match(
    (await talk.say(`/deny ${talk.token()}`)).text,
    /^You said no once in this turn, so it ends\./,
  );
  const read = calls(["read-file", { path: "plan.txt" }]);
  world.provider.add(read, read, read, { text: "Enough." });
  const said = await talk.say("read it");
  assert.equal(said.text, "Enough.");
  const verdicts = named(said.events, "verdict").map(({ verdict }) => verdict);
  assert.deepEqual(verdicts, ["pass", "pass", "block"]);
});

test("the scribe writes at its hour and proposes as much as it is told, the inbox takes as much, and the gardener waits as long", async (t) => {
  const world = await makeWorld(t, [{ text: "Ok.", repeat: true }], {
    SCRIBE_HOUR: "7",
    SCRIBE_PROPOSALS: "1",
    REVIEW_LIMIT: "1",
    STALE_TODO_AFTER: "3",
  });
  const notes = join(world.home, "memex");
  mkdirSync(notes);
  const before = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  writeFileSync(
    join(notes, "house.org"),
    `* House\n- Boiler: 390 euros\n* TODO Old\nCREATED: [${before(10)}]\n* TODO New\nCREATED: [${before(1)}]\n`,
  );
  const garden = await world.command(["garden"]);
  assert.match(garden.out, /the TODO 'Old' has no day/);
  assert.doesNotMatch(garden.out, /the TODO 'New'/);
  assert.doesNotMatch(
    (await world.command(["garden"], { settings: { STALE_TODO_AFTER: "0" } })).out,
    /has no day/,
  );
  await serveDaemon(world);
  await using agent = await world.open();
  const talk = await talkTo(agent);
  let jobs = "";
  for (let tries = 0; tries < 300 && !jobs.includes("scribe"); tries += 1)
    jobs = (await talk.say("/jobs")).text;
  assert.match(jobs, /once a day, from 7:00 on, proposes notes/);
  await talk.say("We decided to take the copper pipe.");
  await talk.say("My sister lives in Ghent now.");
  await talk.say("The boiler costs 417 euros.");
  assert.match((await talk.say("/jobs run scribe")).text, /from 1 claim/);
  const inbox = readFileSync(join(notes, "review.org"), "utf8");
  assert.equal(inbox.match(/^\* TODO /gm)?.length, 1);
});

test("as many sub-tasks of a call run at the same time as SUB_TASKS_AT_ONCE says", async (t) => {
  const parts = ["PART-A", "PART-B", "PART-C"];
  const steps: readonly Step[] = [
    {
      ...calls(["delegate", { tasks: parts.map((task) => ({ task, tools: ["read-file"] })) }]),
      when: "OWNERS-JOB",
    },
    ...parts.flatMap((task): readonly Step[] => [
      { ...calls(["read-file", { path: "plan.txt" }]), when: task },
      { text: `${task} is done.`, when: task },
    ]),
    { text: "All is done.", when: "OWNERS-JOB" },
  ];
  const world = await makeWorld(t, steps, { SUB_TASKS_AT_ONCE: "1" });
  writeFileSync(world.path("plan.txt"), "Water the roses.\n");
  await using daemon = await world.open();
  assert.equal((await (await talkTo(daemon)).say("delegate the parts of OWNERS-JOB")).text, "All is done.");
  const order = world.provider.requests.flatMap(({ body }) =>
    body.includes("OWNERS-JOB") ? [] : [parts.find((part) => body.includes(part))],
  );
  assert.deepEqual(order, ["PART-A", "PART-A", "PART-B", "PART-B", "PART-C", "PART-C"]);
});
