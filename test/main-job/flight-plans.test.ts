import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { formatApprovalQuestion } from "../../src/shown/approval-question.ts";
import { type AgentWorld, calls, journalOf, makeWorld, named, talkTo } from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";

const done: Step = { text: "Done." };
const outside = (world: AgentWorld, name: string): string => join(world.home, name);
const writes = (world: AgentWorld, name: string, content = `${name}\n`): Step =>
  calls(["write-file", { path: outside(world, name), content }]);
const runs = (cmd: string): Step => calls(["shell", { cmd }]);
const plans = (...steps: readonly string[]): Step =>
  calls(["propose-plan", { steps: steps.join("\n"), minutes: 60 }]);

test("a job of several steps is asked once, each step runs as often as the plan says, and what differs asks", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(
    plans(`2x write ${outside(world, "a.txt")}`, `write ${outside(world, "b.txt")}`),
    writes(world, "a.txt", "one\n"),
    writes(world, "b.txt"),
    writes(world, "a.txt", "two\n"),
    writes(world, "c.txt"),
    done,
    writes(world, "b.txt", "again\n"),
    done,
  );
  {
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    const asked = await talk.say("do the job");
    const [question] = named(asked.events, "approval-required");
    assert.ok(question !== undefined);
    const shown = formatApprovalQuestion(question, Date.now());
    assert.match(shown, /1 {2}write \S+a\.txt, at most 2 times\n {7}- replace \S+a\.txt \(can be undone\)/);
    assert.match(shown, /2 {2}write \S+b\.txt, once\n/);
    assert.match(shown, /Nothing else: .* for 60 min after your yes\. Whatever differs asks you\./);
    assert.match((await talk.say("/plan")).text, /has no flight plan/);
    assert.equal(existsSync(outside(world, "a.txt")), false, "nothing is done before the yes");
    const worked = await talk.say(`/approve ${talk.token()}`);
    assert.equal(worked.end, "approval-required", "the file that the plan does not name asks");
    assert.equal(readFileSync(outside(world, "a.txt"), "utf8"), "two\n");
    assert.equal(readFileSync(outside(world, "b.txt"), "utf8"), "b.txt\n");
    assert.equal(existsSync(outside(world, "c.txt")), false);
    assert.match((await talk.say("/plan")).text, /has no flight plan/, "it ended when it was used up");
    assert.equal((await talk.say(`/deny ${talk.token()}`)).end, "answered");
    assert.equal((await talk.say("and again")).end, "approval-required", "no step is used twice");
  }
  const used = journalOf(world).filter(
    ({ kind, facts }) =>
      kind === "intent" && facts?.licences.some((licence) => licence.kind === "flight-plan"),
  );
  assert.equal(used.length, 3, "the journal says which calls rested on the plan");
  assert.equal((await world.command(["journal", "replay"])).code, 0);
});

test("a plan allows exactly its command line, survives a restart, and ends by /plan drop or /stop", async (t) => {
  const world = await makeWorld(t, [], { TRIALS: "false" });
  const command = "printf x >> log.txt; date >> log.txt";
  world.provider.add(plans(`5x run ${command}`), done);
  const talkOf = async (daemon: Awaited<ReturnType<AgentWorld["open"]>>) => talkTo(daemon, "job");
  {
    await using daemon = await world.open();
    const talk = await talkOf(daemon);
    await talk.say("plan it");
    assert.equal((await talk.say(`/approve ${talk.token()}`)).end, "answered");
  }
  await using daemon = await world.open();
  const talk = await talkOf(daemon);
  world.provider.add(runs(command), done);
  assert.equal((await talk.say("run it")).end, "answered", "the plan is in force after a restart");
  assert.match((await talk.say("/plan")).text, /\[ \] 1 {2}run printf .*, at most 5 times, done 1\n/);
  for (const other of [`${command}; true > x`, `X=1; ${command}`, "date >> log.txt", `${command} extra`]) {
    world.provider.add(runs(other), done);
    assert.equal((await talk.say("run another")).end, "approval-required", other);
    assert.equal((await talk.say(`/deny ${talk.token()}`)).end, "answered");
  }
  const elsewhere = await talkTo(daemon, "other");
  world.provider.add(runs(command), done);
  assert.equal((await elsewhere.say("run it")).end, "approval-required", "a plan is of its session");
  assert.equal((await elsewhere.say(`/deny ${elsewhere.token()}`)).end, "answered");
  assert.match((await talk.say("/plan drop")).text, /The flight plan has ended/);
  world.provider.add(runs(command), done);
  assert.equal((await talk.say("run it")).end, "approval-required");
  assert.equal((await talk.say(`/deny ${talk.token()}`)).end, "answered");
  world.provider.add(plans(`run ${command}`), done, runs(command));
  await talk.say("plan it again");
  assert.equal((await talk.say(`/approve ${talk.token()}`)).end, "answered");
  assert.equal((await talk.say("/stop")).text, "Stopped.");
  assert.equal((await talk.say("run it")).end, "approval-required", "/stop ends a plan");
  rmSync(world.path("log.txt"));
});

