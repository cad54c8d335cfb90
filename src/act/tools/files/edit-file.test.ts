import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { sha256 } from "../../../machine/digest.ts";
import { bottomLabel } from "../../../signal/label.ts";
import type { JsonObject } from "../../../text/json.ts";
import { callerAt, callTool, codeOf, contentOf, openWorkbench, prepareCall } from "../workbench.fixture.ts";
import { makeEditFileTool } from "./edit-file.ts";

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

test("a passage that does not occur is an error, with a hint where line ends of two kinds differ", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", "one\r\ntwo\r\nthree\n");
  const outcome = await callTool(
    makeEditFileTool(bench.ports),
    { path: "a.txt", old: "one\ntwo", new: "x" },
    callerAt(bench.workspace),
  );
  assert.match(outcome.status === "error" ? outcome.message : "", /0 times.*CRLF/);
});

test("an edit has the line ends of its file where those are of one kind, and one of line ends alone is as written", async () => {
  await using bench = await openWorkbench();
  const tool = makeEditFileTool(bench.ports);
  const edit = async (text: string, args: JsonObject): Promise<string> => {
    await bench.write("a.txt", text);
    contentOf(await callTool(tool, { path: "a.txt", ...args }, callerAt(bench.workspace)));
    return await bench.read("a.txt");
  };
  assert.deepEqual(
    [
      await edit("one\r\ntwo\r\n", { old: "two", new: "2\n3" }),
      await edit("one\r\ntwo\r\n", { old: "one\ntwo", new: "1\n2\r\n3" }),
      await edit("one\ntwo\n", { old: "one\r\ntwo", new: "1\r\n2" }),
      await edit("one\r\ntwo\n", { old: "two", new: "2\n3" }),
      await edit("one\r\ntwo\r\n", { old: "\r\n", new: "\n", all: true }),
    ],
    ["one\r\n2\r\n3\r\n", "1\r\n2\r\n3\r\n", "1\n2\n", "one\r\n2\n3\n", "one\ntwo\n"],
  );
});

test("a file in UTF-16 with a mark is edited as text, and keeps its encoding, mark and line ends", async () => {
  await using bench = await openWorkbench();
  const tool = makeEditFileTool(bench.ports);
  const wide = (text: string, isBig: boolean): Buffer => {
    const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
    return isBig ? bytes.swap16() : bytes;
  };
  for (const isBig of [false, true]) {
    const path = await bench.write("a.txt", wide("erste ü\r\nzweite\r\n", isBig));
    const args = { path: "a.txt", old: "zweite", new: "2 😀\ndritte" };
    contentOf(await callTool(tool, args, callerAt(bench.workspace)));
    assert.deepEqual(await readFile(path), wide("erste ü\r\n2 😀\r\ndritte\r\n", isBig));
  }
  const half = Buffer.concat([wide("zweite", false), Buffer.of(0x00, 0xd8)]);
  await bench.write("a.txt", half);
  const args = { path: "a.txt", old: "zweite", new: "2" };
  assert.equal(codeOf(await callTool(tool, args, callerAt(bench.workspace))), "not-in-file");
});

