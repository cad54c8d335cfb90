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
    ["We said that, rm -rf src would be fine", "rm -rf src"],
    ["Run rm -rf src if the tests pass.", "rm -rf src"],
    ["Run `rm -rf src` and tell me what is left.", "rm -rf src"],
    ["Run rm -rf src. No, wait!", "rm -rf src"],
  ];
  for (const [words, command] of asking)
    assert.notEqual(await askedAbout(folder, words, command), null, `${words}: ${command}`);
  const typed: readonly Case[] = [
    ["rm -rf src", "rm -rf src"],
    ["Please run rm -rf  src.", "rm -rf src"],
    ["Run `rm -rf src`, please.", "rm -rf src"],
    ["Run this:\nrm -r src cache\nThanks", "rm -r src cache"],
    ["Please run rm *", "rm *"],
  ];
  for (const [words, command] of typed)
    assert.equal(await askedAbout(folder, words, command), null, `${words}: ${command}`);
});

test("a pattern names nothing, nor do the signs of a list and those that stress a word", async (context) => {
  const folder = await plantFiles(context);
  const asking: readonly Case[] = [
    ["Delete cache/part-*.tmp", "rm cache/part-*.tmp"],
    ["Please:\n* delete cache/part-1.tmp\n* rename cache/part-2.tmp to x.tmp", "rm -r *"],
    ["* delete cache/part-1.tmp", "rm -rf *"],
    ["Delete src/module-1.ts and * everything", "rm -r *"],
    ["Remove **part**, please", "rm cache/**part**"],
    ["Delete *module* now", "rm src/*module*"],
    ["Delete the 13 files in cache", "rm cache/part-*"],
    ["Delete the 13 files in cache", "rm src/module-*"],
  ];
  for (const [words, command] of asking)
    assert.notEqual(await askedAbout(folder, words, command), null, `${words}: ${command}`);
});

test("a thing is named where every sentence that has its name asks for the act and says nothing else", async (context) => {
  const folder = await plantFiles(context);
  const both = "rm src/module-1.ts src/module-2.ts";
  const [one, two] = ["src/module-1.ts", "src/module-2.ts"];
  for (const words of [
    `Delete ${one} and ${two}. But not ${two}.`,
    `Delete ${one} and save ${two}.`,
    `Delete ${one} and ${two}. No, wait!`,
    `Delete ${one} and ${two}?`,
    `Delete src/a.ts. Look: ${one} and ${two}.`,
    `${one} and ${two}. Delete src/module-3.ts.`,
    `Update ${one} and ${two}.`,
    `Stop ${one} and ${two}.`,
    `You delete ${one} and ${two}.`,
    "Delete module-1.ts and module-2.ts in src",
  ])
    assert.equal((await askedAbout(folder, words, both)) === null, words.startsWith("Delete module"), words);
  assert.equal(await askedAbout(folder, `Please delete:\n- ${one}\n- ${two}\nThanks!`, both), null);
  for (const words of [
    "Delete module-1.ts in src.",
    "Delete these files in src.",
    "Fix it. Delete src.",
    "Stop src.",
    `Src, delete ${one}.`,
    "Delete src: cache/part-1.tmp",
  ])
    assert.notEqual(await askedAbout(folder, words, "rm -r src"), null, words);
  assert.equal(await askedAbout(folder, "Delete src, please. Thanks!", "rm -r src"), null);
});
