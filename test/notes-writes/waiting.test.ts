import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { lockPathOf } from "../../src/act/files/locks/lock-file.ts";
import {
  type AgentWorld,
  calls,
  isMissing,
  journalOf,
  makeWorld,
  named,
  onDatabase,
  talkTo,
} from "../agent-world.ts";
import type { Step } from "../loopback-provider.ts";
import { openInEmacs } from "./open-emacs.ts";

const before = "* TODO buy milk\n* call Ann\n";

/** A world whose notes folder holds `plan.org`. */
async function notesWorld(test: TestContext, steps: readonly Step[]) {
  const world = await makeWorld(test, steps);
  const plan = join(world.home, "notes", "plan.org");
  mkdirSync(dirname(plan));
  writeFileSync(plan, before);
  return { world, plan, settings: { MEMEX_DIR: dirname(plan) } };
}

function hold(path: string): void {
  symlinkSync(`me@${hostname()}.${process.pid}:1`, lockPathOf(path));
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 4800; tries += 1) {
    if (holds()) return;
    await sleep(25);
  }
  assert.fail("it did not come to be");
}

const waiting = (world: AgentWorld) => onDatabase(world, "SELECT id FROM pending_edits").length;
const read = (path: string) => readFileSync(path, "utf8");
const edit = (path: string, old: string, put: string) => calls(["edit-file", { path, old, new: put }]);
const write = (path: string, content: string) => calls(["write-file", { path, content }]);

test("an edit of a file with unsaved changes in Emacs waits, the owner is told, and it is made when Emacs saves", async (t) => {
  if (isMissing(t, "emacs", "emacs-nox")) return;
  const { world, plan, settings } = await notesWorld(t, []);
  world.provider.add(edit(plan, "milk", "bread"), { text: "I changed it." });
  await using daemon = await world.open(settings);
  const talk = await talkTo(daemon);
  await using emacs = await openInEmacs(plan, "* from Emacs\n");
  const said = await talk.say("bread, not milk");
  assert.match(said.text, /I changed it\.\n\nThe edit waits until Emacs lets go of plan\.org/);
  assert.match(
    named(said.events, "thinking")
      .map(({ text }) => text)
      .join(),
    /plan\.org has unsaved changes/,
  );
  assert.equal(read(plan), before);
  await emacs.save();
  await until(() => waiting(world) === 0);
  await daemon.whenIdle();
  assert.equal(read(plan), `${before.replace("milk", "bread")}* from Emacs\n`);
  assert.match(named(talk.events, "answered").at(-1)?.text ?? "", /Emacs let go of plan\.org\. Changed/);
  assert.equal(world.provider.requests.length, 2);
  await talk.say("/undo");
  assert.equal(read(plan), `${before}* from Emacs\n`);
});

test("the line of a note that waits says so, and no words for a model stand below it", async (t) => {
  const { world, plan, settings } = await notesWorld(t, []);
  const inbox = join(dirname(plan), "inbox.org");
  writeFileSync(inbox, before);
  hold(inbox);
  const { out, err } = await world.command(["ask", "/note water the roses"], { settings });
  assert.match(`${err}${out}`, /^remember: put off$/m);
  assert.match(out, /Not written yet: .*\. The edit waits until Emacs lets go of inbox\.org/);
  assert.doesNotMatch(`${err}${out}`, /done|propose/);
  assert.equal(read(inbox), before);
});

test("a waiting edit survives a restart, and is made at the next start once the lock is gone", async (t) => {
  const { world, plan, settings } = await notesWorld(t, []);
  world.provider.add(edit(plan, "milk", "bread"), edit(plan, "Ann", "Bob"), { text: "Both wait." });
  hold(plan);
  {
    await using daemon = await world.open(settings);
    const talk = await talkTo(daemon);
    assert.match((await talk.say("change both")).text, /waits until Emacs lets go/);
    assert.equal((await talk.say("/status")).text.split("waits until an editor lets go of").length, 3);
  }
  {
    await using daemon = await world.open(settings);
    await daemon.whenIdle();
    assert.equal(waiting(world), 2);
    assert.equal(read(plan), before);
  }
  rmSync(lockPathOf(plan));
  await using daemon = await world.open(settings);
  await until(() => waiting(world) === 0);
  await daemon.whenIdle();
  assert.equal(read(plan), "* TODO buy bread\n* call Bob\n");
  const made = journalOf(world).filter(({ kind, changes }) => kind === "intent" && changes.length > 0);
  assert.deepEqual(
    made.map(({ verdict }) => verdict),
    ["pass", "pass"],
  );
});

