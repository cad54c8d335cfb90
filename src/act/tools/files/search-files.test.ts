import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../../text/json.ts";
import {
  callerAt,
  callTool,
  contentOf,
  openWorkbench,
  prepareCall,
  type Workbench,
} from "../workbench.fixture.ts";
import { makeListFilesTool } from "./list-files.ts";
import { makeSearchFilesTool } from "./search-files.ts";

async function search(bench: Workbench, args: JsonObject) {
  const content = contentOf(
    await callTool(makeSearchFilesTool(bench.ports), args, callerAt(bench.workspace)),
  );
  const matches = Array.isArray(content["matches"]) ? content["matches"] : [];
  return { ...content, matches, told: JSON.stringify(content["leftOut"]) };
}

async function list(bench: Workbench, args: JsonObject) {
  const content = contentOf(await callTool(makeListFilesTool(bench.ports), args, callerAt(bench.workspace)));
  return { entries: content["entries"], told: JSON.stringify(content["leftOut"]) };
}

async function refusalOf(bench: Workbench, args: JsonObject): Promise<string> {
  const caller = callerAt(bench.workspace);
  const prepared = await makeSearchFilesTool(bench.ports).prepare(args, caller, () => caller.promptLabel);
  return prepared.ok ? "" : `${prepared.code}: ${prepared.message}`;
}

/** A folder as of a small project. */
async function project(bench: Workbench): Promise<void> {
  await bench.write("src/a.ts", "export function open() {}\n  // closes\nexport const x = 1;\n");
  await bench.write("src/deep/b.test.ts", "export function Close() {}\n");
  await bench.write("README.md", "Call open(x).\n");
}

test("a pattern is a regular expression, and results name paths below the workspace", async () => {
  await using bench = await openWorkbench();
  await project(bench);
  assert.deepEqual((await search(bench, { pattern: "function\\s+\\w+\\(" })).matches, [
    { path: "src/a.ts", line: 1, text: "export function open() {}" },
    { path: "src/deep/b.test.ts", line: 1, text: "export function Close() {}" },
  ]);
  assert.equal((await search(bench, { pattern: "^export (const|let)" })).matches.length, 1);
  assert.equal((await search(bench, { pattern: "\\bclose", path: "src" })).matches.length, 2);
  assert.equal((await search(bench, { pattern: "\\S+ Close" })).matches.length, 1);
  assert.equal((await search(bench, { pattern: "(?i)\\S+ CLOSE" })).matches.length, 2);
});

test("a text that is no regular expression is searched for as it is, with a note; `literal` asks for that", async () => {
  await using bench = await openWorkbench();
  await project(bench);
  const found = await search(bench, { pattern: "open(" });
  assert.deepEqual(
    found.matches.map((match) => JSON.stringify(match)),
    [
      '{"path":"README.md","line":1,"text":"Call open(x)."}',
      '{"path":"src/a.ts","line":1,"text":"export function open() {}"}',
    ],
  );
  assert.match(String(contentNote(found)), /not a regular expression \(missing closing \)/);
  assert.equal((await search(bench, { pattern: "open(x).", literal: true })).matches.length, 1);
});

const contentNote = (content: object): unknown => Reflect.get(content, "note");

test("an expression that needs backtracking is refused and says why", async () => {
  await using bench = await openWorkbench();
  for (const pattern of ["(?=a)b", "(?<!x)y", "(a)\\1"])
    assert.match(await refusalOf(bench, { pattern }), /^invalid-pattern: .*lookaround or a backreference/);
  assert.match(await refusalOf(bench, { pattern: "x{900}".repeat(20) }), /^too-complex/);
  assert.match(await refusalOf(bench, { pattern: "a|".repeat(2000) }), /^too-complex/);
});

