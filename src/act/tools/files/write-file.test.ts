import assert from "node:assert/strict";
import { chmod, lstat, mkdir, readFile, readlink, rename, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { scanOutline } from "#org";
import { sha256 } from "../../../machine/digest.ts";
import { readNodes } from "../../../notes/read-nodes.ts";
import { callerAt, callTool, codeOf, contentOf, openWorkbench, prepareCall } from "../workbench.fixture.ts";
import { makeWriteFileTool } from "./write-file.ts";

const go = new AbortController().signal;

test("a new file is made with the folders above it, and the pre-image says that there was none", async () => {
  await using bench = await openWorkbench();
  const prepared = await prepareCall(
    makeWriteFileTool(bench.ports),
    { path: "a/b/ü.txt", content: "hi" },
    callerAt(bench.workspace),
  );
  const path = join(bench.workspace, "a/b/ü.txt");
  assert.deepEqual(prepared.changes, [{ path, before: null, after: sha256("hi") }]);
  assert.deepEqual(
    prepared.effects.map((effect) => [effect.kind, effect.target, effect.reversal]),
    [["write-path", path, "undoable"]],
  );
  assert.deepEqual(contentOf(await prepared.run(go)), { path: "a/b/ü.txt", created: true, bytes: 2 });
  assert.equal(await bench.read("a/b/ü.txt"), "hi");
  assert.deepEqual(bench.kept, [{ path, bytes: null, mode: null }]);
  assert.deepEqual(await bench.names("a/b"), ["ü.txt"]);
});

test("preparing changes nothing", async () => {
  await using bench = await openWorkbench();
  await prepareCall(
    makeWriteFileTool(bench.ports),
    { path: "a/b", content: "hi" },
    callerAt(bench.workspace),
  );
  assert.deepEqual(await bench.names("."), []);
});

test("a file is replaced with its pre-image kept first and its mode as it was", async () => {
  await using bench = await openWorkbench();
  const path = await bench.write("run.sh", "old");
  await chmod(path, 0o751);
  contentOf(
    await callTool(
      makeWriteFileTool(bench.ports),
      { path: "run.sh", content: "new" },
      callerAt(bench.workspace),
    ),
  );
  assert.equal(await readFile(path, "utf8"), "new");
  assert.equal((await stat(path)).mode & 0o7777, 0o751);
  assert.deepEqual(
    bench.kept.map(({ bytes, mode }) => [Buffer.from(bytes ?? []).toString(), mode]),
    [["old", 0o751]],
  );
});

test("nothing is written if the pre-image cannot be kept", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", "old");
  const ports = { ...bench.ports, keepPreImage: () => Promise.reject(new Error("the store is closed")) };
  const prepared = await prepareCall(
    makeWriteFileTool(ports),
    { path: "a.txt", content: "new" },
    callerAt(bench.workspace),
  );
  await assert.rejects(prepared.run(go), /store is closed/);
  assert.equal(await bench.read("a.txt"), "old");
  assert.deepEqual(await bench.names("."), ["a.txt"]);
});

test("a symbolic link stays, and its target is judged and written", async () => {
  await using bench = await openWorkbench();
  const real = await bench.write("real.txt", "old");
  await symlink("real.txt", join(bench.workspace, "link"));
  const prepared = await prepareCall(
    makeWriteFileTool(bench.ports),
    { path: "link", content: "new" },
    callerAt(bench.workspace),
  );
  assert.equal(prepared.effects[0]?.target, real);
  contentOf(await prepared.run(go));
  assert.equal(await readlink(join(bench.workspace, "link")), "real.txt");
  assert.equal(await bench.read("real.txt"), "new");
});

test("a file that a person changed after it was judged is left as it is", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", "old");
  const prepared = await prepareCall(
    makeWriteFileTool(bench.ports),
    { path: "a.txt", content: "new" },
    callerAt(bench.workspace),
  );
  await bench.write("a.txt", "a person's");
  assert.equal(codeOf(await prepared.run(go)), "conflict");
  assert.equal(await bench.read("a.txt"), "a person's");
});

test("a file that a person saves while the pre-image is being kept is left as it is", async () => {
  await using bench = await openWorkbench();
  const path = await bench.write("a.txt", "old");
  const keepPreImage = async () => {
    await writeFile(path, "a person's");
    return "1";
  };
  const tool = makeWriteFileTool({ ...bench.ports, keepPreImage });
  assert.equal(
    codeOf(await callTool(tool, { path: "a.txt", content: "new" }, callerAt(bench.workspace))),
    "conflict",
  );
  assert.equal(await bench.read("a.txt"), "a person's");
  assert.deepEqual(await bench.names("."), ["a.txt"]);
});

test("a file that appears after a new one was judged is not overwritten", async () => {
  await using bench = await openWorkbench();
  const keepPreImage = async () => {
    await bench.write("a.txt", "a person's");
    return "1";
  };
  const tool = makeWriteFileTool({ ...bench.ports, keepPreImage });
  assert.equal(
    codeOf(await callTool(tool, { path: "a.txt", content: "new" }, callerAt(bench.workspace))),
    "conflict",
  );
  assert.equal(await bench.read("a.txt"), "a person's");
});