test("what Emacs would obey in an Org file in UTF-16 is made inert as in any other", async () => {
  await using bench = await openWorkbench();
  const path = await bench.write("a.org", Buffer.from("\ufeff* Task\nü\n", "utf16le"));
  const args = { path: "a.org", old: "ü", new: "# Local Variables:\n# eval: (ding)\n# End:" };
  const caller = callerAt(bench.workspace);
  const tool = makeEditFileTool(bench.ports);
  const prepared = await tool.prepare(args, caller, () => ({ ...bottomLabel, integrity: "untrusted" }));
  if (prepared.ok) await prepared.run(new AbortController().signal);
  const text = (await readFile(path)).toString("utf16le");
  assert.match(text, /^\ufeff\* Task\n/);
  assert.match(text, /^# Local Variables,:$/m);
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
    { path: "a", new: "a" },
    { path: "a" },
    { path: "a", edits: [] },
    { path: "a", old: "a", new: "b", edits: [{ old: "a", new: "b" }] },
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
  bench.origins.set(sha256("old"), { integrity: "user", secrecy: "private", sources: [] });
  contentOf(
    await callTool(
      makeEditFileTool(bench.ports),
      { path: "a.txt", old: "old", new: "new" },
      callerAt(bench.workspace),
    ),
  );
  const label = bench.origins.get(sha256("new"));
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

test("several edits of a file are made in order, all of them or none", async () => {
  await using bench = await openWorkbench();
  const tool = makeEditFileTool(bench.ports);
  const caller = callerAt(bench.workspace);
  await bench.write("sub/a.txt", "one two three two\n");
  const made = await callTool(
    tool,
    {
      path: "sub/a.txt",
      edits: [
        { old: "one", new: "1" },
        { old: "1 two", new: "1 2" },
        { old: "t", new: "T", all: true },
      ],
    },
    caller,
  );
  assert.deepEqual(contentOf(made), { path: "sub/a.txt", created: false, bytes: 14, edits: 3 });
  assert.equal(await bench.read("sub/a.txt"), "1 2 Three Two\n");
  const failed = await callTool(
    tool,
    {
      path: "sub/a.txt",
      edits: [
        { old: "Three", new: "3" },
        { old: "Four", new: "4" },
      ],
    },
    caller,
  );
  const message = failed.status === "error" ? failed.message : "";
  assert.match(message, /edit 2 of 2: 'old' occurs 0 times.*None of the edits was done/s);
  assert.equal(await bench.read("sub/a.txt"), "1 2 Three Two\n");
});

test("a passage that is missing is answered by what stands near: other blanks, or the most similar line", async () => {
  await using bench = await openWorkbench();
  await bench.write(
    "a.ts",
    "function a() {\n\treturn   1;\n}\n\nfunction handleRequest(event) {\n  go();\n}\n",
  );
  const missing = async (old: string): Promise<string> => {
    const args = { path: "a.ts", old, new: "x" };
    const outcome = await callTool(makeEditFileTool(bench.ports), args, callerAt(bench.workspace));
    return outcome.status === "error" ? outcome.message : "";
  };
  assert.match(
    await missing("function a() {\n  return 1;\n}"),
    /from line 1 to 3 has the same words with other blanks.*\n\treturn {3}1;/s,
  );
  assert.match(await missing("go( );"), /Line 6 has the same words with other blanks/);
  assert.match(
    await missing("function handleRequests(evt) {\n  go();"),
    /most similar passage begins at line 5:\nfunction handleRequest\(event\) \{\n {2}go\(\);/,
  );
  assert.match(await missing("zzz qqq"), /Read the file and copy the passage exactly/);
});

test("what stands near in a large file is found in a moment", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", `${"x y ".repeat(50)}\n`.repeat(60_000));
  const args = { path: "a.txt", old: `${"x y ".repeat(40)}\n`.repeat(2000), new: "x" };
  const started = process.cpuUsage();
  assert.equal(
    codeOf(await callTool(makeEditFileTool(bench.ports), args, callerAt(bench.workspace))),
    "not-in-file",
  );
  await bench.write("b.txt", "a".repeat(8_000_000));
  const long = { path: "b.txt", old: "ab".repeat(50_000), new: "x" };
  assert.equal(
    codeOf(await callTool(makeEditFileTool(bench.ports), long, callerAt(bench.workspace))),
    "not-in-file",
  );
  const { user } = process.cpuUsage(started);
  assert.ok(user < 4_000_000, `${user} µs`);
});

test("an error that quotes a private file has the file's label", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", "the secret plan\n");
  const label = { integrity: "user", secrecy: "private", sources: [] } as const;
  bench.origins.set(sha256("the secret plan\n"), label);
  const args = { path: "a.txt", old: "the secret plans", new: "x" };
  const prepared = await prepareCall(makeEditFileTool(bench.ports), args, callerAt(bench.workspace));
  assert.equal(prepared.resultLabel.secrecy, "private");
});

test("an edit with characters beyond ASCII in a file that is not UTF-8 is refused in words; one of ASCII alone keeps every other byte", async () => {
  await using bench = await openWorkbench();
  const latin1 = Buffer.from("caf\xe9 one\n", "latin1");
  const path = await bench.write("a.txt", latin1);
  const tool = makeEditFileTool(bench.ports);
  const edit = (by: string) =>
    callTool(tool, { path: "a.txt", old: "one", new: by }, callerAt(bench.workspace));
  const refused = await edit("zw\u00f6lf");
  assert.match(refused.status === "error" ? refused.message : "", /not UTF-8.*Nothing was changed.*iconv/);
  assert.deepEqual(await readFile(path), latin1);
  contentOf(await edit("two"));
  assert.deepEqual(await readFile(path), Buffer.from("caf\xe9 two\n", "latin1"));
});
