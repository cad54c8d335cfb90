import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { lockPathOf } from "../../src/act/files/locks/lock-file.ts";
import {
  type AgentWorld,
  calls,
  isMissing,
  journalOf,
  makeWorld,
  onDatabase,
  sent,
  talkTo,
} from "../agent-world.ts";
import { startDaemon } from "../daemon/daemon-process.ts";
import { install, runInWorld } from "./run-emacs.ts";

/** Runs one test of edits.el in an Emacs beside the plan, which is to pass. */
async function passInEmacs(
  world: AgentWorld,
  name: string,
  more: Readonly<Record<string, string>>,
): Promise<void> {
  const { code, said } = await runInEmacs(world, name, more);
  assert.equal(code, 0, said);
}

const runInEmacs = (world: AgentWorld, selector: string, more: Readonly<Record<string, string>>) =>
  runInWorld(world, { program: "edits.el", selector }, { more });

const before = "* TODO buy milk\n* call Ann\n";

/** A world whose notes folder holds `plan.org`, or where the plan is outside of all folders. */
async function planWorld(t: TestContext, place: "notes" | "outside" = "notes") {
  const world = await makeWorld(t);
  const notes = join(world.home, "notes");
  const plan = join(place === "notes" ? notes : world.home, "plan.org");
  mkdirSync(notes);
  writeFileSync(plan, before);
  return { world, plan, settings: { MEMEX_DIR: notes } };
}

/** The same with an agent in this process, which serves its socket. */
async function servedPlan(t: TestContext, place: "notes" | "outside" = "notes") {
  const made = await planWorld(t, place);
  const agent = await made.world.open(made.settings);
  t.after(() => agent[Symbol.asyncDispose]());
  return { ...made, agent };
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 4800 && !holds(); tries += 1) await pause(25);
  assert.ok(holds(), "it did not come to be");
}

const waiting = (world: AgentWorld) => onDatabase(world, "SELECT id FROM pending_edits").length;
const read = (path: string) => readFileSync(path, "utf8");
const edit = (path: string, old: string, put: string) => calls(["edit-file", { path, old, new: put }]);

test("an edit of a file that is open and unsaved in Emacs is made in its buffer as one change, which undo there and /undo take back", async (t) => {
  if (isMissing(t, "emacs", install)) return;
  const { world, plan } = await servedPlan(t);
  world.provider.add(edit(plan, "milk", "bread"), { text: "I changed it." });
  await passInEmacs(world, "edits-the-buffer", { PLAN: plan });
  assert.match(sent(world, 1), /in the buffer of Emacs, not saved yet/);
  const intents = journalOf(world).filter(({ kind, changes }) => kind === "intent" && changes.length > 0);
  assert.deepEqual(
    intents.map(({ effects }) =>
      effects.flatMap((effect) => (effect.kind === "write-path" ? [effect.editor] : [])),
    ),
    [["in the buffer of Emacs, not saved yet"], ["in the buffer of Emacs, not saved yet"]],
  );
  assert.equal(waiting(world), 0);
});

test("a question about a file that is unsaved in Emacs says that its buffer is changed, and a yes changes that", async (t) => {
  if (isMissing(t, "emacs", install)) return;
  const { world, plan } = await servedPlan(t, "outside");
  world.provider.add(edit(plan, "milk", "bread"), { text: "I changed it." });
  await passInEmacs(world, "asks-for-the-buffer", { PLAN: plan });
  assert.equal(read(plan), before);
});

test("every tool that writes files edits an unsaved buffer, and none overwrites what was typed there", async (t) => {
  if (isMissing(t, "emacs", install)) return;
  const { world, plan } = await servedPlan(t);
  const operations = [{ op: "todo", at: "buy milk", state: "DONE" }];
  const written = before.replace("* call Ann", "* a\n* b\n* call Bob\n* c\n* d");
  writeFileSync(plan, written.replace("Bob", "Ann"));
  world.provider.add(
    calls(["edit-notes", { file: plan, operations }]),
    calls(["write-file", { path: plan, content: written }]),
    { text: "All done." },
  );
  await passInEmacs(world, "edits-by-every-tool", { PLAN: plan });
});

