import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { makeProjectPort } from "./read-project.ts";

const nothing = { isRepository: false, test: null, format: null };

test("the test command and the formatter of a project are recognised by its files, and none of its words come out", async (t) => {
  const cases: readonly (readonly [Readonly<Record<string, string>>, Partial<typeof nothing> | object])[] = [
    [{}, {}],
    [{ "package.json": '{"scripts":{"test":"node --test"}}' }, { test: "npm test" }],
    [
      { "package.json": '{"scripts":{"test":"rm -rf /","format":"x"}}', "pnpm-lock.yaml": "" },
      { test: "pnpm test", format: "pnpm run format" },
    ],
    [{ "package.json": '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' }, {}],
    [
      { "package.json": '{"scripts":{"test":1},"devDependencies":{"prettier":"3"}}' },
      { format: "npx prettier --write ." },
    ],
    [{ "package.json": "{" }, {}],
    [{ Makefile: "all:\n\ttest: x\ntest: all\n\t./t\n" }, { test: "make test" }],
    [
      { "Cargo.toml": "", ".git/HEAD": "ref: refs/heads/main" },
      { test: "cargo test", format: "cargo fmt", isRepository: true },
    ],
    [{ "go.mod": "" }, { test: "go test ./...", format: "gofmt -w ." }],
    [
      { "pyproject.toml": "[tool.pytest.ini_options]\n[tool.ruff]\n" },
      { test: "pytest", format: "ruff format" },
    ],
  ];
  for (const [files, expected] of cases) {
    const folder = mkdtempSync(join(tmpdir(), "project-"));
    t.after(() => rmSync(folder, { recursive: true }));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    assert.deepEqual(
      await makeProjectPort(async () => folder)("one"),
      { ...nothing, ...expected },
      JSON.stringify(files),
    );
  }
});
