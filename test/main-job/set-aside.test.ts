import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { calls, isMissing, makeWorld, named, sent, talkTo } from "../agent-world.ts";

test("what an approved script makes and nobody approved is told as a failure, and /diff, /undo and /redo know its new name", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const cmd =
    "n=.husky; mkdir $n sub && echo evil > $n/pre-commit && cp $n/pre-commit sub/x && echo plain > a.txt && cd sub && ls";
  const world = await makeWorld(t, [calls(["shell", { cmd }]), { text: "Done." }], { TRIALS: "false" });
  writeFileSync(world.path("a.txt"), "mine\n");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("make it");
  await talk.say(`/approve ${talk.token()}`);
  const outcome = named(talk.events, "outcome").at(-1);
  assert.deepEqual([outcome?.status, outcome?.code], ["error", "not-approved"]);
  assert.match(
    String(outcome?.content),
    /\.husky is executed later .* it is now not-approved\.\.husky\.txt\./,
  );
  assert.match(sent(world, 1), /not-approved/);
  assert.deepEqual(readdirSync(world.workspace).sort(), ["a.txt", "not-approved..husky.txt", "sub"]);
  assert.equal(readFileSync(world.path("sub/x"), "utf8"), "evil\n");
  const { text } = await talk.say("/diff");
  assert.match(text, /new not-approved\.\.husky\.txt/);
  assert.doesNotMatch(text, /new \.husky/);
  assert.match((await talk.say("/undo")).text, /^Undone\..*not-approved\.\.husky\.txt was deleted/s);
  assert.deepEqual(readdirSync(world.workspace), ["a.txt"]);
  assert.equal(readFileSync(world.path("a.txt"), "utf8"), "mine\n");
  await talk.say("/redo");
  assert.ok(existsSync(world.path("not-approved..husky.txt/pre-commit")));
  assert.equal(existsSync(world.path(".husky")), false);
});

test("a script that makes what is executed later asks by each name before the yes, keeps it under that name, and tells the same afterwards", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const cmd =
    "mkdir .husky sub && echo evil > .husky/pre-commit && cp .husky/pre-commit sub/x && cd sub && ls && git checkout -b feature/größe";
  const world = await makeWorld(t, [calls(["shell", { cmd }]), { text: "Done." }], { TRIALS: "true" });
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-C", world.workspace, ...words], { stdio: "pipe" });
  git("init", "-q");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const [question] = named((await talk.say("make it")).events, "approval-required");
  const names = [
    ".husky/pre-commit",
    "sub/x",
    ".git/HEAD",
    ".git/logs/HEAD",
    ".git/refs/heads/feature/größe",
    ".git/logs/refs/heads/feature/größe",
  ].map(world.path);
  for (const name of names)
    assert.ok(
      question?.effects.some(({ target }) => target === name),
      name,
    );
  assert.equal(existsSync(world.path(".husky")), false);
  await talk.say(`/approve ${talk.token()}`);
  const outcome = named(talk.events, "outcome").at(-1);
  assert.equal(outcome?.status, "success");
  assert.deepEqual(
    outcome.changes?.map(({ path }) => path),
    names,
  );
  assert.equal(readFileSync(world.path(".husky/pre-commit"), "utf8"), "evil\n");
  assert.match((await talk.say("/undo")).text, /refs\/heads\/feature was deleted, with größe in it\./);
  assert.equal(existsSync(world.path(".husky")), false);
});
