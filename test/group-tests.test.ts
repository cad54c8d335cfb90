import assert from "node:assert/strict";
import { test } from "node:test";
import { canShareProcess, dealOut } from "../scripts/group-tests.ts";

const plain = 'import { test } from "node:test";\ntest("one", () => assert.equal(1, 1));';

for (const [what, line] of [
  ["changes the environment", 'process.env["TZ"] = "Asia/Tokyo";'],
  ["changes the folder", "process.chdir(folder);"],
  ["listens to its process", 'process.on("warning", collect);'],
  ["measures memory", "const before = process.memoryUsage().rss;"],
  ["measures by the clock", "const before = performance.now();"],
  ["replaces a global", "globalThis.fetch = refuse;"],
  ["replaces a method or the timers", 'test("one", ({ mock }) => mock.timers.enable());'],
  ["sets hooks for all tests", 'import { beforeEach, test } from "node:test";'],
  ["writes to standard output", 'process.stdout.write("x");'],
] as const) {
  test(`a test file that ${what} has a process of its own`, () => {
    assert.equal(canShareProcess(plain), true);
    assert.equal(canShareProcess(`${plain}\n${line}`), false);
  });
}

test("a test file that reads the environment or removes what it made shares a process", () => {
  const text =
    'import { after, test } from "node:test";\nconst path = process.env["PATH"];\nafter(() => rmSync(folder));';
  assert.equal(canShareProcess(text), true);
});

test("each file is dealt to one group, and neighbours to different ones", () => {
  const groups = dealOut(["a", "b", "c", "d", "e"], 2);
  assert.deepEqual(groups, [
    ["a", "c", "e"],
    ["b", "d"],
  ]);
});