test("a folder that is swapped for a link after the judgement is not written through", async () => {
  await using bench = await openWorkbench();
  await bench.write("sub/keep", "");
  await mkdir(join(bench.home, "target"));
  const prepared = await prepareCall(
    makeWriteFileTool(bench.ports),
    { path: "sub/a.txt", content: "x" },
    callerAt(bench.workspace),
  );
  await rename(join(bench.workspace, "sub"), join(bench.workspace, "old"));
  await symlink(join(bench.home, "target"), join(bench.workspace, "sub"));
  const code = codeOf(await prepared.run(go));
  assert.ok(["changed-since-judged", "not-a-folder"].includes(code), code);
  assert.deepEqual(await bench.names("../home/target"), []);
});

test("a folder that is swapped in the midst of the write does not lead it elsewhere", async () => {
  await using bench = await openWorkbench();
  await bench.write("sub/a.txt", "old");
  await mkdir(join(bench.home, "target"));
  await writeFile(join(bench.home, "target/a.txt"), "old");
  const untouched = (await stat(join(bench.home, "target"))).mtimeMs;
  const keepPreImage = async () => {
    await rename(join(bench.workspace, "sub"), join(bench.workspace, "old"));
    await symlink(join(bench.home, "target"), join(bench.workspace, "sub"));
    return "1";
  };
  const tool = makeWriteFileTool({ ...bench.ports, keepPreImage });
  await callTool(tool, { path: "sub/a.txt", content: "new" }, callerAt(bench.workspace));
  assert.equal(await readFile(join(bench.home, "target/a.txt"), "utf8"), "old");
  assert.equal((await stat(join(bench.home, "target"))).mtimeMs, untouched, "no draft was made there");
});

test("a file that is swapped for a link after the judgement is not written through", async () => {
  await using bench = await openWorkbench();
  const path = await bench.write("a.txt", "old");
  await writeFile(join(bench.home, "profile"), "old");
  const prepared = await prepareCall(
    makeWriteFileTool(bench.ports),
    { path: "a.txt", content: "new" },
    callerAt(bench.workspace),
  );
  await rename(path, join(bench.workspace, "b.txt"));
  await symlink(join(bench.home, "profile"), path);
  codeOf(await prepared.run(go));
  assert.equal(await readFile(join(bench.home, "profile"), "utf8"), "old");
  assert.ok((await lstat(path)).isSymbolicLink());
});

test("folders, devices and names that end in a slash are refused in words", async () => {
  await using bench = await openWorkbench();
  await mkdir(join(bench.workspace, "folder"));
  const tool = makeWriteFileTool(bench.ports);
  const caller = callerAt(bench.workspace);
  assert.equal(codeOf(await callTool(tool, { path: "folder", content: "" }, caller)), "is-a-folder");
  assert.equal(codeOf(await callTool(tool, { path: "/dev/null", content: "" }, caller)), "special-file");
  const slash = await tool.prepare({ path: "new/", content: "" }, caller, () => caller.promptLabel);
  assert.equal(slash.ok ? "" : slash.code, "invalid-path");
});

test("a file that is too large to keep a copy of is not replaced", async () => {
  await using bench = await openWorkbench();
  await bench.write("big", new Uint8Array(16 * 1024 * 1024 + 1));
  const prepared = await prepareCall(
    makeWriteFileTool(bench.ports),
    { path: "big", content: "" },
    callerAt(bench.workspace),
  );
  assert.deepEqual(prepared.changes, []);
  assert.equal(codeOf(await prepared.run(go)), "too-large");
});

test("the same content again changes nothing", async () => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", "same");
  const outcome = contentOf(
    await callTool(
      makeWriteFileTool(bench.ports),
      { path: "a.txt", content: "same" },
      callerAt(bench.workspace),
    ),
  );
  assert.equal(outcome["unchanged"], true);
  assert.deepEqual(bench.kept, []);
});

test("the label of the new contents is kept for the file", async () => {
  await using bench = await openWorkbench();
  const label = { integrity: "untrusted", secrecy: "private", sources: [] } as const;
  const caller = callerAt(bench.workspace, [["result-1", { value: { page: "from the web" }, label }]]);
  const prepared = await prepareCall(
    makeWriteFileTool(bench.ports),
    { path: "a.txt", content: "from the web" },
    caller,
  );
  assert.equal(prepared.effects[0]?.label.integrity, "untrusted");
  contentOf(await prepared.run(go));
  assert.equal(bench.origins.get(sha256("from the web"))?.secrecy, "private");
});

test("a new note of untrusted words has their origin at its top, whatever its first lines are", async () => {
  await using bench = await openWorkbench();
  const page = { integrity: "untrusted", secrecy: "public", sources: [{ id: "page-1", path: "" }] } as const;
  const caller = { ...callerAt(bench.workspace), promptLabel: page };
  const texts = [
    "* A\nbody\n",
    ":PROPERTIES:\n:ORIGIN: user\n:ID: x\n:END:\n* A\n:PROPERTIES:\n:ORIGIN: user\n:END:\n",
    "DEADLINE: <2024-01-01 Mon>\n* A\n",
    ":PROPERTIES:\nnone\n:END:\n#+TITLE: A\n* A\n",
    "",
  ];
  for (const [at, content] of texts.entries()) {
    const path = join(bench.notes, `${at}.org`);
    contentOf(await callTool(makeWriteFileTool(bench.ports), { path, content }, caller));
    const nodes = readNodes("a.org", scanOutline(await readFile(path, "utf8")));
    for (const { node } of nodes) assert.equal(node.label.integrity, "untrusted", content);
  }
  contentOf(await callTool(makeWriteFileTool(bench.ports), { path: "a.org", content: "* A\n" }, caller));
  assert.equal(await bench.read("a.org"), "* A\n");
});