test("an edit that no longer fits when the lock is released is refused and saved aside, and the file stays", async (t) => {
  const { world, plan, settings } = await notesWorld(t, []);
  world.provider.add(edit(plan, "milk", "bread"), { text: "It waits." });
  await using daemon = await world.open(settings);
  const talk = await talkTo(daemon);
  hold(plan);
  await talk.say("bread, not milk");
  writeFileSync(plan, "* TODO buy cheese\n");
  rmSync(lockPathOf(plan));
  await until(() => named(talk.events, "failed").length > 0);
  assert.equal(waiting(world), 0);
  const [failed] = named(talk.events, "failed");
  assert.match(failed?.reason ?? "", /was not made\. .*occurs 0 times.* kept in .*\/set-aside\/.*plan\.org/s);
  assert.equal(read(plan), "* TODO buy cheese\n");
  const place = /kept in (\S+);/.exec(failed?.reason ?? "")?.[1] ?? "";
  assert.match(read(place), /"new": "bread"/);
});

test("an edit behind a waiting edit of the same file waits too, even if the lock was released", async (t) => {
  const { world, plan, settings } = await notesWorld(t, []);
  world.provider.add(write(plan, "first\n"), { text: "1" }, write(plan, "second\n"), { text: "2" });
  await using daemon = await world.open(settings);
  const talk = await talkTo(daemon);
  hold(plan);
  await talk.say("one");
  await talk.say("two");
  rmSync(lockPathOf(plan));
  await until(() => waiting(world) === 0);
  assert.equal(read(plan), "second\n");
});

test("an approved edit is made without another question if the file is unchanged, and asks again if it is not", async (t) => {
  for (const changed of [false, true]) {
    const { world, plan } = await notesWorld(t, []);
    world.provider.add(edit(plan, "milk", "bread"), { text: "It waits." });
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    hold(plan);
    assert.equal((await talk.say("bread")).end, "approval-required");
    await talk.say(`/approve ${talk.token()}`);
    await until(() => waiting(world) === 1);
    await daemon.whenIdle();
    if (changed) writeFileSync(plan, `${before}* more\n`);
    rmSync(lockPathOf(plan));
    if (changed) {
      await until(() => named(talk.events, "approval-required").length === 2);
      assert.equal(read(plan), `${before}* more\n`);
      await talk.say(`/approve ${talk.token()}`);
    }
    await until(() => waiting(world) === 0);
    assert.equal(read(plan), `${before.replace("milk", "bread")}${changed ? "* more\n" : ""}`);
  }
});

test("a waiting whole file is merged with what the owner saved meanwhile, or saved aside if both changed the same lines", async (t) => {
  for (const both of [false, true]) {
    const { world, plan, settings } = await notesWorld(t, []);
    world.provider.add(write(plan, before.replace("milk", "bread")), { text: "It waits." });
    await using daemon = await world.open(settings);
    const talk = await talkTo(daemon);
    hold(plan);
    await talk.say("bread, not milk");
    const saved = both ? before.replace("milk", "cheese") : `${before}* a\n* from Emacs\n`;
    writeFileSync(plan, saved);
    rmSync(lockPathOf(plan));
    await until(() => waiting(world) === 0);
    await daemon.whenIdle();
    if (both) {
      const reason = named(talk.events, "failed")[0]?.reason ?? "";
      assert.match(reason, /was not made.*same lines/s);
      assert.equal(read(/kept in (\S+);/.exec(reason)?.[1] ?? ""), before.replace("milk", "bread"));
      assert.equal(read(plan), saved);
    } else {
      assert.equal(read(plan), saved.replace("milk", "bread"));
      assert.match(named(talk.events, "answered").at(-1)?.text ?? "", /Both changes are in the file/);
    }
  }
});

test("changes made since the model read the file are merged into what the model writes, or nothing is written", async (t) => {
  const { world, plan, settings } = await notesWorld(t, []);
  const reading = calls(["read-file", { path: plan }]);
  const long = "* TODO buy milk\n* a\n* b\n* call Ann\n";
  writeFileSync(plan, long);
  await using daemon = await world.open(settings);
  const talk = await talkTo(daemon);
  world.provider.add(reading, { text: "Read." }, write(plan, long.replace("milk", "bread")), {
    text: "Done.",
  });
  await talk.say("read it");
  writeFileSync(plan, long.replace("Ann", "Bob"));
  await talk.say("bread, not milk");
  assert.equal(read(plan), long.replace("Ann", "Bob").replace("milk", "bread"));
  world.provider.add(reading, { text: "Read." });
  await talk.say("read it again");
  const theirs = long.replace("milk", "cheese");
  writeFileSync(plan, theirs);
  world.provider.add(
    write(plan, "all new\n"),
    { text: "It was changed." },
    reading,
    write(plan, "all new\n"),
    {
      text: "Now.",
    },
  );
  const refused = await talk.say("write it anew");
  assert.equal(named(refused.events, "outcome")[0]?.code, "edited-meanwhile");
  assert.equal(read(plan), theirs);
  await talk.say("yes, read it and write it anew");
  assert.equal(read(plan), "all new\n");
});

