import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { calls, makeWorld, sent, talkTo } from "../agent-world.ts";

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, "utf16le");
const token = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
const ways: readonly (readonly [string, object])[] = [
  ["search-files", { pattern: "wombats" }],
  ["search-files", { pattern: "wombats", path: "../memex" }],
  ["shell", { cmd: "cat diary.org" }],
  ["shell", { cmd: "cat ../memex/diary.org" }],
  ["shell", { cmd: "iconv -f utf-16 -t utf-8 diary.org | tail -n 1" }],
  ["shell", { cmd: "cat token.txt" }],
  ["read-file", { path: "diary.org" }],
];

test("a file in UTF-16 is as private, and its keys are as secret, as one in UTF-8", async (t) => {
  for (const way of ways)
    await t.test(JSON.stringify(way), async (each) => {
      const world = await makeWorld(each, [calls(way), { text: "Done." }], { TRIALS: undefined });
      mkdirSync(join(world.home, "memex"));
      for (const path of ["work/diary.org", "memex/diary.org"])
        writeFileSync(join(world.home, path), utf16("* Doctor :@personal:\nwombats4711 left knee\n"));
      writeFileSync(world.path("token.txt"), utf16(`token: ${token}\n`));
      await using agent = await world.open();
      await (await talkTo(agent)).say("look");
      const body = sent(world, world.provider.requests.length - 1).replaceAll("\\\\u0000", "");
      assert.doesNotMatch(body, /wombats4711|ghp_a1B2c3D4/);
    });
});

test("what a repository keeps of a deleted file in UTF-16 stays private", async (t) => {
  const cmd = "git show HEAD~1:diary.txt | iconv -f utf-16 -t utf-8 | tail -n 1";
  const world = await makeWorld(t, [calls(["shell", { cmd }]), { text: "Done." }]);
  const git = (...words: readonly string[]): unknown =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...words], {
      cwd: world.workspace,
      stdio: "ignore",
    });
  git("init");
  writeFileSync(
    world.path("diary.txt"),
    utf16("* Врач :@personal:\nсегодня днём врач нашёл у меня большую опухоль лёгкого\n"),
  );
  git("add", ".");
  git("commit", "-m", "one");
  rmSync(world.path("diary.txt"));
  git("commit", "-am", "two");
  await using agent = await world.open();
  await (await talkTo(agent)).say("look");
  assert.doesNotMatch(sent(world, world.provider.requests.length - 1), /опухоль/);
});
