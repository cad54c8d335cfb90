import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { test } from "node:test";
import { leastTime } from "../../../test/processor-time.ts";
import { makeScratchFolder, shellIn } from "../tools/shell/shell.fixture.ts";
import { findNamedWords, makeSegmentTest } from "./named-words.ts";

test("a pattern fits at least the names that a shell takes for it", () => {
  for (const [pattern, name] of [
    ["*.sh", "x.sh"],
    ["?.s?", "x.sh"],
    ["[a-z].sh", "x.sh"],
    ["[]x].sh", "x.sh"],
    ["[!a]b*", "xbcd"],
    ["a*b*c", "a-b-b-c"],
    ["*", ""],
    ["[a", "[a"],
    ["a**", "a"],
  ] as const) {
    assert.ok(makeSegmentTest(pattern)(name), `${pattern} ${name}`);
  }
  for (const [pattern, name] of [
    ["*.sh", "x.py"],
    ["?", "xy"],
    ["a*b", "acd"],
    ["[a-z]", "xy"],
  ] as const) {
    assert.equal(makeSegmentTest(pattern)(name), false, `${pattern} ${name}`);
  }
});

const hostile: readonly (readonly [name: string, text: string])[] = [
  ["open braces of variables", "${".repeat(120_000)],
  ["one long word with backslashes", "a\\".repeat(120_000)],
  ["escaped blanks", "\\ ".repeat(120_000)],
  ["open quotes", "'\"".repeat(120_000)],
  ["open brackets", "[".repeat(250_000)],
  ["home folders", "~/ ".repeat(80_000)],
  ["substitutions", "$(`".repeat(80_000)],
  ["changes of folder", "cd = ".repeat(50_000)],
  ["stars", "*a".repeat(120_000)],
];

for (const [name, text] of hostile) {
  test(`a quarter of a megabyte of ${name} is split at once`, async () => {
    const time = await leastTime(() => findNamedWords(text, { home: "/home/u", cwd: "/w" }), 1000);
    assert.ok(time < 1000, `${time} ms`);
  });
}

test("a hostile script and a hostile pattern cost little to prepare", async (context) => {
  const folder = await makeScratchFolder(context);
  await mkdir(join(folder, "many"));
  for (let index = 0; index < 300; index += 1) {
    await writeFile(join(folder, "many", `${"a".repeat(200)}${index}.txt`), "x");
  }
  for (const [index, [, text]] of hostile.entries())
    await writeFile(join(folder, `s${index}.sh`), text.slice(0, 64_000));
  const shell = shellIn(folder);
  const pattern = `${"*a".repeat(80)}b`;
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  for (const cmd of ["sh *.sh", `sh many/${pattern}`, `find many -name '${pattern}' -exec sh {} +`]) {
    const time = await leastTime(async () => assert.ok((await shell.prepare(cmd)).ok), 2000);
    context.diagnostic(`${time.toFixed(0)} ms of processor for ${cmd.slice(0, 20)}`);
    assert.ok(time < 2000, cmd);
  }
  delay.disable();
  context.diagnostic(`the loop was held for at most ${(delay.max / 1e6).toFixed(0)} ms`);
});