test("a buffer that is read-only, narrowed, in another encoding, without undo or guarded is left alone, and its edit waits", async (t) => {
  if (isMissing(t, "emacs", install)) return;
  const { world, plan } = await servedPlan(t);
  const reasons = ["read-only", "narrowed", "plain UTF-8", "no undo", "run there failed"];
  for (const [index, reason] of reasons.entries())
    world.provider.add(edit(plan, reasons[index - 1] ?? "milk", reason), { text: `It waits: ${reason}.` });
  await passInEmacs(world, "waits-for-other-buffers", { PLAN: plan });
  await until(() => waiting(world) === 0);
});

/** Kills the daemon while Emacs makes an edit, which it made already or not. */
async function killDaemon(t: TestContext, applies: "yes" | "no"): Promise<void> {
  if (isMissing(t, "emacs", install)) return;
  const { world, plan, settings } = await planWorld(t);
  const operations = [{ op: "insert", title: "buy bread" }];
  world.provider.add(calls(["edit-notes", { file: plan, operations }]), { text: "It waits." });
  const daemon = await startDaemon(t, world, { settings });
  const done = join(world.home, "done");
  const more = { ...settings, PLAN: plan, DAEMON: String(daemon.pid), DONE: done, APPLIES: applies };
  const emacs = passInEmacs(world, "edits-once-beside-a-killed-daemon", more);
  await daemon.end;
  // The turn that asked for it, and that of the deferred edit.
  const ended = () => onDatabase(world, "SELECT id FROM turns WHERE state = 'answered'").length;
  await Promise.race([until(() => ended() === 2), emacs]);
  assert.equal(waiting(world), 0);
  writeFileSync(done, "");
  await emacs;
  while (existsSync(join(world.state, "run/passepartout.sock"))) await pause(50);
}

test("a daemon that is killed while Emacs makes an edit, and has made it, comes back and finds it made once", (t) =>
  killDaemon(t, "yes"));

test("a daemon that is killed before Emacs makes an edit comes back and has it made once", (t) =>
  killDaemon(t, "no"));

/** Has Emacs be killed while it makes an edit, which it made and saved already or not. */
async function killEmacs(t: TestContext, applies: "yes" | "no"): Promise<void> {
  if (isMissing(t, "emacs", install)) return;
  const { world, plan, agent } = await servedPlan(t);
  const operations = [{ op: "insert", title: "buy bread" }];
  world.provider.add(calls(["edit-notes", { file: plan, operations }]), { text: "It waits." });
  const more = { PLAN: plan, APPLIES: applies };
  const { code } = await runInEmacs(world, "dies-while-it-edits", more);
  assert.notEqual(code, 0);
  await until(() => read(plan).includes("bread") && waiting(world) === 0);
  await agent.whenIdle();
  assert.equal(read(plan).split("buy bread").length, 2, read(plan));
  assert.equal(read(plan).includes("from Emacs"), applies === "yes");
}

test("an Emacs that is killed while it makes an edit, and has saved it, leaves a file with that edit once", (t) =>
  killEmacs(t, "yes"));

test("an Emacs that is killed before it makes an edit leaves a file with that edit once", (t) =>
  killEmacs(t, "no"));

test("an edit that waits for the lock is made in the buffer once its Emacs connects", async (t) => {
  if (isMissing(t, "emacs", install)) return;
  const { world, plan, agent } = await servedPlan(t);
  world.provider.add(edit(plan, "milk", "bread"), { text: "It waits." });
  const [locked, waits] = [join(world.home, "locked"), join(world.home, "waits")];
  const emacs = passInEmacs(world, "comes-later", { PLAN: plan, LOCKED: locked, WAITS: waits });
  await Promise.race([until(() => existsSync(locked) && existsSync(dirname(lockPathOf(plan)))), emacs]);
  const talk = await talkTo(agent);
  assert.match((await talk.say("bread")).text, /waits until Emacs lets go of plan\.org/);
  writeFileSync(waits, "");
  await emacs;
  await until(() => waiting(world) === 0);
});
