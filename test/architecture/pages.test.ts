import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { drawArchitecture, replaceDrawing } from "../../scripts/draw-architecture.ts";
import { architecture } from "./table.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const page = (name: string): string => readFileSync(join(root, name), "utf8");
const lineCount = (text: string): number => text.trimEnd().split("\n").length;

test("the picture in ARCHITECTURE.md is what the script draws from the import table", () => {
  const text = page("ARCHITECTURE.md");
  assert.equal(
    replaceDrawing(text, drawArchitecture(architecture)),
    text,
    "run scripts/node scripts/draw-architecture.ts",
  );
});

test("every path that ARCHITECTURE.md and CONTRIBUTING.md name exists", () => {
  const text = page("ARCHITECTURE.md") + page("CONTRIBUTING.md");
  const paths = [...text.matchAll(/(?<=[`(])(?:src|test|scripts|docs|packages)\/[\w./-]+|\.env\.example/g)];
  assert.ok(paths.length > 50, "the pages name paths");
  assert.deepEqual(
    paths.map(([path]) => path).filter((path) => !existsSync(join(root, path))),
    [],
  );
});

test("ARCHITECTURE.md has at most 80 lines, and CONTRIBUTING.md at most 40", () => {
  assert.ok(lineCount(page("ARCHITECTURE.md")) <= 80, "ARCHITECTURE.md");
  assert.ok(lineCount(page("CONTRIBUTING.md")) <= 40, "CONTRIBUTING.md");
});

test("the folders that may import the file of the token are those that ARCHITECTURE.md names", () => {
  const token = "src/turn/suspend-turn.ts";
  const importers = (list: "imports" | "types"): readonly string[] =>
    [...architecture.table]
      .filter(([, row]) => row[list].some((place) => place === token || token.startsWith(`${place}/`)))
      .map(([folder]) => folder);
  const [, code = "", types = ""] =
    /The table lets only `(.+)` import its code; the folders below `(.+)` may import types of `turn`, every other room nothing/.exec(
      page("ARCHITECTURE.md"),
    ) ?? [];
  assert.deepEqual(importers("imports"), [code]);
  assert.notEqual(types, "");
  assert.deepEqual(
    importers("types").filter((folder) => folder !== types && !folder.startsWith(`${types}/`)),
    [],
  );
});

test("every folder of the import table that exists has a README.md of at most 15 lines", () => {
  const folders = [...architecture.table.keys()].filter(
    (folder) => folder.startsWith("src/") && existsSync(join(root, folder)),
  );
  assert.ok(folders.length > 20, "the table names folders");
  assert.deepEqual(
    folders.filter((folder) => {
      const readme = join(root, folder, "README.md");
      return !existsSync(readme) || lineCount(readFileSync(readme, "utf8")) > 15;
    }),
    [],
  );
});

test("every link of the pages to a file leads to a file", () => {
  const pages = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "docs/commands.md",
    "docs/settings.md",
    "docs/gates.md",
    "docs/judge.md",
  ];
  const broken = pages.flatMap((name) =>
    [...page(name).matchAll(/\]\((?!https?:)([^)#]+)/g)]
      .map(([, target = ""]) => join(dirname(name), target))
      .filter((target) => !existsSync(join(root, target)))
      .map((target) => `${name}: ${target}`),
  );
  assert.deepEqual(broken, []);
});

test("each decision record has a number of its own, and its title begins with it", () => {
  const records = readdirSync(join(root, "docs/decisions")).toSorted();
  assert.ok(records.length > 30, "there are records");
  const numbers = records.map((record) => Number(/^(\d{4})-[a-z\d-]+\.md$/.exec(record)?.[1]));
  assert.deepEqual(
    numbers,
    records.map((_, index) => index + 1),
  );
  assert.deepEqual(
    records.filter((record, index) => !page(`docs/decisions/${record}`).startsWith(`# ${numbers[index]}. `)),
    [],
  );
});

test("nothing that a build or a measurement made is kept in the repository", (t) => {
  if (!existsSync(join(root, ".git"))) {
    t.skip("this is no clone");
    return;
  }
  const kept = execFileSync("git", ["ls-files", "-z"], { cwd: root, maxBuffer: 1e8 }).toString().split("\0");
  const made = /^dist|(?:^|\/)(?:\.cache|coverage)\/|\.(?:map|cpuprofile|heapsnapshot|tgz)$/;
  assert.deepEqual(
    kept.filter((path) => made.test(path)),
    [],
  );
});