test("a plan allows the deletions that it names, of no more files than were there, and no others", async (t) => {
  const world = await makeWorld(t, [], { TRIALS: "true" });
  const names = ["a.txt", "old/b.txt", "old/c.txt", "logs/d.txt", "e.txt"];
  const left = () => names.filter((name) => existsSync(join(world.workspace, name)));
  for (const folder of ["old", "old2", "logs"]) mkdirSync(join(world.workspace, folder));
  for (let some = 0; some < 9; some++) writeFileSync(join(world.workspace, `old2/${some}.txt`), `${some}\n`);
  for (const name of names) writeFileSync(join(world.workspace, name), "one\n");
  const lines = ["rm a.txt", "rm -r old", "rm -r old2 && rm -r logs"];
  world.provider.add(plans(...lines.map((line) => `run ${line}`)), ...lines.slice(0, 2).map(runs), done);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("tidy up");
  assert.equal((await talk.say(`/approve ${talk.token()}`)).end, "answered");
  for (let more = 0; more < 9; more++) writeFileSync(join(world.workspace, `logs/${more}.txt`), `${more}\n`);
  world.provider.add(runs("rm -r old2 && rm -r logs"));
  assert.equal((await talk.say("and the logs")).end, "approval-required", "more files");
  assert.deepEqual(left(), ["logs/d.txt", "e.txt"]);
  world.provider.add(done, runs("rm e.txt"));
  assert.equal((await talk.say(`/deny ${talk.token()}`)).end, "answered");
  assert.equal((await talk.say("and e")).end, "approval-required", "what it does not name");
  assert.deepEqual(left(), ["logs/d.txt", "e.txt"]);
});

test("a plan that is denied, or that nobody answered, allows nothing, and no setting approves one", async (t) => {
  const world = await makeWorld(t, [], { TOOL_PERMISSIONS: "*=allow" });
  world.provider.add(plans(`write ${outside(world, "a.txt")}`), writes(world, "a.txt"));
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  assert.equal((await talk.say("do it")).end, "approval-required");
  assert.match((await talk.say(`/always ${talk.token()} keep`)).text, /No rule can spare this question/);
  assert.equal(
    (await talk.say(`/deny ${talk.token()}`)).end,
    "approval-required",
    "the write asks by itself",
  );
  assert.equal(existsSync(outside(world, "a.txt")), false);
});

test("a plan is refused where a step has no form, asks each time, needs no question, or lasts too long", async (t) => {
  const world = await makeWorld(t, [], { TRIALS: "false" });
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const wrong: readonly (readonly [
    { readonly steps: readonly string[]; readonly minutes?: number },
    RegExp,
  ])[] = [
    [{ steps: ["tidy up"] }, /Step 1 cannot be planned: write it as run CMD/],
    [{ steps: ["0x run date"] }, /Step 1 cannot be planned/],
    [{ steps: [`write ${world.path("a")}`, "run ls"] }, /No step of this plan would ask/],
    [{ steps: [`write ${outside(world, "a")}`], minutes: 1441 }, /at most 1440 minutes/],
    [{ steps: [`write ${outside(world, ".ssh/id_ed25519")}`] }, /Step 1 .* it would be refused/],
    [{ steps: [`write ${outside(world, ".config/passepartout/rules.json")}`] }, /it would be refused/],
    [{ steps: [`write ${outside(world, ".bashrc")}`] }, /it asks each time: .* executed later/],
    [{ steps: ["run date > .git/hooks/pre-commit"] }, /it asks each time/],
    [{ steps: ["fetch http://127.0.0.1:1/"] }, /it asks each time/],
    [{ steps: ["run rm -rf /"] }, /it would be refused/],
    [{ steps: [] }, /steps/],
    [{ steps: Array(31).fill(`write ${outside(world, "a")}`) }, /at most 30 steps/],
  ];
  for (const [args, message] of wrong) {
    world.provider.add(calls(["propose-plan", { ...args, steps: args.steps.join("\n") }]), done);
    assert.equal((await talk.say("plan")).end, "answered");
    assert.match(world.provider.requests.at(-1)?.body ?? "", message);
  }
});

