import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Agent } from "../../src/daemon/agent/resources/agent.ts";
import { openVault } from "../../src/settings/vault.ts";
import { skillFile } from "../../src/skills/skills.fixture.ts";
import { type AgentWorld, calls, makeWorld, named, type Talk, talkTo } from "../agent-world.ts";
import { entry, jobsOf, openJobs, outcomeOf } from "../daemon/job-world.ts";
import type { Step } from "../loopback-provider.ts";
import { liarEntry, revisions, setUpServers, withoutSandbox } from "../mcp/mcp-world.ts";

type Taking = {
  readonly world: AgentWorld;
  readonly talk: Talk;
  readonly before: Step;
  readonly after: readonly Step[];
  readonly take: () => Promise<unknown>;
};

/**
 * Says a message, takes a right away once the first calls of its turn ran, and lets the turn go on with the
 * next ones.
 */
async function takeInTheMiddle({ world, talk, before, after, take }: Taking) {
  const taken = Promise.withResolvers<void>();
  const [next, ...rest] = after;
  world.provider.add(before, { ...next, after: taken.promise }, ...rest);
  const asked = world.provider.requests.length;
  const saying = talk.say("go on");
  while (world.provider.requests.length < asked + 2) await pause(5);
  await take();
  taken.resolve();
  return await saying;
}

const look = calls(["list-files", {}]);
const done: Step = { text: "Done." };

test("a folder that is no longer trusted: the next call of a running turn reads words of others there", async (t) => {
  const world = await makeWorld(t);
  writeFileSync(world.path("plan.txt"), "The bakery opens at seven on quince day\n");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("/trust-folder");
  await takeInTheMiddle({
    world,
    talk,
    before: look,
    after: [
      calls(["read-file", { path: "plan.txt" }]),
      calls(["remember", { text: "The bakery opens at seven on quince day" }]),
      done,
    ],
    take: async () => (await talkTo(daemon)).say("/trust-folder off"),
  });
  assert.match(readFileSync(join(world.home, "memex/inbox.org"), "utf8"), /:ORIGIN: +untrusted/);
});

test("a rule that was forgotten spares no further question of a running turn", async (t) => {
  const world = await makeWorld(t);
  const write = calls(["write-file", { path: join(world.home, "a.txt"), content: "a\n" }]);
  world.provider.add(write, done);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("write it");
  await talk.say(`/always ${talk.token()}`);
  assert.equal((await talk.say(`/always ${talk.token()} keep`)).text, "Done.");
  const name = /^(\S+)\n/.exec((await world.command(["rules", "list"])).out)?.[1] ?? "";
  rmSync(join(world.home, "a.txt"));
  const { end } = await takeInTheMiddle({
    world,
    talk,
    before: look,
    after: [write, done],
    take: () => world.command(["rules", "forget", name]),
  });
  assert.equal(end, "approval-required");
});

test("a server whose yes was taken back is not called again in a running turn", {
  skip: withoutSandbox,
}, async (t) => {
  const world = await makeWorld(t);
  setUpServers(world, { liar: liarEntry(revisions[0], "plain", { own: { tools: { echo: "read" } } }) });
  assert.equal((await world.command(["mcp", "accept", "liar", "--yes"])).code, 0);
  await using daemon = await world.open();
  const echo = calls(["liar__echo", { message: "hi" }]);
  const { events } = await takeInTheMiddle({
    world,
    talk: await talkTo(daemon),
    before: echo,
    after: [echo, done, done, done],
    take: () => world.command(["mcp", "forget", "liar"]),
  });
  assert.deepEqual(
    named(events, "outcome").map(({ status }) => status),
    ["success", "error"],
  );
});

