import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeListFilesTool } from "./files/list-files.ts";
import { makeSearchFilesTool } from "./files/search-files.ts";
import {
  callerAt,
  callTool,
  codeOf,
  contentOf,
  openWorkbench,
  prepareCall,
  type Workbench,
} from "./workbench.fixture.ts";

async function list(bench: Workbench, path = ".") {
  const args = { path, depth: 9 };
  return contentOf(await callTool(makeListFilesTool(bench.ports), args, callerAt(bench.workspace)));
}

async function search(bench: Workbench, pattern: string, path?: string) {
  const args = path === undefined ? { pattern } : { pattern, path };
  return contentOf(await callTool(makeSearchFilesTool(bench.ports), args, callerAt(bench.workspace)));
}

test("a listing names folders, files and links, nearest first", async () => {
  await using bench = await openWorkbench();
  await bench.write("b/deep/c.txt", "");
  await bench.write("a ü.txt", "");
  await symlink("/etc", join(bench.workspace, "z"));
  assert.deepEqual((await list(bench))["entries"], ["a ü.txt", "b/", "z@", "b/deep/", "b/deep/c.txt"]);
});

test("secret paths and the agent's own folders are neither entered nor named, and counted", async () => {
  await using bench = await openWorkbench();
  await bench.write("sub/.ssh/id_rsa", "needle");
  await bench.write(".env", "needle");
  await bench.write("ok.txt", "needle");
  await writeFile(join(bench.root, "state/db"), "needle");
  const listed = await list(bench);
  assert.deepEqual(listed["entries"], ["ok.txt", "sub/"]);
  assert.deepEqual(listed["leftOut"], ["2 × closed paths (secrets or the agent's own)"]);
  const found = JSON.stringify((await search(bench, "needle", bench.root))["matches"]);
  assert.match(found, /ok\.txt/);
  assert.doesNotMatch(found, /\.ssh|\.env|state/);
});

test("links are not followed out of the tree", async () => {
  await using bench = await openWorkbench();
  await writeFile(join(bench.home, "a.txt"), "needle");
  await symlink(bench.home, join(bench.workspace, "folder"));
  await symlink(join(bench.home, "a.txt"), join(bench.workspace, "file"));
  await symlink("..", join(bench.workspace, "up"));
  assert.deepEqual((await search(bench, "needle"))["matches"], []);
});

test("the root of a tree that is swapped for a link after the judgement is not searched", async () => {
  await using bench = await openWorkbench();
  await bench.write("sub/a.txt", "");
  await writeFile(join(bench.home, "b.txt"), "needle");
  const prepared = await prepareCall(
    makeSearchFilesTool(bench.ports),
    { pattern: "needle", path: "sub" },
    callerAt(bench.workspace),
  );
  await rename(join(bench.workspace, "sub"), join(bench.workspace, "old"));
  await symlink(bench.home, join(bench.workspace, "sub"));
  const outcome = await prepared.run(new AbortController().signal);
  assert.equal(codeOf(outcome), "special-file");
});

test("a folder above the root that is swapped for a link is not searched either, and the result says so", async () => {
  await using bench = await openWorkbench();
  await bench.write("sub/deep/a.txt", "");
  await mkdir(join(bench.home, "deep"));
  await writeFile(join(bench.home, "deep/b.txt"), "needle");
  const prepared = await prepareCall(
    makeSearchFilesTool(bench.ports),
    { pattern: "needle", path: "sub/deep" },
    callerAt(bench.workspace),
  );
  await rename(join(bench.workspace, "sub"), join(bench.workspace, "old"));
  await symlink(bench.home, join(bench.workspace, "sub"));
  const content = contentOf(await prepared.run(new AbortController().signal));
  assert.deepEqual(content["matches"], []);
  assert.match(JSON.stringify(content["leftOut"]), /changed-since-judged/);
});

test("a search gives path, line and text; capitals in the pattern make case count", async () => {
  await using bench = await openWorkbench();
  const path = "a.txt";
  await bench.write(path, "Alpha\r\nalpha.beta\n");
  assert.deepEqual((await search(bench, "alpha"))["matches"], [
    { path, line: 1, text: "Alpha" },
    { path, line: 2, text: "alpha.beta" },
  ]);
  assert.deepEqual((await search(bench, "Alpha"))["matches"], [{ path, line: 1, text: "Alpha" }]);
});

test("binary files, large files, pipes and repositories are left out, and the result says so", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.bin", Uint8Array.of(0, 110));
  await bench.write("big.txt", Buffer.alloc(5 * 1024 * 1024 + 1, "needle "));
  await bench.write("node_modules/x.txt", "needle");
  await bench.write(".git/config", "needle");
  execFileSync("mkfifo", [join(bench.workspace, "pipe")]);
  const { matches, leftOut } = await search(bench, "needle");
  assert.deepEqual(matches, []);
  assert.deepEqual(leftOut, [
    "1 × binary files",
    "1 × contents of .git",
    "1 × contents of node_modules",
    "1 × files that could not be searched (too-large)",
  ]);
});

test("one file can be searched, and only so many matches are given", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", "x\n".repeat(300));
  await bench.write("b.txt", "x\n");
  const { matches, leftOut } = await search(bench, "x", "a.txt");
  assert.equal(Array.isArray(matches) ? matches.length : 0, 200);
  assert.match(JSON.stringify(leftOut), /100 × matches beyond/);
});

test("a tree with more entries than the limit is listed up to the limit, and the result says so", async () => {
  await using bench = await openWorkbench();
  await mkdir(join(bench.workspace, "many"));
  await Promise.all(Array.from({ length: 400 }, (_, index) => bench.write(`many/${index}`, "")));
  const { entries, leftOut } = await list(bench, "many");
  assert.equal(Array.isArray(entries) ? entries.length : 0, 300);
  assert.match(JSON.stringify(leftOut), /100 × names beyond/);
});

test("a file is not listed and a missing folder not searched: the outcome says what to do", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", "");
  assert.equal(
    codeOf(await callTool(makeListFilesTool(bench.ports), { path: "a.txt" }, callerAt(bench.workspace))),
    "not-a-folder",
  );
  assert.equal(
    codeOf(
      await callTool(
        makeSearchFilesTool(bench.ports),
        { pattern: "x", path: "no" },
        callerAt(bench.workspace),
      ),
    ),
    "not-found",
  );
});

test("a listing reads names and a search reads contents, both of the whole tree", async () => {
  await using bench = await openWorkbench();
  const listing = await prepareCall(makeListFilesTool(bench.ports), { path: "." }, callerAt(bench.workspace));
  const searching = await prepareCall(
    makeSearchFilesTool(bench.ports),
    { pattern: "x" },
    callerAt(bench.workspace),
  );
  const access = [listing, searching].flatMap(({ effects }) =>
    effects.map((e) => (e.kind === "read-path" ? [e.target, e.access, e.tree] : [])),
  );
  assert.deepEqual(access, [
    [bench.workspace, "names", true],
    [bench.workspace, "contents", true],
  ]);
});
