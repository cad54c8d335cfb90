import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { digestBytes } from "../files/contents.ts";
import { makeEditFileTool } from "./edit-file.ts";
import { callerAt, callTool, codeOf, contentOf, openWorkbench, prepareCall } from "./workbench.fixture.ts";

test("the one passage is replaced and every other byte stays, whatever the encoding", async () => {
  await using bench = await openWorkbench();
  const path = await bench.write(
    "a.txt",
    Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0x62, 0x0d, 0x0a, 0xe9, 0xff),
  );
  contentOf(
    await callTool(
      makeEditFileTool(bench.ports),
      { path: "a.txt", old: "ab", new: "ü$&" },
      callerAt(bench.workspace),
    ),
  );
  assert.deepEqual(
    [...(await readFile(path))],
    [0xef, 0xbb, 0xbf, 0xc3, 0xbc, 0x24, 0x26, 0x0d, 0x0a, 0xe9, 0xff],
  );
});

test("a passage that occurs more than once is an error that says how many times, overlaps included", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", "aaaa");
  const outcome = await callTool(
    makeEditFileTool(bench.ports),
    { path: "a.txt", old: "aa", new: "b" },
    callerAt(bench.workspace),
  );
  assert.match(outcome.status === "error" ? outcome.message : "", /occurs 3 times/);
  assert.equal(await bench.read("a.txt"), "aaaa");
});

test("a passage that does not occur is an error, with a hint where only the line ends differ", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", "one\r\ntwo\r\n");
  const outcome = await callTool(
    makeEditFileTool(bench.ports),
    { path: "a.txt", old: "one\ntwo", new: "x" },
    callerAt(bench.workspace),
  );
  assert.match(outcome.status === "error" ? outcome.message : "", /0 times.*CRLF/);
});

test("an edit reads and writes, and shows only when running whether it fits", async () => {
  await using bench = await openWorkbench();
  await bench.write(".env", "TOKEN=abc");
  const tool = makeEditFileTool(bench.ports);
  const plans = [];
  for (const old of ["TOKEN=abc", "TOKEN=abd"]) {
    const prepared = await prepareCall(tool, { path: ".env", old, new: "x" }, callerAt(bench.workspace));
    plans.push(prepared.effects.map(({ kind }) => kind));
  }
  assert.deepEqual(plans, [
    ["read-path", "write-path"],
    ["read-path", "write-path"],
  ]);
});

test("a missing file, an empty passage and extra arguments are refused in words", async () => {
  await using bench = await openWorkbench();
  const tool = makeEditFileTool(bench.ports);
  const caller = callerAt(bench.workspace);
  assert.equal(codeOf(await callTool(tool, { path: "none", old: "a", new: "b" }, caller)), "not-found");
  for (const args of [
    { path: "a", old: "", new: "b" },
    { path: "a", old: "a" },
    { path: "a", old: "a", new: "b", approved: true },
  ]) {
    const refused = await tool.prepare(args, caller, () => caller.promptLabel);
    assert.equal(refused.ok ? "" : refused.code, "invalid-arguments");
  }
});

test("a file that a person changed since is left as it is", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", "one two");
  const prepared = await prepareCall(
    makeEditFileTool(bench.ports),
    { path: "a.txt", old: "one", new: "1" },
    callerAt(bench.workspace),
  );
  await bench.write("a.txt", "one two three");
  assert.equal(codeOf(await prepared.run(new AbortController().signal)), "conflict");
  assert.equal(await bench.read("a.txt"), "one two three");
});

test("the label of the edited file joins those of its old contents and of the new text", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", "old");
  bench.origins.set(digestBytes("old"), { integrity: "user", secrecy: "private", sources: [] });
  contentOf(
    await callTool(
      makeEditFileTool(bench.ports),
      { path: "a.txt", old: "old", new: "new" },
      callerAt(bench.workspace),
    ),
  );
  const label = bench.origins.get(digestBytes("new"));
  assert.deepEqual([label?.integrity, label?.secrecy], ["agent", "private"]);
});

test("preparing the same edit twice plans the same, and over another content something else", async () => {
  await using bench = await openWorkbench();
  const tool = makeEditFileTool(bench.ports);
  const plan = async () =>
    (await prepareCall(tool, { path: "a.txt", old: "a", new: "b" }, callerAt(bench.workspace))).plan;
  await bench.write("a.txt", "a");
  const first = await plan();
  assert.deepEqual(await plan(), first);
  await bench.write("a.txt", "a!");
  assert.notDeepEqual(await plan(), first);
});