test("no expression and no line makes a search slow, and others have their turn", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", `${"a".repeat(200_000)}!\n`);
  await bench.write("b.txt", `${"ab".repeat(2000)}\n`.repeat(50));
  const patterns = ["(a+)+$", "(a|aa)+b", "(.*)*(.*)*x", "([ab]*)*c", "[ab]*a[ab]{600}[cd]", "(x+x+)+y"];
  let longestWait = 0;
  // What this thread computes between two beats, however busy the machine is.
  let last = process.threadCpuUsage();
  const beat = setInterval(() => {
    longestWait = Math.max(longestWait, process.threadCpuUsage(last).user / 1000);
    last = process.threadCpuUsage();
  }, 20);
  for (const pattern of patterns) {
    const started = process.cpuUsage();
    await search(bench, { pattern });
    assert.ok(process.cpuUsage(started).user < 15_000_000, pattern);
  }
  clearInterval(beat);
  assert.ok(longestWait < 3000, `${longestWait} ms`);
});

test("a line longer than 16,384 characters is searched up to there, and a literal text in all of it", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", `${"-".repeat(20_000)}needle\n`);
  assert.equal((await search(bench, { pattern: "needle" })).matches.length, 1);
  const found = await search(bench, { pattern: "n[e]edle" });
  assert.equal(found.matches.length, 0);
  assert.match(found.told, /1 × files with lines searched only up to 16,384 characters/);
});

test("a glob chooses the files, by name or by path, with alternatives and exclusions", async () => {
  await using bench = await openWorkbench();
  await project(bench);
  const files = async (glob: string) =>
    (await search(bench, { pattern: "x|open|close", glob })).matches.map((match) =>
      String(Reflect.get(Object(match), "path")),
    );
  assert.deepEqual([...new Set(await files("*.ts"))], ["src/a.ts", "src/deep/b.test.ts"]);
  assert.deepEqual([...new Set(await files("src/*.ts"))], ["src/a.ts"]);
  assert.deepEqual([...new Set(await files("src/**/*.test.{ts,js}"))], ["src/deep/b.test.ts"]);
  assert.deepEqual([...new Set(await files("!*.ts"))], ["README.md"]);
  assert.deepEqual([...new Set(await files("**/[a-b].*"))], ["src/a.ts", "src/deep/b.test.ts"]);
  assert.deepEqual([...new Set(await files("./src/"))], ["src/a.ts", "src/deep/b.test.ts"]);
});

test("no glob is slow", async () => {
  await using bench = await openWorkbench();
  await bench.write(`${"a".repeat(120)}c`, "");
  const started = process.cpuUsage();
  for (const glob of [
    `${"*a".repeat(60)}b`,
    `${"**/".repeat(100)}x`,
    `${"{a,".repeat(90)}b${"}".repeat(90)}`,
    "[[[[",
    "{{{",
  ])
    await list(bench, { glob });
  assert.ok(process.cpuUsage(started).user < 3_000_000);
});

test("context shows the lines around, and near matches as one block", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", "1\n2 x\n3\n4 x\n5\n6\n7\n8\n9 x\n");
  assert.deepEqual((await search(bench, { pattern: "x", context: 1 })).matches, [
    { path: "a.txt", line: 2, text: "1-1\n2:2 x\n3-3\n4:4 x\n5-5" },
    { path: "a.txt", line: 9, text: "8-8\n9:9 x" },
  ]);
});

test("a limit is kept and told", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", "x\n".repeat(30));
  const found = await search(bench, { pattern: "x", limit: 5 });
  assert.equal(found.matches.length, 5);
  assert.match(found.told, /25 × matches beyond the first 5/);
  await bench.write("b.txt", `${"y".repeat(230)}\n`.repeat(400));
  const wide = await search(bench, { pattern: "y", context: 20, limit: 1000 });
  assert.ok(JSON.stringify(wide.matches).length < 70_000);
  const long = await search(bench, { pattern: "y", limit: 1000 });
  assert.ok(JSON.stringify(long.matches).length < 90_000);
  assert.match(long.told, /matches beyond 60,000 characters/);
});

