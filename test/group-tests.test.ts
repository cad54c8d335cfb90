import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { canShareProcess, dealOut } from "../scripts/group-tests.ts";

const scripts = join(dirname(dirname(fileURLToPath(import.meta.url))), "scripts");
const guard = join(scripts, "guard-process.ts");

/** Whether a test file of this text, with helpers of these texts, can share a process. */
function shares(text: string, helpers: Readonly<Record<string, string>> = {}): boolean {
  return canShareProcess("test/one.test.ts", (file) =>
    file === "test/one.test.ts" ? text : (helpers[file] ?? ""),
  );
}

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
    assert.equal(shares(plain), true);
    assert.equal(shares(`${plain}\n${line}`), false);
    const helped = `import { help } from "./help.ts";\n${plain}`;
    const helpers = { "test/help.ts": 'import { more } from "../src/wire/more.fixture.ts";' };
    assert.equal(shares(helped, helpers), true);
    assert.equal(shares(helped, { ...helpers, "src/wire/more.fixture.ts": line }), false);
  });
}

test("a helper may be a program too: what it does where it was started itself counts for nothing", () => {
  const helper = "export const one = 1;\nif (import.meta.main) process.exitCode = one;";
  assert.equal(shares(`import { one } from "./help.ts";\n${plain}`, { "test/help.ts": helper }), true);
});

test("a test file that reads the environment or removes what it made shares a process", () => {
  const text =
    'import { after, test } from "node:test";\nconst path = process.env["PATH"];\nafter(() => rmSync(folder));';
  assert.equal(shares(text), true);
});

/** Runs test files of these texts in one process, as a group. */
function runGroup(
  t: TestContext,
  ...texts: readonly string[]
): { readonly code: number | null; readonly said: string } {
  const folder = mkdtempSync(join(tmpdir(), "passepartout-group-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const files = texts.map((_, index) => join(folder, `${index}.test.mts`));
  for (const [index, file] of files.entries()) writeFileSync(file, texts[index] ?? "");
  const group = join(folder, "group.test.mts");
  writeFileSync(group, [guard, ...files].map((file) => `import ${JSON.stringify(file)};\n`).join(""));
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const before = `--import=${join(scripts, "untracked-promises.ts")}`;
  const { status, stdout } = spawnSync(process.execPath, [before, group], { env, encoding: "utf8" });
  return { code: status, said: stdout };
}

const innocent = 'import { test } from "node:test";\ntest("innocent", (t) => t.after(() => undefined));\n';

for (const [what, act, named] of [
  ["the environment", 'process["env"].LEFT = "1";', "process.env.LEFT"],
  ["a variable that was there", 'Reflect.set(process["env"], "HOME", "/");', "process.env.HOME"],
  ["the folder", 'process["chdir"]("/");', "its working folder"],
  ["the file mask", 'process["umask"](0);', "its file mask"],
  ["the exit code", 'Reflect.set(process, "exitCode", 3);', "its exit code"],
  ["what listens to the process", 'process["on"]("SIGUSR2", () => {});', "its listeners to SIGUSR2"],
  ["a global", 'Reflect.set(global, "fetch", null);', "the global fetch"],
] as const) {
  test(`a test that changes ${what} behind the back of the patterns fails by its name where its file shares a process`, (t) => {
    const polluting = `import { test } from "node:test";\ntest("polluting", () => { ${act} });\n`;
    const { code, said } = runGroup(t, innocent, polluting);
    assert.notEqual(code, 0);
    assert.match(said, /✔ innocent/);
    assert.match(said, /✖ polluting/);
    assert.ok(said.includes(`This test changed ${named} of a process`), said);
  });
}

for (const [what, act] of [
  ["an exception", 'setTimeout(() => { throw new Error("nobody caught this"); }, 1);'],
  ["a rejection", 'void Promise.reject(new Error("nobody caught this"));'],
] as const) {
  test(`a test during which ${what} comes that nobody catches fails by its name`, (t) => {
    const wait = "await new Promise((resolve) => setTimeout(resolve, 100));";
    const failing = `import { test } from "node:test";\ntest("failing", async () => { ${wait} ${act} ${wait} });\n`;
    const { code, said } = runGroup(t, innocent, failing);
    assert.notEqual(code, 0);
    assert.match(said, /✔ innocent/);
    assert.match(said, /✖ failing[\s\S]*Error: nobody caught this\n +at /);
  });
}

test("tests that leave their process as they found it pass in a group", (t) => {
  const { code, said } = runGroup(t, innocent, innocent);
  assert.equal(code, 0, said);
});

test("each file is dealt to one group, and neighbours to different ones", () => {
  const groups = dealOut(["a", "b", "c", "d", "e"], 2);
  assert.deepEqual(groups, [
    ["a", "c", "e"],
    ["b", "d"],
  ]);
});