test("/undo and /rollback leave a locked file as it is and say so; repeated later, they undo it", async (t) => {
  for (const command of ["/undo", "/rollback"]) {
    const { world, plan, settings } = await notesWorld(t, []);
    const operations = [{ op: "todo", at: "buy milk", state: "DONE" }];
    world.provider.add(calls(["edit-notes", { file: "plan.org", operations }]), { text: "Done." });
    await using daemon = await world.open(settings);
    const talk = await talkTo(daemon);
    await talk.say("it is done");
    const after = before.replace("TODO", "DONE");
    assert.equal(read(plan), after);
    hold(plan);
    assert.match((await talk.say(command)).text, /plan\.org has unsaved changes in an editor/);
    assert.equal(read(plan), after);
    rmSync(lockPathOf(plan));
    await talk.say(command === "/undo" ? command : "/undo");
    assert.equal(read(plan), before, command);
  }
});

test("a note for a locked inbox waits, says so once, and is in the inbox and in memory after the lock is released", async (t) => {
  const { world, plan, settings } = await notesWorld(t, []);
  const inbox = join(dirname(plan), "inbox.org");
  writeFileSync(inbox, "* old\n");
  hold(inbox);
  await using daemon = await world.open(settings);
  const talk = await talkTo(daemon);
  const said = await talk.say("/note The cat is called Minka");
  assert.equal(said.text.split("waits until Emacs lets go of inbox.org").length, 2, said.text);
  rmSync(lockPathOf(inbox));
  await until(() => waiting(world) === 0);
  assert.match(read(inbox), /^\* old\n\* The cat is called Minka\n:PROPERTIES:\n[\s\S]*:ORIGIN: +user/);
  assert.match((await talk.say("/search Minka")).text, /called Minka/);
});

test("forgetting a note drops its waiting edits and its saved copies, says so, and leaves the others", async (t) => {
  const { world, plan, settings } = await notesWorld(t, []);
  const todo = (at: string) =>
    calls(["edit-notes", { file: plan, operations: [{ op: "todo", at, state: "DONE" }] }]);
  world.provider.add(edit(plan, "milk", "oat-milk"), { text: "1" }, todo("call Ann"), { text: "2" });
  world.provider.add(edit(plan, "Ann", "Bob"), { text: "3" });
  const aside = join(world.state, "set-aside");
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  writeFileSync(join(aside, "20260101-101010-plan.org"), "* TODO buy milk\n");
  writeFileSync(join(aside, "20260101-101011-plan.org"), "* call Ann\n");
  writeFileSync(join(aside, "20260101-101012-other.org"), "* buy milk\n");
  await using daemon = await world.open(settings);
  const talk = await talkTo(daemon);
  hold(plan);
  const { turn } = await talk.say("one");
  await talk.say("two");
  await talk.say("three");
  assert.equal(waiting(world), 3);
  const { text } = await talk.say("/forget plan.org::buy milk");
  assert.match(text, /1 deferred edits, which are dropped, 1 copies that were set aside\./);
  assert.ok(text.includes(`/forget ${turn} forgets them too`), text);
  assert.equal(waiting(world), 2);
  assert.deepEqual(readdirSync(aside), ["20260101-101011-plan.org", "20260101-101012-other.org"]);
  assert.equal(onDatabase(world, "SELECT 1 FROM blobs WHERE bytes IS NOT NULL").length, 0);
  rmSync(lockPathOf(plan));
  await until(() => waiting(world) === 0);
  await daemon.whenIdle();
  assert.equal(read(plan), "* TODO buy milk\n* DONE call Bob\n");
});

test("forgetting a turn drops its waiting edits", async (t) => {
  const { world, plan, settings } = await notesWorld(t, []);
  world.provider.add(edit(plan, "milk", "oat-milk"), { text: "It waits." });
  await using daemon = await world.open(settings);
  const talk = await talkTo(daemon);
  hold(plan);
  const { turn } = await talk.say("one");
  assert.match((await talk.say(`/forget ${turn}`)).text, /the texts of that turn, 1 deferred edits/);
  assert.equal(waiting(world), 0);
});
