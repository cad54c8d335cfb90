import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { calls, isMissing, journalOf, makeWorld, named, sent, talkTo } from "../agent-world.ts";

const shell = (cmd: string) => calls(["shell", { cmd }]);
const done = { text: "Done." };

const isOverlay = (name: string): boolean => name.startsWith("overlay-");

/** A world in which commands are tried; null without bubblewrap. */
async function tryingWorld(t: TestContext, steps: Parameters<typeof makeWorld>[1], settings = {}) {
  if (isMissing(t, "bwrap", "bubblewrap")) return null;
  const world = await makeWorld(t, steps, { TRIALS: "true", ...settings });
  const left = (): readonly string[] => readdirSync(join(world.state, "commands"));
  return { world, left };
}

test("a command that is not known is tried, what it made in the workspace is kept without a question, and /undo takes it back", async (t) => {
  const made = await tryingWorld(t, [
    shell("mkdir out && tee out/a.txt notes.txt <<< words && cp notes.txt more"),
    done,
  ]);
  if (made === null) return;
  const { world, left } = made;
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const said = await talk.say("make it");
  assert.equal(said.end, "answered");
  assert.deepEqual(named(said.events, "approval-required"), []);
  assert.deepEqual(
    named(said.events, "verdict").map(({ verdict }) => verdict),
    ["trial", "pass"],
  );
  assert.match(sent(world, 1), /words/);
  assert.equal(readFileSync(world.path("out/a.txt"), "utf8"), "words\n");
  const kept = journalOf(world)
    .filter(({ kind }) => kind === "intent")
    .flatMap(({ effects }) => effects);
  assert.equal(kept.filter(({ kind }) => kind === "write-path").length, 3);
  assert.match((await talk.say("/undo")).text, /^Undone\./);
  assert.deepEqual(readdirSync(world.workspace), []);
  assert.ok(!left().some(isOverlay));
});

test("what would ask as an edit asks with the difference itself; a yes keeps exactly that, a no leaves nothing", async (t) => {
  for (const answer of ["/approve", "/deny"]) {
    const made = await tryingWorld(t, [
      shell(
        `perl -e 'mkdir ".github"; mkdir ".github/workflows"; for ("plain.txt", ".github/workflows/ci.yml") { open F, ">", $_; print F "made" } unlink "old.txt"'`,
      ),
      done,
    ]);
    if (made === null) return;
    const { world, left } = made;
    writeFileSync(world.path("old.txt"), "old");
    await using daemon = await world.open();
    const talk = await talkTo(daemon);
    const asked = await talk.say("make it");
    const [question] = named(asked.events, "approval-required");
    const touched = question?.effects.map(
      ({ kind, target }) => `${kind} ${target.slice(world.workspace.length)}`,
    );
    assert.deepEqual(touched?.toSorted(), [
      "delete-path /old.txt",
      "write-path /.github/workflows/ci.yml",
      "write-path /plain.txt",
    ]);
    assert.match(
      question?.reason ?? "",
      /ci\.yml is executed later.*old\.txt was there before and is deleted/s,
    );
    assert.deepEqual(readdirSync(world.workspace), ["old.txt"]);
    await talk.say(`${answer} ${talk.token()}`);
    assert.deepEqual(
      readdirSync(world.workspace),
      answer === "/approve" ? [".github", "plain.txt"] : ["old.txt"],
    );
    for (let tries = 0; tries < 100 && left().some(isOverlay); tries += 1) await pause(50);
    assert.ok(!left().some(isOverlay), left().join());
  }
});

test("a trial that changes nothing, such as a test run, gives its output and leaves nothing to decide", async (t) => {
  const made = await tryingWorld(t, [shell("sh -c 'echo 3 passed; exit 1'"), done]);
  if (made === null) return;
  const { world, left } = made;
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("test it");
  assert.equal(said.end, "answered");
  assert.match(JSON.stringify(named(said.events, "outcome")), /3 passed/);
  assert.ok(!left().some(isOverlay));
});

test("what writes a secret file is blocked and leaves nothing", async (t) => {
  const made = await tryingWorld(t, [shell("sh -c 'echo KEY=1 > .env; echo x > ok.txt'"), done]);
  if (made === null) return;
  const { world, left } = made;
  await using daemon = await world.open();
  const said = await (await talkTo(daemon)).say("make it");
  assert.equal(said.end, "answered");
  assert.ok(named(said.events, "verdict").some(({ verdict }) => verdict === "block"));
  assert.deepEqual(readdirSync(world.workspace), []);
  for (let tries = 0; tries < 100 && left().some(isOverlay); tries += 1) await pause(50);
});

test("with the setting off, and for what needs the network or deletes by its words, a command asks as before", async (t) => {
  for (const [settings, cmd] of [
    [{ TRIALS: "false" }, "touch made.txt"],
    [{}, "curl https://example.org/"],
    [{}, "sudo touch made.txt"],
  ] as const) {
    const made = await tryingWorld(t, [shell(cmd), done], settings);
    if (made === null) return;
    await using daemon = await made.world.open();
    const said = await (await talkTo(daemon)).say("make it");
    assert.equal(named(said.events, "approval-required").length, 1, cmd);
    assert.equal(existsSync(made.world.path("made.txt")), false);
  }
});

test("what a person changes while a command is tried stays theirs", async (t) => {
  const made = await tryingWorld(t, [
    shell(`perl -e 'unlink "theirs.txt"; for ("AGENTS.md", "mine.txt") { open F, ">", $_; print F "x" }'`),
    done,
  ]);
  if (made === null) return;
  const { world } = made;
  mkdirSync(world.path("sub"));
  writeFileSync(world.path("theirs.txt"), "before");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("make it");
  writeFileSync(world.path("theirs.txt"), "edited");
  await talk.say(`/approve ${talk.token()}`);
  assert.equal(readFileSync(world.path("theirs.txt"), "utf8"), "edited");
  assert.equal(readFileSync(world.path("mine.txt"), "utf8"), "x");
  assert.match(sent(world, 1), /theirs\.txt was changed by somebody else/);
});