test("a call that differs puts the plan on hold; a yes to it lets the plan go on, and so does /plan resume", async (t) => {
  const world = await makeWorld(t);
  const [planned, other] = ["a.txt", "other.txt"];
  const kinds = () =>
    journalOf(world).flatMap(({ detail: { event } }) =>
      String(event).startsWith("flight-plan-") ? [String(event).slice("flight-plan-".length)] : [],
    );
  world.provider.add(plans(`9x write ${outside(world, planned)}`), writes(world, other), done);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const answer = async (word: "approve" | "deny") => (await talk.say(`/${word} ${talk.token()}`)).end;
  await talk.say("plan it");
  assert.equal(await answer("approve"), "approval-required", "the other file asks");
  assert.match((await talk.say("/plan")).text, /It is on hold, since a call differed from it/);
  assert.equal(await answer("approve"), "answered");
  world.provider.add(writes(world, planned), done);
  assert.equal((await talk.say("go on")).end, "answered", "a yes to the call lets the plan go on");
  world.provider.add(writes(world, "third.txt"), done);
  assert.equal((await talk.say("something else")).end, "approval-required");
  assert.equal(await answer("deny"), "answered");
  world.provider.add(writes(world, planned, "more\n"), done);
  assert.equal((await talk.say("go on")).end, "approval-required", "after a no every step asks");
  assert.equal(await answer("approve"), "answered");
  world.provider.add(writes(world, planned, "still more\n"), done);
  assert.equal(
    (await talk.say("go on")).end,
    "approval-required",
    "a yes to another question resumes nothing",
  );
  assert.equal(await answer("deny"), "answered");
  assert.match((await talk.say("/plan resume")).text, /The flight plan goes on/);
  world.provider.add(writes(world, planned, "most\n"), done);
  assert.equal((await talk.say("go on")).end, "answered");
  await talk.say("/plan drop");
  assert.deepEqual(kinds(), ["deviated", "deviated", "resumed", "dropped"]);
});

test("a plan ends before a model call that would cost more than it allows, and the journal says how each plan ended", async (t) => {
  const prices = { LOOP_INPUT_PRICE: "1", LOOP_OUTPUT_PRICE: "1", LOOP_MAX_OUTPUT: "2000" };
  const world = await makeWorld(t, [], prices);
  const plan = (dollars: number, name: string): Step =>
    calls(["propose-plan", { steps: `9x write ${outside(world, name)}`, dollars }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  world.provider.add(plan(100, "a.txt"), writes(world, "a.txt"), done);
  const asked = await talk.say("plan it");
  const [question] = named(asked.events, "approval-required");
  assert.ok(question !== undefined);
  assert.match(
    formatApprovalQuestion(question, Date.now()),
    /for 2 h and \$100 of model calls after your yes/,
  );
  assert.equal((await talk.say(`/approve ${talk.token()}`)).end, "answered");
  assert.match((await talk.say("/plan")).text, /Of its \$100\.0000 for model calls \$0\.\d+ are spent/);
  world.provider.add(plan(0.000001, "b.txt"), writes(world, "b.txt"));
  await talk.say("plan another");
  assert.equal((await talk.say(`/approve ${talk.token()}`)).end, "approval-required", "its first step asks");
  assert.match((await talk.say("/plan")).text, /has no flight plan/);
  await talk.say(`/deny ${talk.token()}`);
  const ends = journalOf(world).flatMap(({ detail: { event } }) =>
    String(event).startsWith("flight-plan-") ? [String(event)] : [],
  );
  assert.deepEqual(ends.sort(), ["flight-plan-overspent", "flight-plan-replaced"]);
});

test("a plan that is changed as an Org node changes nothing before it is proposed and approved", async (t) => {
  const world = await makeWorld(t);
  world.provider.add(plans(`2x write ${outside(world, "a.txt")}`), done);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("plan it");
  await talk.say(`/approve ${talk.token()}`);
  const [node = ""] = (await talk.say("/plan org")).text.split("\n\n");
  assert.match(node, /^\* Flight plan\n:PROPERTIES:\n:MINUTES: {2}60\n:END:\n- \[ \] 2x write \S+a\.txt$/);
  const changed = node.replaceAll("a.txt", "b.txt").replace("2x", "5x");
  writeFileSync(join(world.workspace, "plan.org"), changed);
  await talk.say("/trust-folder");
  world.provider.add(calls(["read-file", { path: "plan.org" }]), writes(world, "b.txt"), done);
  assert.equal(
    (await talk.say("do the plan in plan.org")).end,
    "approval-required",
    "a text approves nothing",
  );
  await talk.say(`/deny ${talk.token()}`);
  world.provider.add(calls(["propose-plan", { steps: changed }]), writes(world, "b.txt"), done);
  assert.equal((await talk.say("propose the plan in plan.org")).end, "approval-required");
  assert.equal((await talk.say(`/approve ${talk.token()}`)).end, "answered");
  assert.match((await talk.say("/plan")).text, /1 {2}write \S+b\.txt, at most 5 times, done 1\n/);
});
