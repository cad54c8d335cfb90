import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openPromptHistory } from "./prompt-history.ts";

function placeFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "history-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, "state", "prompt-history");
}

const never = (problem: string): void => assert.fail(problem);

test("what was said comes back, whatever is in it, and only the owner can read it", (t) => {
  const path = join(placeFor(t), "..", "..", "prompt-history");
  const history = openPromptHistory(path, never);
  for (const text of ["one", 'two\nlines "quoted"', 'two\nlines "quoted"', "\u001b[2J", "x".repeat(30_000)])
    history.add(text);
  assert.deepEqual(openPromptHistory(path, never).entries(), ["one", 'two\nlines "quoted"', "\u001b[2J"]);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test("before the agent made the folder nothing is written, and a cut or foreign file breaks nothing", (t) => {
  const path = placeFor(t);
  openPromptHistory(path, never).add("early");
  const real = join(path, "..", "..", "prompt-history");
  writeFileSync(real, '{"passepartout":"prompt history","version":1}\n"whole"\n"cut of');
  assert.deepEqual(openPromptHistory(real, never).entries(), ["whole"]);
  const other = '{"passepartout":"prompt history","version":2}\n{"text":"x"}\n';
  writeFileSync(real, other);
  const foreign = openPromptHistory(real, never);
  foreign.add("new");
  assert.deepEqual([foreign.entries(), readFileSync(real, "utf8")], [["new"], other]);
});

for (const [what, make] of [
  ["a folder", (path: string) => mkdirSync(path)],
  ["a link to itself", (path: string) => symlinkSync(path, path)],
] as const)
  test(`${what} in the place of the history is told once, in words, and what is said is kept until the end`, (t) => {
    const path = join(placeFor(t), "..", "..", "prompt-history");
    make(path);
    const told: string[] = [];
    const history = openPromptHistory(path, (problem) => void told.push(problem));
    history.add("one");
    history.add("two");
    assert.deepEqual(history.entries(), ["one", "two"]);
    assert.equal(told.length, 1);
    assert.match(told.join(""), /^What you say here is not kept.*prompt-history cannot be .* move it aside/);
  });