test("a server whose entry in mcp.json is removed, granted less or declared stricter is not called again in a running turn", {
  skip: withoutSandbox,
}, async (t) => {
  const entryOf = (own: object) => liarEntry(revisions[0], "plain", { own });
  const world = await makeWorld(t);
  const before = { tools: { echo: "read" }, write: [world.path(".")] };
  const changes: Readonly<Record<string, () => void>> = {
    removed: () => setUpServers(world, {}),
    "granted less": () => setUpServers(world, { liar: entryOf({ ...before, write: [] }) }),
    "declared stricter": () =>
      setUpServers(world, { liar: entryOf({ ...before, tools: { echo: "destructive" } }) }),
    "no longer readable": () => writeFileSync(join(world.configuration, "mcp.json"), "{"),
  };
  setUpServers(world, { liar: entryOf(before) });
  assert.equal((await world.command(["mcp", "accept", "liar", "--yes"])).code, 0);
  await using daemon = await world.open();
  const echo = calls(["liar__echo", { message: "hi" }]);
  const back = () => setUpServers(world, { liar: entryOf(before), other: { command: "true" } });
  for (const [name, take] of [...Object.entries(changes), ["the same", back] as const]) {
    back();
    const { events } = await takeInTheMiddle({
      world,
      talk: await talkTo(daemon),
      before: echo,
      after: [echo, done],
      take: async () => take(),
    });
    const outcomes = named(events, "outcome");
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["success", name === "the same" ? "success" : "error"],
      name,
    );
    if (name !== "the same") assert.match(JSON.stringify(outcomes[1]), /changed or removed.*mcp accept liar/);
  }
});

test("a skill that was disabled, or whose file is gone, does nothing more in a running turn", async (t) => {
  for (const away of ["disabled", "removed"] as const) {
    const world = await makeWorld(t);
    const folder = join(world.configuration, "skills");
    mkdirSync(folder, { recursive: true });
    const file = join(folder, "make.org");
    writeFileSync(
      file,
      skillFile(
        ["CAPABILITIES: shell:mkdir"],
        "export const tools = { make: { description: 'Make', calls: () => [{ tool: 'shell', args: { cmd: 'echo made' } }] }, plain: { description: 'Plain', run: () => 'plainly' } };",
      ),
    );
    assert.equal((await world.command(["skill", "enable", "make", "--yes"])).code, 0);
    await using daemon = await world.open();
    const { events } = await takeInTheMiddle({
      world,
      talk: await talkTo(daemon),
      before: calls(["plain", {}]),
      after: [calls(["plain", {}]), done, done, done],
      take: async () => (away === "removed" ? rmSync(file) : world.command(["skill", "disable", "make"])),
    });
    const ended = named(events, "outcome").map(({ status }) => status);
    assert.deepEqual(ended.slice(0, 2), ["success", "error"], away);
  }
});

test("a vault that was locked gives no key to the next request of a running turn", async (t) => {
  const world = await makeWorld(t, [], { LOOP_API_KEY: "vault:loop-key" });
  const passphrase = "three swans over Ghent";
  const vault = openVault(join(world.configuration, "vault.json"), 16_384);
  assert.deepEqual(await vault.set(passphrase, "loop-key", "vault-kept-key-77aa-Zx91-qq"), { ok: true });
  await using daemon: Agent = await world.open();
  await world.command(["vault", "unlock"], { input: `${passphrase}\n` });
  const talk = await talkTo(daemon);
  const { end } = await takeInTheMiddle({
    world,
    talk,
    before: look,
    after: [look, done],
    take: () => world.command(["vault", "lock"]),
  });
  assert.equal(end, "failed");
  assert.equal(world.provider.requests.length, 2);
});

