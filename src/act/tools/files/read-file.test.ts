import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { link, mkdir, open, rename, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { sha256 } from "../../../machine/digest.ts";
import type { JsonObject } from "../../../text/json.ts";
import { callerAt, callTool, codeOf, contentOf, openWorkbench, prepareCall } from "../workbench.fixture.ts";
import { makeReadFileTool } from "./read-file.ts";

const go = new AbortController().signal;

test("a file of the workspace is read by its relative path, and the effect names its real path", async () => {
  await using bench = await openWorkbench();
  const path = await bench.write("notes/ünï côde ✓.txt", "one\ntwo\n");
  const prepared = await prepareCall(
    makeReadFileTool(bench.ports),
    { path: "notes/ünï côde ✓.txt" },
    callerAt(bench.workspace),
  );
  assert.deepEqual(
    prepared.effects.map(({ kind, target }) => [kind, target]),
    [["read-path", path]],
  );
  assert.equal(contentOf(await prepared.run(go))["text"], "one\ntwo\n");
  assert.equal(prepared.resultLabel.integrity, "user");
});

test("'~/' is the home folder, and '~name' is refused in words", async () => {
  await using bench = await openWorkbench();
  await writeFile(join(bench.home, "a.txt"), "home");
  const tool = makeReadFileTool(bench.ports);
  assert.equal(
    contentOf(await callTool(tool, { path: "~/a.txt" }, callerAt(bench.workspace)))["text"],
    "home",
  );
  const caller = callerAt(bench.workspace);
  const refused = await tool.prepare({ path: "~root/a" }, caller, () => caller.promptLabel);
  assert.equal(refused.ok ? "" : refused.code, "invalid-path");
});

test("a symbolic link is judged by what it leads to, also where it dangles", async () => {
  await using bench = await openWorkbench();
  const outside = join(bench.root, "outside.txt");
  await symlink(outside, join(bench.workspace, "link"));
  const tool = makeReadFileTool(bench.ports);
  const dangling = await prepareCall(tool, { path: "link" }, callerAt(bench.workspace));
  assert.equal(dangling.effects[0]?.target, outside);
  assert.equal(codeOf(await dangling.run(go)), "not-found");
  assert.equal(dangling.resultLabel.integrity, "untrusted");
});

test("'..' leaves the folder that a link leads to, not the one that it stands in", async () => {
  await using bench = await openWorkbench();
  await mkdir(join(bench.root, "far/deep"), { recursive: true });
  await symlink(join(bench.root, "far/deep"), join(bench.workspace, "near"));
  const prepared = await prepareCall(
    makeReadFileTool(bench.ports),
    { path: "near/../x" },
    callerAt(bench.workspace),
  );
  assert.equal(prepared.effects[0]?.target, join(bench.root, "far/x"));
});

test("a file that is swapped for a link after it was judged is not read", async () => {
  await using bench = await openWorkbench();
  const path = await bench.write("a.txt", "harmless");
  await writeFile(join(bench.home, "secret"), "secret");
  const prepared = await prepareCall(
    makeReadFileTool(bench.ports),
    { path: "a.txt" },
    callerAt(bench.workspace),
  );
  await unlink(path);
  await symlink(join(bench.home, "secret"), path);
  assert.equal(codeOf(await prepared.run(go)), "changed-since-judged");
});

test("a folder on the way that is swapped for a link after the judgement is not followed", async () => {
  await using bench = await openWorkbench();
  await bench.write("sub/a.txt", "harmless");
  await mkdir(join(bench.home, "sub"));
  await writeFile(join(bench.home, "sub/a.txt"), "secret");
  const prepared = await prepareCall(
    makeReadFileTool(bench.ports),
    { path: "sub/a.txt" },
    callerAt(bench.workspace),
  );
  await rename(join(bench.workspace, "sub"), join(bench.workspace, "old"));
  await symlink(join(bench.home, "sub"), join(bench.workspace, "sub"));
  assert.equal(codeOf(await prepared.run(go)), "changed-since-judged");
});

test("a file that is swapped for a hard link to another is not read", async () => {
  await using bench = await openWorkbench();
  const path = await bench.write("a.txt", "harmless");
  await writeFile(join(bench.home, "secret"), "secret");
  const prepared = await prepareCall(
    makeReadFileTool(bench.ports),
    { path: "a.txt" },
    callerAt(bench.workspace),
  );
  await unlink(path);
  await link(join(bench.home, "secret"), path);
  assert.equal(codeOf(await prepared.run(go)), "changed-since-judged");
});

test("a missing file that becomes a link after the judgement is not read", async () => {
  await using bench = await openWorkbench();
  await writeFile(join(bench.home, "secret"), "secret");
  const prepared = await prepareCall(
    makeReadFileTool(bench.ports),
    { path: "later" },
    callerAt(bench.workspace),
  );
  await symlink(join(bench.home, "secret"), join(bench.workspace, "later"));
  assert.equal(codeOf(await prepared.run(go)), "changed-since-judged");
});

test("pipes, sockets, devices and system entries are refused at once", async () => {
  await using bench = await openWorkbench();
  execFileSync("mkfifo", [join(bench.workspace, "pipe")]);
  const server = createServer().listen(join(bench.workspace, "socket"));
  await once(server, "listening");
  try {
    for (const path of ["pipe", "socket", "/dev/zero", "/dev/tty", "/proc/self/environ", "/proc/1/environ"]) {
      assert.equal(
        codeOf(await callTool(makeReadFileTool(bench.ports), { path }, callerAt(bench.workspace))),
        "special-file",
        path,
      );
    }
  } finally {
    server.close();
  }
});

test("a file of 100 MB is read a part at a time, and the note says how to read on", async () => {
  await using bench = await openWorkbench();
  const handle = await open(join(bench.workspace, "big.log"), "w");
  const block = Buffer.from("0123456789abcde\n".repeat(65_536));
  for (let written = 0; written < 100; written += 1) await handle.write(block);
  await handle.close();
  const tool = makeReadFileTool(bench.ports);
  const first = contentOf(await callTool(tool, { path: "big.log" }, callerAt(bench.workspace)));
  assert.equal(String(first["text"]).length, 32_768);
  assert.match(String(first["note"]), /Read on with offset: 2049\./);
  const last = contentOf(
    await callTool(tool, { path: "big.log", offset: 6_553_600 }, callerAt(bench.workspace)),
  );
  assert.equal(last["text"], "0123456789abcde\n");
});

test("parts that are read one after the other are the whole file", async () => {
  await using bench = await openWorkbench();
  const text = Array.from({ length: 60_000 }, (_, line) => `line ${line} ✓`).join("\n");
  await bench.write("a.txt", text);
  const tool = makeReadFileTool(bench.ports);
  let read = "";
  for (let from = 1; ; ) {
    const part = contentOf(await callTool(tool, { path: "a.txt", offset: from }, callerAt(bench.workspace)));
    read += String(part["text"]);
    if (part["note"] === undefined) break;
    from = Number(part["to"]) + 1;
  }
  assert.equal(read, text);
});

test("one endless line is cut between characters, with a note", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", `x${"é".repeat(200_000)}`);
  const { text, note } = contentOf(
    await callTool(makeReadFileTool(bench.ports), { path: "a.txt" }, callerAt(bench.workspace)),
  );
  assert.equal(String(text).includes("\ufffd"), false);
  assert.match(String(note), /Longer than 4000 characters, and shown without the middle: line 1\./);
});

