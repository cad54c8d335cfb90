import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { forgetDisplaced, forgetDisplacedTexts } from "./forget-displaced.ts";
import { recoverSets } from "./recover-sets.ts";
import { workshop } from "./workshop.fixture.ts";

test("what a command displaced of a forgotten file is gone, by its own path and in a folder that went as a whole; an undo says so and brings back the rest", async (context) => {
  const { workspace, state, run, set, undo } = workshop(await makeScratchFolder(context));
  const path = (name: string): string => join(workspace, name);
  mkdirSync(path("d"));
  for (const name of ["file", "d/note", "d/other"]) writeFileSync(path(name), `abracadabra ${name}`);
  execFileSync("chmod", ["555", path("d")]);
  await run("cd $WORK; echo new > file; chmod 700 d; rm -r d");
  const holds = (words: string): boolean => spawnSync("grep", ["-r", "-q", words, state]).status === 0;
  assert.ok(holds("abracadabra file") && holds("abracadabra d/note"));
  assert.equal(await forgetDisplaced(state, path("file")), 1);
  assert.equal(await forgetDisplaced(state, path("d/note")), 1);
  assert.equal(await forgetDisplaced(state, path("unknown")), 0);
  assert.ok(!holds("abracadabra file") && !holds("abracadabra d/note") && holds("abracadabra d/other"));
  const { conflicts } = await undo(set(), "undo");
  assert.match(conflicts.join("\n"), /file: what was there before is no longer kept, so it stays as it is/);
  assert.equal(readFileSync(path("file"), "utf8"), "new\n");
  assert.equal(readFileSync(path("d/other"), "utf8"), "abracadabra d/other");
  assert.ok(!existsSync(path("d/note")));
});

test("what a command displaced and holds a forgotten text is gone, wherever it stands, and the rest stays", async (context) => {
  const { workspace, state, run, set, undo } = workshop(await makeScratchFolder(context));
  const path = (name: string): string => join(workspace, name);
  mkdirSync(path("d"));
  const words = "the safe opens with abracadabra";
  writeFileSync(path("plain"), `first\n${words}\nlast\n`);
  writeFileSync(path("d/large"), `${"x".repeat(1_048_576 - 10)}${words}${"y".repeat(3_000_000)}`);
  writeFileSync(path("d/other"), "the safe opens with something else");
  await run("cd $WORK; echo new > plain; rm -r d");
  const holds = (text: string): boolean => spawnSync("grep", ["-r", "-q", text, state]).status === 0;
  assert.ok(holds(words));
  assert.equal(await forgetDisplacedTexts(state, []), 0);
  assert.equal(await forgetDisplacedTexts(state, ["a text that no file holds"]), 0);
  assert.equal(await forgetDisplacedTexts(state, [words, "a text that no file holds"]), 2);
  assert.ok(!holds(words) && holds("something else"));
  await undo(set(), "undo");
  assert.ok(existsSync(path("d/other")) && !existsSync(path("d/large")));
});

test("a set that version 1 wrote, whose list does not say where things came from, is undone", async (context) => {
  const { workspace, run, set, undo } = workshop(await makeScratchFolder(context));
  const path = join(workspace, "file");
  writeFileSync(path, "before");
  await run("cd $WORK; echo after > file; echo x > made");
  const list = join(set(), "changes.json");
  const text = readFileSync(list, "utf8").replace('"version":2', '"version":1');
  writeFileSync(list, text.replaceAll(/,?"incoming":"[^"]*"/g, ""));
  assert.deepEqual((await undo(set(), "undo")).conflicts, []);
  assert.equal(readFileSync(path, "utf8"), "before");
  assert.ok(!existsSync(join(workspace, "made")));
});

test("where nothing was displaced there is nothing to forget, and where what was displaced cannot be read that is an error", async (context) => {
  const root = await makeScratchFolder(context);
  const sets = join(root, "commands");
  const noted = { isUndoMade: async () => false, dropCommand: async () => {} };
  assert.equal(await forgetDisplaced(sets, join(root, "note")), 0);
  assert.deepEqual(await recoverSets(sets, noted), []);
  writeFileSync(sets, "");
  await assert.rejects(forgetDisplaced(sets, join(root, "note")), /ENOTDIR/);
  await assert.rejects(recoverSets(sets, noted), /ENOTDIR/);
});
