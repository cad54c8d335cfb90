import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { formatApprovalQuestion } from "../../src/shown/approval-question.ts";
import { calls, makeWorld, named, talkTo } from "../agent-world.ts";

test("a question about git shows its words as typed, and not the names of the secret files that it leaves out", async (t) => {
  const world = await makeWorld(t);
  const lender = join(world.home, "lender");
  execFileSync("git", ["init", "--quiet", lender]);
  const who = ["-c", "user.name=A", "-c", "user.email=a@b"];
  execFileSync("git", ["-C", lender, ...who, "commit", "--quiet", "--allow-empty", "--message=One"]);
  for (const name of ["copy", "my copy"])
    execFileSync("git", ["clone", "--quiet", "--shared", lender, world.path(name)]);
  await using agent = await world.open();
  const talk = await talkTo(agent);
  for (const [cmd, words] of [
    ["git -C copy log -p", "(git gets options"],
    ["git -C copy log -p; git -C copy show", "(git gets options"],
    ["git -C 'my copy' log -p", "-p, leaving out secret files, sandboxed"],
  ] as const) {
    world.provider.add(calls(["shell", { cmd }]));
    const { events } = await talk.say("look at the history");
    const [question] = named(events, "approval-required");
    assert.ok(question !== undefined, cmd);
    const shown = formatApprovalQuestion(question, Date.now());
    assert.ok(shown.includes(cmd) && shown.includes(words), shown.slice(0, 2000));
    assert.ok(shown.includes(`${join(lender, ".git")} and below`), shown.slice(0, 2000));
    assert.ok(shown.length < 2500, `${cmd}: ${shown.length} characters`);
    world.provider.add({ text: "Left." });
    await talk.say(`/deny ${talk.token()}`);
  }
});

test("the question of a plan says how many files each of its commands deletes, with the first names", async (t) => {
  const world = await makeWorld(t);
  for (const [folder, files] of [
    ["logs", 12],
    ["old", 1],
  ] as const) {
    mkdirSync(world.path(folder));
    for (let number = 10; number < 10 + files; number++)
      writeFileSync(world.path(`${folder}/${number}.txt`), "x\n");
  }
  await using agent = await world.open();
  const talk = await talkTo(agent);
  world.provider.add(calls(["propose-plan", { steps: "run rm -r logs\nrun rm -r old", minutes: 60 }]));
  const { events } = await talk.say("tidy up");
  const [question] = named(events, "approval-required");
  assert.ok(question !== undefined);
  const names = Array.from({ length: 10 }, (_, index) => `logs/${10 + index}.txt`).join(", ");
  const words = `acts on 12 files: ${names}, and 2 more`;
  const shown = formatApprovalQuestion(question, Date.now());
  assert.ok(shown.includes(`       - run rm -r logs, sandboxed (can be undone)\n         ${words}\n`), shown);
  assert.equal(shown.match(/acts on/g)?.length, 1, "a single file is named by its deletion");
});