test("a budget that its owner made smaller pays for no further answer of a run under way", async (t) => {
  const taken = Promise.withResolvers<void>();
  const write = (name: string) => calls(["write-file", { path: name, content: name }]);
  const entryWith = (dollars: string, workspace: string): string =>
    entry("pays", "Do it.", [`:FOLDER: ${workspace}`, `:DOLLARS: ${dollars}`]);
  const { world, agent } = await openJobs(
    t,
    [write("a.txt"), { ...write("b.txt"), after: taken.promise }, done],
    ({ workspace }) => [entryWith("5", workspace)],
    { LOOP_INPUT_PRICE: "10", LOOP_OUTPUT_PRICE: "30" },
  );
  await jobsOf(agent, { verb: "add", name: "pays" });
  const running = outcomeOf(agent, "pays");
  while (world.provider.requests.length < 2) await pause(5);
  writeFileSync(join(world.configuration, "jobs.org"), entryWith("0.0001", world.workspace));
  await jobsOf(agent, { verb: "add", name: "pays" });
  taken.resolve();
  const { state, reason } = await running;
  assert.equal(state, "failed");
  assert.match(reason, /^Budget exhausted: .*DOLLARS of its entry in jobs\.org/);
  assert.equal(world.provider.requests.length, 2);
});

test("what a job is no longer allowed is not done by a run under way", async (t) => {
  const taken = Promise.withResolvers<void>();
  const entryWith = (outside: string, workspace: string, steps: readonly string[]): string =>
    entry(
      "report",
      "Write the report.",
      [`:FOLDER: ${workspace}`],
      steps.map((name) => `write ${join(outside, name)}`),
    );
  const { world, outside, agent } = await openJobs(t, [], ({ home, workspace }) => [
    entryWith(join(home, "outside"), workspace, ["a.txt", "b.txt"]),
  ]);
  const write = (name: string) => calls(["write-file", { path: join(outside, name), content: "x" }]);
  world.provider.add(write("a.txt"), { ...write("b.txt"), after: taken.promise }, done);
  await jobsOf(agent, { verb: "add", name: "report" });
  const running = outcomeOf(agent, "report");
  while (world.provider.requests.length < 2) await pause(5);
  writeFileSync(join(world.configuration, "jobs.org"), entryWith(outside, world.workspace, ["a.txt"]));
  await jobsOf(agent, { verb: "add", name: "report" });
  taken.resolve();
  assert.equal((await running).state, "put-off");
  assert.equal(existsSync(join(outside, "a.txt")), true);
  assert.equal(existsSync(join(outside, "b.txt")), false);
});

test("the job of a skill that was disabled, or whose file is gone, does nothing more in a run under way", async (t) => {
  const { world, notes, agent } = await openJobs(t, [], ({ configuration }) => {
    mkdirSync(join(configuration, "skills"), { recursive: true });
    return [];
  });
  const file = join(world.configuration, "skills", "tidy.org");
  const skill = `${skillFile(["CRON: 0 9 1 1 *"], "")}\n#+begin_job\nWrite the note.\n#+end_job\n`;
  const settings = { MEMEX_DIR: notes };
  for (const away of ["disabled", "removed"] as const) {
    writeFileSync(file, skill);
    assert.equal((await world.command(["skill", "enable", "tidy", "--yes"], { settings })).code, 0);
    await jobsOf(agent, { verb: "add", name: "skill-tidy" });
    const taken = Promise.withResolvers<void>();
    const write = (name: string) =>
      calls(["write-file", { path: join(notes, `${away}-${name}.org`), content: "* A\n" }]);
    const asked = world.provider.requests.length;
    world.provider.add(write("first"), { ...write("second"), after: taken.promise });
    const running = outcomeOf(agent, "skill-tidy");
    while (world.provider.requests.length < asked + 2) await pause(5);
    if (away === "removed") rmSync(file);
    else assert.equal((await world.command(["skill", "disable", "tidy"], { settings })).code, 0);
    taken.resolve();
    const { state, reason } = await running;
    assert.equal(state, "failed", away);
    assert.match(reason, /^The skill tidy, which brings this job, is not in force any more/);
    assert.equal(existsSync(join(notes, `${away}-first.org`)), true, away);
    assert.equal(existsSync(join(notes, `${away}-second.org`)), false, away);
    assert.equal(world.provider.requests.length, asked + 2);
  }
});
