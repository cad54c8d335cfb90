import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { openWorkbench, type Workbench } from "../tools/workbench.fixture.ts";
import { replaceFile } from "./replace.ts";

// A disk of 64 KB, a folder without write permission and a read-only file system, as a child sees them inside bubblewrap.
const child = `
const { replaceFile } = await import(process.argv[1]);
const { readFileSync, readdirSync } = await import("node:fs");
const [, , path, size] = process.argv;
const keepPreImage = async () => "1";
const result = await replaceFile({ path, before: readFileSync(path), after: Buffer.alloc(Number(size), 120), mode: null, keepPreImage });
console.log(JSON.stringify({ code: result.ok ? "ok" : result.code, text: readFileSync(path, "utf8"), names: readdirSync(path.slice(0, path.lastIndexOf("/"))) }));
`;

function inBubblewrap(
  t: TestContext,
  bench: Workbench,
  { mounts, path, size }: { mounts: string[]; path: string; size: number },
) {
  if (spawnSync("bwrap", ["--ro-bind", "/", "/", "true"]).status !== 0) {
    assert.notEqual(process.env["CI"], "true", "bubblewrap is needed: apt-get install bubblewrap");
    t.skip("needs bubblewrap: apt-get install bubblewrap");
    return null;
  }
  const script = `cp ${bench.root}/seed "$1" 2>/dev/null; exec "$2" --input-type=module -e "$3" "$4" "$1" "$5"`;
  const module = pathToFileURL(join(import.meta.dirname, "replace.ts")).href;
  const command = ["sh", "-c", script, "sh", path, process.execPath, child, module, String(size)];
  const ran = spawnSync("bwrap", [
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    // Where temporary files lie below a folder of the system, the mounts before hide them.
    "--ro-bind",
    bench.root,
    bench.root,
    "--cap-drop",
    "ALL",
    ...mounts,
    ...command,
  ]);
  assert.equal(ran.status, 0, ran.stderr.toString());
  const result: unknown = JSON.parse(ran.stdout.toString());
  return result;
}

test("on a full disk the file is unchanged, nothing is left behind, and the person is told", async (t) => {
  await using bench = await openWorkbench();
  await bench.write("../seed", "old");
  const mounts = ["--size", "65536", "--tmpfs", bench.workspace];
  const result = inBubblewrap(t, bench, { mounts, path: join(bench.workspace, "a.txt"), size: 1_000_000 });
  if (result !== null) assert.deepEqual(result, { code: "disk-full", text: "old", names: ["a.txt"] });
});

test("a read-only file system is named as such, and the file stays", async (t) => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", "old");
  const result = inBubblewrap(t, bench, { mounts: [], path: join(bench.workspace, "a.txt"), size: 3 });
  if (result !== null) assert.deepEqual(result, { code: "read-only", text: "old", names: ["a.txt"] });
});

test("a folder that may not be written is named as such, and the file stays", async (t) => {
  await using bench = await openWorkbench();
  await bench.write("a.txt", "old");
  await chmod(bench.workspace, 0o555);
  const mounts = ["--bind", bench.workspace, bench.workspace];
  const result = inBubblewrap(t, bench, { mounts, path: join(bench.workspace, "a.txt"), size: 3 });
  await chmod(bench.workspace, 0o755);
  if (result !== null) assert.deepEqual(result, { code: "no-permission", text: "old", names: ["a.txt"] });
});

test("extended attributes of a file stay with it", async (t) => {
  await using bench = await openWorkbench();
  const path = await bench.write("a.txt", "old");
  const python = (code: string) => spawnSync("python3", ["-c", `import os\n${code}`, path]);
  if (python('os.setxattr(os.sys.argv[1], "user.note", b"kept")').status !== 0)
    return t.skip("needs python3, and a file system with extended attributes");
  const replaced = await replaceFile({
    path,
    before: Buffer.from("old"),
    after: Buffer.from("new"),
    mode: null,
    keepPreImage: bench.ports.keepPreImage,
  });
  assert.equal(replaced.ok, true);
  assert.equal(await bench.read("a.txt"), "new");
  const found = python('print(os.getxattr(os.sys.argv[1], "user.note").decode())');
  assert.equal(found.stdout.toString().trim(), "kept");
});

test("a file that is mounted by itself is written through: nothing can take its place", async (t) => {
  await using bench = await openWorkbench();
  await bench.write("../seed", "old");
  await bench.write("conf.yml", "hidden");
  await bench.write("../mounted.yml", "");
  const path = join(bench.workspace, "conf.yml");
  const mounts = [
    "--bind",
    bench.workspace,
    bench.workspace,
    "--bind",
    join(bench.root, "mounted.yml"),
    path,
  ];
  const result = inBubblewrap(t, bench, { mounts, path, size: 3 });
  if (result !== null) assert.deepEqual(result, { code: "ok", text: "xxx", names: ["conf.yml"] });
});
