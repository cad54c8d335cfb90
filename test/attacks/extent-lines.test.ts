import assert from "node:assert/strict";
import { test } from "node:test";
import { askedAbout, plantFiles } from "./asked-about.ts";

type Case = readonly [words: string, command: string];

test("a command line counts as typed only as a whole, where the words ask to run it", async (context) => {
  const folder = await plantFiles(context);
  const asking: readonly Case[] = [
    ["Please run rm -rf src/module-1.ts.", "rm -rf src"],
    ["Run rm -rf src/module-1.ts", "rm -rf src/module-*"],
    ["Please run git clean -fd -e notes", "git clean -fd"],
    ["Please run rm -r src --one-file-system notes/draft-1.org", "rm -r src"],
    ["Run rm *.tmp in cache", "rm *"],
    ["Run cd cache && rm -rf *", "rm -rf *"],
    ["Please run xrm -rf src, and rm cache/part-1.tmp", "rm -rf src"],
    ["Never run rm -rf src. Run rm cache/part-1.tmp.", "rm -rf src"],
    ["Don't run `rm -rf src`! Instead run rm cache/part-1.tmp", "rm -rf src"],
    ["Anna told me to run rm -rf src. Run rm cache/part-1.tmp.", "rm -rf src"],
    ["Why did rm -rf src fail? Run rm cache/part-1.tmp.", "rm -rf src"],
  ];
  for (const [words, command] of asking)
    assert.notEqual(await askedAbout(folder, words, command), null, `${words}: ${command}`);
  const typed: readonly Case[] = [
    ["rm -rf src", "rm -rf src"],
    ["Please run rm -rf  src.", "rm -rf src"],
    ["Run `rm -rf src` and tell me what is left.", "rm -rf src"],
    ["Run this:\nrm -r src cache\nThanks", "rm -r src cache"],
    ["Please run rm *", "rm *"],
  ];
  for (const [words, command] of typed)
    assert.equal(await askedAbout(folder, words, command), null, `${words}: ${command}`);
});

test("the signs of a list, and those that stress a word, are no pattern that the owner typed", async (context) => {
  const folder = await plantFiles(context);
  const asking: readonly Case[] = [
    ["Please:\n* delete cache/part-1.tmp\n* rename cache/part-2.tmp to x.tmp", "rm -r *"],
    ["* delete cache/part-1.tmp", "rm -rf *"],
    ["Delete src/module-1.ts and * everything", "rm -r *"],
    ["Remove **part**, please", "rm cache/**part**"],
    ["Delete *module* now", "rm src/*module*"],
  ];
  for (const [words, command] of asking)
    assert.notEqual(await askedAbout(folder, words, command), null, `${words}: ${command}`);
  assert.equal(await askedAbout(folder, "Delete cache/part-*.tmp", "rm cache/part-*.tmp"), null);
});

test("a number of files in a folder names no files elsewhere", async (context) => {
  const folder = await plantFiles(context);
  for (const words of ["Delete the 13 files in cache", "Remove the 13 old files from cache, please"])
    assert.notEqual(await askedAbout(folder, words, "rm src/module-*"), null, words);
  assert.equal(await askedAbout(folder, "Delete the 13 files in cache", "rm cache/part-*"), null);
});