test("a binary file is described and not dumped, and bytes that are not UTF-8 are reported", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.bin", Uint8Array.of(1, 0, 2));
  await bench.write("latin1.txt", Uint8Array.of(0x63, 0xe9, 0x0a));
  const tool = makeReadFileTool(bench.ports);
  const binary = contentOf(await callTool(tool, { path: "a.bin" }, callerAt(bench.workspace)));
  assert.deepEqual([binary["binary"], binary["size"], binary["text"]], [true, 3, undefined]);
  const latin = contentOf(await callTool(tool, { path: "latin1.txt" }, callerAt(bench.workspace)));
  assert.match(String(latin["note"]), /not UTF-8/);
});

test("a problem with a file shows only when running: preparing does not reveal what exists", async () => {
  await using bench = await openWorkbench();
  const tool = makeReadFileTool(bench.ports);
  await mkdir(join(bench.workspace, "folder"));
  for (const [path, code] of [
    ["missing", "not-found"],
    ["folder", "is-a-folder"],
    ["missing/below", "not-found"],
  ] as const) {
    const prepared = await prepareCall(tool, { path }, callerAt(bench.workspace));
    assert.equal(codeOf(await prepared.run(go)), code);
  }
});

test("a file that the agent wrote keeps the label that it was written with, and a secret path is secret", async () => {
  await using bench = await openWorkbench();
  const tool = makeReadFileTool(bench.ports);
  await bench.write("page.txt", "from the web");
  bench.origins.set(sha256("from the web"), { integrity: "untrusted", secrecy: "private", sources: [] });
  const page = await prepareCall(tool, { path: "page.txt" }, callerAt(bench.workspace));
  assert.deepEqual([page.resultLabel.integrity, page.resultLabel.secrecy], ["untrusted", "private"]);
  await bench.write(".ssh/id", "key");
  const key = await prepareCall(tool, { path: ".ssh/id" }, callerAt(bench.workspace));
  assert.equal(key.resultLabel.secrecy, "secret");
});