test(".gitignore is honoured by searches and listings, in every folder, and `ignored` looks there too", async () => {
  await using bench = await openWorkbench();
  await bench.write(".gitignore", "# made\n*.log\n/dist/\n!keep.log\nsub/*.tmp\n\\#odd\nlogs/**/x.txt\n");
  await bench.write("sub/.gitignore", "own.txt\n!deep.log\n");
  for (const name of [
    "a.txt",
    "b.log",
    "keep.log",
    "dist/out.txt",
    "sub/dist/out.txt",
    "sub/a.tmp",
    "sub/own.txt",
    "sub/deep.log",
    "own.txt",
    "#odd",
    "logs/1/2/x.txt",
    "node_modules/p/i.txt",
  ])
    await bench.write(name, "needle\n");
  const paths = async (args: JsonObject) =>
    (await search(bench, { pattern: "needle", ...args })).matches
      .map((match) => Reflect.get(Object(match), "path"))
      .toSorted();
  assert.deepEqual(await paths({}), ["a.txt", "keep.log", "own.txt", "sub/deep.log", "sub/dist/out.txt"]);
  assert.deepEqual(await paths({ path: "sub" }), ["sub/deep.log", "sub/dist/out.txt"]);
  assert.deepEqual(await paths({ path: "dist" }), ["dist/out.txt"]);
  assert.equal((await paths({ ignored: true })).length, 12);
  const listed = await list(bench, { depth: 1 });
  assert.deepEqual(listed.entries, [
    ".gitignore",
    "a.txt",
    "keep.log",
    "logs/",
    "node_modules/",
    "own.txt",
    "sub/",
  ]);
  assert.match(listed.told, /3 × paths that \.gitignore leaves out/);
});

test("a hostile .gitignore is not slow, and one that is a link is not read", async () => {
  await using bench = await openWorkbench();
  await bench.write(".gitignore", `${"*a".repeat(40)}b\n[z-a]\n${"x*".repeat(300)}\n`.repeat(300));
  for (let index = 0; index < 50; index += 1) await bench.write(`${"a".repeat(100)}${index}`, "");
  const started = process.cpuUsage();
  await list(bench, {});
  assert.ok(process.cpuUsage(started).user < 5_000_000);
  await mkdir(join(bench.workspace, "sub"));
  await bench.write("sub/b.txt", "");
  await writeFile(join(bench.home, "rules"), "*.txt\n");
  await symlink(join(bench.home, "rules"), join(bench.workspace, "sub/.gitignore"));
  assert.deepEqual((await list(bench, { path: "sub" })).entries, ["sub/.gitignore@", "sub/b.txt"]);
});

test("a listing has two levels unless a depth or a glob says otherwise, and tells what lies deeper", async () => {
  await using bench = await openWorkbench();
  await bench.write("a/b/c/d.txt", "");
  const usual = await list(bench, {});
  assert.deepEqual(usual.entries, ["a/", "a/b/"]);
  assert.match(usual.told, /1 × folders below 2 levels \(a larger `depth` lists them\)/);
  assert.deepEqual((await list(bench, { depth: 1 })).entries, ["a/"]);
  assert.deepEqual((await list(bench, { depth: 9 })).entries, ["a/", "a/b/", "a/b/c/", "a/b/c/d.txt"]);
  assert.deepEqual((await list(bench, { glob: "*.txt" })).entries, ["a/b/c/d.txt"]);
  assert.deepEqual((await list(bench, { path: "a/b" })).entries, ["a/b/c/", "a/b/c/d.txt"]);
});

test("every parameter that changes what is done changes the plan", async () => {
  await using bench = await openWorkbench();
  const plans = new Set<string>();
  const variants: readonly JsonObject[] = [
    {},
    { glob: "*.ts" },
    { context: 2 },
    { limit: 3 },
    { literal: true },
    { ignored: true },
  ];
  for (const more of variants) {
    const args = { pattern: "a.b", ...more };
    const prepared = await prepareCall(makeSearchFilesTool(bench.ports), args, callerAt(bench.workspace));
    plans.add(JSON.stringify(prepared.plan));
  }
  assert.equal(plans.size, variants.length);
});
