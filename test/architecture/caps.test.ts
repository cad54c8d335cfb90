import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What the linter, with the repository's configuration, says of one file of so many lines. */
function lint(t: TestContext, path: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "caps-"));
  t.after(() => rmSync(folder, { recursive: true }));
  copyFileSync(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  const { stdout } = spawnSync(join(root, "node_modules/.bin/oxlint"), ["--format=unix", path], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` },
  });
  return stdout;
}

/** A file of so many lines. */
function fileOf(lines: number): string {
  return Array.from({ length: lines }, (_, line) => `export const made${line} = ${line};\n`).join("");
}

/** A file with one function of so many lines. */
function functionOf(lines: number): string {
  const body = Array.from({ length: lines - 2 }, (_, line) => `  given(${line});\n`).join("");
  return `export function long(given: (line: number) => void): void {\n${body}}\n`;
}

for (const path of ["src/gate/long.ts", "packages/org/src/text/long.ts", "src/gate/long.test.ts"]) {
  test(`a file of 301 lines and a function of 61 lines are errors in ${path}`, (t) => {
    assert.match(lint(t, path, fileOf(301)), /too many lines \(301\).*\[Error\/eslint\(max-lines\)\]/);
    assert.match(
      lint(t, path, functionOf(61)),
      /too many lines \(61\).*\[Error\/eslint\(max-lines-per-function\)\]/,
    );
  });

  test(`a file of 300 lines and a function of 60 lines are fine in ${path}`, (t) => {
    assert.equal(lint(t, path, fileOf(300)), "");
    assert.equal(lint(t, path, functionOf(60)), "");
  });
}