test("paths with control characters, empty ones and relative ones without a workspace are refused in words", async () => {
  await using bench = await openWorkbench();
  const tool = makeReadFileTool(bench.ports);
  for (const [path, workspace, code] of [
    ["a\0b", bench.workspace, "invalid-path"],
    ["a\u001b[2Jb", bench.workspace, "invalid-path"],
    ["a\u202etxt", bench.workspace, "invalid-path"],
    ["", bench.workspace, "invalid-arguments"],
    ["missing/../../x", bench.workspace, "invalid-path"],
    ["x".repeat(5000), bench.workspace, "invalid-path"],
    ["a", null, "no-workspace"],
  ] as const) {
    const caller = callerAt(workspace);
    const refused = await tool.prepare({ path }, caller, () => caller.promptLabel);
    assert.equal(refused.ok ? "ok" : refused.code, code, JSON.stringify(path));
  }
});

test("links in a circle are refused and not followed for ever", async () => {
  await using bench = await openWorkbench();
  await symlink("b", join(bench.workspace, "a"));
  await symlink("a", join(bench.workspace, "b"));
  const caller = callerAt(bench.workspace);
  const refused = await makeReadFileTool(bench.ports).prepare(
    { path: "a" },
    caller,
    () => caller.promptLabel,
  );
  assert.equal(refused.ok ? "ok" : refused.code, "invalid-path");
});

test("reading stops at once when it is cancelled", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", "x");
  const prepared = await prepareCall(
    makeReadFileTool(bench.ports),
    { path: "a.txt" },
    callerAt(bench.workspace),
  );
  await assert.rejects(prepared.run(AbortSignal.abort()));
  await rm(join(bench.workspace, "a.txt"));
});

test("a limit of lines is kept, and the note says how many there are and how to read on", async () => {
  await using bench = await openWorkbench();
  await bench.write("sub/a.txt", "1\n2\n3\n4\n5\n");
  const read = async (args: JsonObject) =>
    contentOf(
      await callTool(
        makeReadFileTool(bench.ports),
        { path: "sub/a.txt", ...args },
        callerAt(bench.workspace),
      ),
    );
  assert.deepEqual(await read({ offset: 2, limit: 2 }), {
    path: "sub/a.txt",
    text: "2\n3\n",
    from: 2,
    to: 3,
    size: 10,
    note: "These are lines 2 to 3 of 5 lines (10 bytes). Read on with offset: 4.",
  });
  assert.equal((await read({ offset: 4, limit: 2 }))["note"], undefined);
  assert.equal((await read({ limit: 5 }))["note"], undefined);
  assert.match(String((await read({ offset: 9 }))["note"]), /Nothing is at line 9: the file has 5 lines\./);
});

test("reading the very file that the owner typed is licensed, and what a link of that name leads to is not", async () => {
  await using bench = await openWorkbench();
  const file = join(bench.home, "list.txt");
  await writeFile(file, "tea\n");
  await symlink(file, join(bench.home, "link.txt"));
  const licensed = async (words: string, path: string) => {
    const sources = { words: [words], results: [], contacts: async () => [], approved: [] };
    const caller = { ...callerAt(bench.workspace), sources };
    const { licences = [] } = await prepareCall(makeReadFileTool(bench.ports), { path }, caller);
    return licences.map(({ discharges }) => discharges);
  };
  assert.deepEqual(await licensed("What is in ~/list.txt?", file), [["read-outside"]]);
  assert.deepEqual(await licensed(`Read ${file}`, "~/list.txt"), [["read-outside"]]);
  assert.deepEqual(await licensed("What is in ~/link.txt?", "~/link.txt"), []);
  assert.deepEqual(await licensed("What is in my home?", file), []);
});
