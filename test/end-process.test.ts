import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";

const runner = join(dirname(dirname(fileURLToPath(import.meta.url))), "scripts", "test.ts");

/**
 * Runs a test file of this text as `npm test` does, with short limits: milliseconds after the last test, and
 * without a sign of life.
 */
async function runFile(
  t: TestContext,
  body: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly said: string }> {
  const folder = mkdtempSync(join(tmpdir(), "passepartout-ending-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "one.test.mts");
  const imports = ['import { after, test } from "node:test";', 'import { spawn } from "node:child_process";'];
  writeFileSync(file, `${imports.join("\n")}\n${body}\n`);
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
  const env = { ...inherited, PASSEPARTOUT_TEST_PATIENCE: "300", ...environment };
  const child = spawn(process.execPath, [runner, file], { env, stdio: ["ignore", "pipe", "pipe"] });
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once("close", resolve)),
  ]);
  return { code, said: out + err };
}

/** Longer than the test's own limit: only who ends it can make the run end. */
const child = 'spawn(process.execPath, ["-e", "setTimeout(() => {}, 900000)"]';

for (const [what, body, named] of [
  [
    "a failed test leaves a child",
    `test("failing", () => { ${child}); throw new Error("no"); });`,
    "failing",
  ],
  ["a passed test leaves a child", `test("passing", () => { ${child}); });`, "passing"],
] as const) {
  test(`a file of which ${what} ends, fails, and names its test and the child`, async (t) => {
    const { code, said } = await runFile(t, body);
    assert.equal(code, 1, said);
    assert.match(
      said,
      new RegExp(`did not end 0\\.3 s after its last test; it holds [^\\n]*ProcessWrap[^\\n]*${named}`),
    );
    assert.match(said, /Ended now:\n {2}\d+ .*900000/);
  });
}

test("a file that leaves a detached process with its output ends that process, and fails", async (t) => {
  const options = '{ detached: true, stdio: ["ignore", "inherit", "inherit"] }';
  const { code, said } = await runFile(t, `test("passing", () => { ${child}, ${options}).unref(); });`);
  assert.equal(code, 1, said);
  assert.match(
    said,
    /left processes that hold its output\. Its latest test: passing\.\nEnded now:\n {2}\d+ .*900000/,
  );
});

test("a test that never gives control back is ended, and named", async (t) => {
  const { code, said } = await runFile(t, 'test("endless", () => { for (;;); });', {
    PASSEPARTOUT_TEST_LONGEST: "5000",
  });
  assert.equal(code, 1, said);
  assert.match(said, /one\.test\.mts gave no sign of life for 5 s\. Its latest test: endless\./);
});

test("a file that cleans up for longer than it may take to end passes", async (t) => {
  const busy =
    "{ const from = performance.now(); while (performance.now() - from < 2000); await new Promise(setImmediate); }";
  const { code, said } = await runFile(t, `test("passing", () => {}); after(async () => ${busy});`);
  assert.equal(code, 0, said);
});

test("a file that leaves nothing passes; settings of who runs the tests do not reach it", async (t) => {
  const body = `test("passing", () => {
    const { GIT_CONFIG_GLOBAL, GIT_CONFIG_NOSYSTEM, GIT_DIR, EDITOR, https_proxy } = process.env;
    const seen = [GIT_CONFIG_GLOBAL, GIT_CONFIG_NOSYSTEM, GIT_DIR, EDITOR, https_proxy].join(" ");
    if (seen !== "/proc/no-git-settings 1   ") throw new Error(seen);
  });`;
  const settings = {
    GIT_CONFIG_GLOBAL: "/etc/passwd",
    GIT_DIR: "/",
    EDITOR: "ed",
    https_proxy: "http://127.0.0.1:9",
  };
  const { code, said } = await runFile(t, body, settings);
  assert.equal(code, 0, said);
});
