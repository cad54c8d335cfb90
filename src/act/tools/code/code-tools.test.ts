import assert from "node:assert/strict";
import { test } from "node:test";
import { makeWriteFileTool } from "../files/write-file.ts";
import { callerAt, callTool, codeOf, contentOf, openWorkbench, prepareCall } from "../workbench.fixture.ts";
import { makeEditCodeTool } from "./edit-code.ts";
import { makeReadCodeTool } from "./read-code.ts";

const source = `/** Opens it. */
export function open(): string {
  return "{";
}

export class Shop {
  close(): void {}
}
`;

test("read-code outlines a file, and gives one declaration with its comment", async () => {
  await using bench = await openWorkbench();
  const caller = callerAt(bench.workspace);
  await bench.write("a.ts", source);
  const tool = makeReadCodeTool(bench.ports);
  assert.deepEqual(contentOf(await callTool(tool, { path: "a.ts" }, caller)), {
    path: "a.ts",
    declarations: ["1-4 function open", "6-8 class Shop", "7 method Shop.close"],
  });
  assert.deepEqual(contentOf(await callTool(tool, { path: "a.ts", name: "open" }, caller)), {
    path: "a.ts",
    name: "open",
    from: 1,
    to: 4,
    text: '/** Opens it. */\nexport function open(): string {\n  return "{";\n}',
  });
  const prepared = await prepareCall(tool, { path: "a.ts" }, caller);
  assert.deepEqual(
    prepared.effects.map(({ kind, target }) => [kind, target]),
    [["read-path", `${bench.workspace}/a.ts`]],
  );
  assert.equal(codeOf(await callTool(tool, { path: "a.ts", name: "Shop.clse" }, caller)), "not-declared");
  await bench.write("a.py", "def f(): pass");
  assert.equal(codeOf(await callTool(tool, { path: "a.py" }, caller)), "no-parser");
  await bench.write("b.ts", "const a = ;");
  assert.equal(codeOf(await callTool(tool, { path: "b.ts" }, caller)), "no-syntax");
  await bench.write("c.ts", `let a = 1;${" ".repeat(300_000)}`);
  assert.equal(codeOf(await callTool(tool, { path: "c.ts" }, caller)), "unreadable");
});

test("edit-code replaces or removes one declaration and no other byte, with the effects and the kept copy of a file edit", async () => {
  await using bench = await openWorkbench();
  const caller = callerAt(bench.workspace);
  await bench.write("a.ts", source.replaceAll("\n", "\r\n"));
  const tool = makeEditCodeTool(bench.ports);
  const args = { path: "a.ts", name: "Shop.close", new: "  close(): number {\n    return 1;\n  }\n" };
  const prepared = await prepareCall(tool, args, caller);
  assert.deepEqual(
    prepared.effects.map(({ kind }) => kind),
    ["read-path", "write-path"],
  );
  assert.equal((await prepared.preview?.diffs())?.[0]?.added, 3);
  assert.equal((await prepared.run(new AbortController().signal)).status, "success");
  const expected = source.replace("  close(): void {}", "  close(): number {\n    return 1;\n  }");
  assert.equal(await bench.read("a.ts"), expected.replaceAll("\n", "\r\n"));
  assert.equal(bench.kept.length, 1);
  await callTool(tool, { path: "a.ts", name: "open", new: "" }, caller);
  assert.equal(
    await bench.read("a.ts"),
    expected.slice(expected.indexOf("\nexport class")).replaceAll("\n", "\r\n"),
  );
  await bench.write("b.ts", "\ufefflet a = 1; // one\nlet b = 2; let c = 3; // three\n");
  await callTool(tool, { path: "b.ts", name: "b", new: "" }, caller);
  await callTool(tool, { path: "b.ts", name: "a", new: "let a = 4;" }, caller);
  assert.equal(await bench.read("b.ts"), "\ufefflet a = 4; // one\n let c = 3; // three\n");
  await bench.write("b.el", "(defun a () 1) ; one\n(defun b () 2)\n");
  await callTool(tool, { path: "b.el", name: "a", new: "" }, caller);
  assert.equal(await bench.read("b.el"), " ; one\n(defun b () 2)\n");
  await bench.write("a.el", "(defun a () 1)\n(defun b () 2)\n");
  await callTool(tool, { path: "a.el", name: "b", new: "(defun b () 3)" }, caller);
  assert.equal(await bench.read("a.el"), "(defun a () 1)\n(defun b () 3)\n");
});

test("an edit that would not parse carries line and column in its effect, so that the gate refuses it", async () => {
  await using bench = await openWorkbench();
  const caller = callerAt(bench.workspace);
  await bench.write("a.ts", source);
  const broken = { path: "a.ts", name: "Shop.close", new: "  close(: void {}" };
  const [, write] = (await prepareCall(makeEditCodeTool(bench.ports), broken, caller)).effects;
  assert.equal(write?.kind === "write-path" && write.breaks, "it is no TypeScript at line 7, column 9");
  await bench.write("b.lisp", "(defun a () 1)");
  const unclosed = { path: "b.lisp", name: "a", new: "(defun a () (list 1)" };
  const [, other] = (await prepareCall(makeEditCodeTool(bench.ports), unclosed, caller)).effects;
  assert.equal(other?.kind === "write-path" && other.breaks, "'(' at line 1, column 1 is not closed");
});

test("a new file that does not parse is written, and its result says so with the place", async () => {
  await using bench = await openWorkbench();
  const caller = callerAt(bench.workspace);
  const tool = makeWriteFileTool(bench.ports);
  for (const [path, content, place] of [
    ["a.json", '{"a": }', /^The file was written, and it does not parse: it is no JSON/],
    ["a.ts", "let a = (;", /line 1, column 10/],
    ["a.el", "(a", /line 1, column 1 is not closed/],
    [
      "a.org",
      "#+begin_src elisp\n(a\n#+end_src\n",
      /block at line 1, '\(' at line 1, column 1 is not closed/,
    ],
  ] as const)
    assert.match(String(contentOf(await callTool(tool, { path, content }, caller))["problem"]), place, path);
  for (const [path, content] of [
    ["b.json", "{}"],
    ["b.ts", "let a: number"],
    ["b.txt", "(("],
  ] as const)
    assert.equal(contentOf(await callTool(tool, { path, content }, caller))["problem"], undefined, path);
});
