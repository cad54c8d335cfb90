import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type TestContext, test } from "node:test";
import { calls, isMissing, makeWorld, named, talkTo } from "../agent-world.ts";

const word = "swordfish-4711";

/**
 * A repository with a folder that holds a secret file, in which a model proposes one command after the
 * other; null without bubblewrap.
 */
async function projectWith(t: TestContext, commands: readonly string[], settings = {}) {
  if (isMissing(t, "bwrap", "bubblewrap")) return null;
  const steps = commands.flatMap((cmd) => [calls(["shell", { cmd }]), { text: "Done." }]);
  const world = await makeWorld(t, steps, settings);
  execFileSync("git", ["init", "-q", world.workspace]);
  writeFileSync(world.path(".git/hooks/pre-commit"), "#!/bin/sh\n", { mode: 0o755 });
  for (const folder of ["proj", "kept"]) {
    mkdirSync(world.path(folder));
    writeFileSync(world.path(`${folder}/.env.local`), `${word}\n`);
    for (const name of ["a.txt", "z.txt"]) writeFileSync(world.path(`${folder}/${name}`), "plain\n");
  }
  return world;
}

type Talk = Awaited<ReturnType<typeof talkTo>>;

/** Has the next command run, with a yes where it asks; gives its outcome in words. */
async function runNext(talk: Talk): Promise<string> {
  const said = await talk.say("go");
  const asked = named(said.events, "approval-required").length > 0;
  const ended = asked ? await talk.say(`/approve ${talk.token()}`) : said;
  return JSON.stringify(named(ended.events, "outcome"));
}

test("rm deletes a folder with its secret file after a yes, and /undo brings all of it back", async (t) => {
  const world = await projectWith(t, ["rm -rf proj && echo gone"]);
  if (world === null) return;
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  const asked = await talk.say("clean up");
  const [question] = named(asked.events, "approval-required");
  assert.match(question?.reason ?? "", /secret files go with it: proj\/\.env\.local/);
  const ended = await talk.say(`/approve ${talk.token()}`);
  assert.match(JSON.stringify(named(ended.events, "outcome")), /gone/);
  assert.equal(existsSync(world.path("proj")), false);
  await talk.say("/undo");
  assert.deepEqual(readdirSync(world.path("proj")).toSorted(), [".env.local", "a.txt", "z.txt"]);
  assert.equal(readFileSync(world.path("proj/.env.local"), "utf8"), `${word}\n`);
});

test("what would delete a folder and may not see all of it is refused before it starts, and what computes its names says which file stayed", async (t) => {
  const world = await projectWith(t, [
    "timeout 20 rm -rf proj",
    "LD_PRELOAD=./own.so rm -rf proj",
    `perl -e 'use File::Path; File::Path::remove_tree("proj")'`,
  ]);
  if (world === null) return;
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  for (const _ of ["timeout", "variable"]) {
    assert.match(await runNext(talk), /deleted in part only.*proj\/\.env\.local.*Nothing was deleted/);
    assert.deepEqual(readdirSync(world.path("proj")).toSorted(), [".env.local", "a.txt", "z.txt"]);
  }
  assert.match(await runNext(talk), /cannot delete, move or copy them: proj\/\.env\.local stayed/);
});

test("a folder with a secret file is moved as a whole or not at all, in each wording, and a copy of it says what it lacks", async (t) => {
  const moves = ["mv proj x", "mkdir -p d && mv proj d/", "mv -t d kept proj", "git mv proj x"];
  const world = await projectWith(t, [...moves, "cp -r proj y", "mv proj/a.txt proj/b.txt"], {
    TRIALS: "true",
  });
  if (world === null) return;
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  for (const move of moves) {
    assert.match(
      await runNext(talk),
      /would be moved in part only.*(?:proj|kept)\/\.env\.local.*Nothing was moved/,
      move,
    );
    assert.deepEqual(readdirSync(world.workspace).toSorted(), [".git", "kept", "proj"], move);
    assert.deepEqual(readdirSync(world.path("proj")).toSorted(), [".env.local", "a.txt", "z.txt"], move);
  }
  assert.match(
    await runNext(talk),
    /delete, move or copy them: proj\/\.env\.local, kept|copy them: .*proj\/\.env\.local/,
  );
  assert.deepEqual(readdirSync(world.path("y")).toSorted(), ["a.txt", "z.txt"]);
  await runNext(talk);
  assert.deepEqual(readdirSync(world.path("proj")).toSorted(), [".env.local", "b.txt", "z.txt"]);
});

test("a secret file that one command of a line deletes is read by no other one, before, beside or after it", async (t) => {
  const look = `perl -e 'for (1..3000) { for (glob "{proj,kept}/.env.local x/own") { open F, "<", $_; print <F> } }'`;
  const world = await projectWith(t, [
    `rm -rf proj | ${look}`,
    `perl -e 'mkdir "x"; link glob("kept/.e*"), "x/own"'; ${look}; rm -rf x kept; ${look}`,
  ]);
  if (world === null) return;
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  for (const _ of ["beside", "before and after"]) assert.doesNotMatch(await runNext(talk), new RegExp(word));
  for (const folder of ["proj", "kept", "x"]) assert.equal(existsSync(world.path(folder)), false, folder);
});

test("after a yes to the very path a hook is deleted, made and changed, and no other one with it", async (t) => {
  const evil = `perl -e 'unlink ".git/hooks/pre-push.sample"; for ("pre-rebase", "pre-push.sample") { open F, ">", ".git/hooks/$_"; print F "evil" }'`;
  const world = await projectWith(t, [
    "rm .git/hooks/pre-commit",
    "tee .git/hooks/pre-push <<< mine && chmod +x .git/hooks/pre-push",
    `${evil} > .git/hooks/pre-commit`,
    `${evil}; rm .git/hooks/pre-push`,
    `perl -e 'unlink ".git/hooks/post-merge"; open F, ">", ".git/hooks/post-merge"; print F "evil"' > .git/hooks/pre-commit`,
  ]);
  if (world === null) return;
  const hook = world.path(".git/hooks/");
  const sample = readFileSync(`${hook}pre-push.sample`, "utf8");
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await runNext(talk);
  assert.equal(existsSync(`${hook}pre-commit`), false);
  await runNext(talk);
  assert.equal(readFileSync(`${hook}pre-push`, "utf8"), "mine\n");
  await runNext(talk);
  assert.equal(existsSync(`${hook}pre-commit`), true);
  await runNext(talk);
  assert.equal(existsSync(`${hook}pre-push`), false);
  assert.equal(existsSync(`${hook}pre-rebase`), false);
  assert.equal(readFileSync(`${hook}pre-push.sample`, "utf8"), sample);
  symlinkSync("../../kept/a.txt", `${hook}post-merge`);
  await runNext(talk);
  assert.equal(readlinkSync(`${hook}post-merge`), "../../kept/a.txt");
});
