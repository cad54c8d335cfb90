import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { commandTable } from "./command-table.ts";
import { manPage } from "./man-page.ts";

const page = manPage({ version: "1.2.3", day: "2024-01-15" });

test("the page has each command with its options, and no line that roff would take for its own", () => {
  for (const { name, options, parts = [] } of commandTable.flatMap((one) => [one, ...(one.parts ?? [])])) {
    const title = name.replaceAll("-", "\\-");
    if (parts.length === 0) assert.ok(page.includes(`\n.SS ${title}\n`), name);
    for (const option of Object.keys(options))
      assert.ok(page.includes(`\\-\\-${option.replaceAll("-", "\\-")}`), `${name} --${option}`);
  }
  const macros = page.split("\n").filter((line) => line.startsWith(".") || line.startsWith("'"));
  const known = /^\.(TH|SH|SS|TP|PP|B|BR|nf|fi)( |$)/;
  assert.deepEqual(
    macros.filter((line) => !known.test(line)),
    [],
  );
});

const programs = [
  { path: "/usr/bin/mandoc", args: ["-T", "lint", "-W", "warning"] },
  { path: "/usr/bin/groff", args: ["-z", "-man", "-ww", "-K", "utf8"] },
];

for (const { path, args } of programs)
  test(`${path} reads the page without a warning`, {
    skip: existsSync(path) ? false : `install ${path}`,
  }, () => {
    const { stdout, stderr, status } = spawnSync(path, args, { input: page, encoding: "utf8" });
    assert.deepEqual([stdout, stderr, status], ["", "", 0]);
  });
