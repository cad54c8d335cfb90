import assert from "node:assert/strict";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type TestContext, test } from "node:test";
import { realPath } from "../files/real-path.ts";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { findSaidChanges } from "./said-changes.ts";

/** What a command says that it writes, by paths in a folder with a link to a file and one to a folder. */
function writtenBy(context: TestContext, ...argv: readonly string[]): Promise<readonly string[]> {
  return saidBy(context, "write", argv);
}

async function saidBy(
  context: TestContext,
  wanted: "write" | "read",
  argv: readonly string[],
): Promise<readonly string[]> {
  const folder = await makeScratchFolder(context);
  mkdirSync(join(folder, "old"));
  mkdirSync(join(folder, "plain"));
  writeFileSync(join(folder, "a.txt"), "a\n");
  symlinkSync("a.txt", join(folder, "file"));
  symlinkSync("old", join(folder, "current"));
  const said = await findSaidChanges(
    { argv, redirects: [], assignments: [] },
    {
      cwd: folder,
      workspace: folder,
      home: "/home/ann",
      mayLook: true,
      resolvePath: (path) => realPath(folder, path),
      exists: async (path) => existsSync(path),
      isForbidden: () => false,
    },
  );
  return said.flatMap(({ path, how }) => (how === wanted ? [relative(folder, path)] : []));
}

test("a command that makes a link in the place of another one changes that link, and nothing behind it", async (t) => {
  for (const options of ["-sfn", "-sfT", "--no-dereference"]) {
    assert.deepEqual(await writtenBy(t, "ln", options, "new", "current"), ["current"], options);
    assert.deepEqual(await writtenBy(t, "ln", options, "new", "file"), ["file"], options);
  }
  assert.deepEqual(await writtenBy(t, "ln", "-sfn", "new", "plain"), ["plain", "plain/new"]);
  assert.deepEqual(await writtenBy(t, "ln", "-sfn", "-t", "current", "file"), ["old", "old/file"]);
  assert.deepEqual(await writtenBy(t, "ln", "-sfn", "new", "current/"), ["old", "old/new"]);
  for (const options of ["-sf", "-Sn"])
    assert.deepEqual(await writtenBy(t, "ln", options, "new", "current"), ["old", "old/new"], options);
});

test("what a link leads to counts from the folder of the link, and no value of an option is a file", async (t) => {
  const read = (...argv: readonly string[]) => saidBy(t, "read", argv);
  assert.deepEqual(await read("ln", "-s", "../a.txt", "new/l"), ["a.txt"]);
  assert.deepEqual(await read("ln", "-s", "../a.txt", "plain/"), ["a.txt"]);
  assert.deepEqual(await read("ln", "-s", "-t", "plain", "../a.txt"), ["a.txt"]);
  assert.deepEqual(await read("ln", "a.txt", "plain/l"), ["a.txt"]);
  assert.deepEqual(await writtenBy(t, "cp", "a.txt", "../x"), ["../x"]);
  for (const mode of [["-m", "644"], ["-Dm", "644"], ["--mode", "644"], ["-m644"]])
    assert.deepEqual(await writtenBy(t, "install", ...mode, "a.txt", "../b"), ["../b"], mode.join(" "));
});
