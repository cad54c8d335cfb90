import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { makeScratchFolder } from "./shell.fixture.ts";

/** Only root can make files of others: `.ci/run` runs these tests as root, too. */
const isRoot = process.getuid?.() === 0;
const member = 4001;

if (isRoot)
  test("what the kernel cannot copy of another user's file is asked about and done in the folder itself, also where others may only read the file", async (context) => {
    for (const tries of [true, false]) {
      const root = await makeScratchFolder(context);
      chmodSync(root, 0o755);
      const [workspace, state] = ["work", "state"].map((name) => join(root, name));
      if (workspace === undefined || state === undefined) return;
      for (const folder of [workspace, state]) {
        mkdirSync(folder);
        chownSync(folder, member, member);
      }
      writeFileSync(join(workspace, "theirs"), "x");
      const fixture = fileURLToPath(new URL("foreign-file.fixture.ts", import.meta.url));
      const ids = ["--reuid", String(member), "--regid", String(member), "--clear-groups"];
      const node = [process.execPath, "--disable-warning=ExperimentalWarning", fixture, workspace, state];
      const cmd = 'sh -c "mv theirs moved; echo ok"';
      const words = [...ids, ...node, String(tries), cmd];
      const said: unknown = JSON.parse(execFileSync("setpriv", words, { encoding: "utf8" }));
      const why = `${workspace}/theirs belongs to another user or group, and no copy of the folder can hold what the command does with it`;
      const first = tries
        ? {
            isTried: true,
            reversal: "undoable",
            status: "error",
            words: `It could not be tried: ${why}. Nothing was run. Propose it again.`,
          }
        : {
            isTried: false,
            reversal: "undoable",
            status: "error",
            words: `It ran over a copy of the folder, and did not do all there: ${why}. Propose it again: then it runs in the folder itself, once the owner said yes.`,
          };
      assert.deepEqual(said, [first, { isTried: false, reversal: "final", status: "success", words: "" }]);
      assert.deepEqual(readdirSync(workspace), ["moved"]);
    }
  });

if (isRoot)
  test("words of the kernel that a program prints void no trial that did what it does", async (context) => {
    const root = await makeScratchFolder(context);
    chmodSync(root, 0o755);
    const [workspace = "", state = ""] = ["work", "state"].map((name) => join(root, name));
    for (const folder of [workspace, state]) {
      mkdirSync(folder);
      chownSync(folder, member, member);
    }
    writeFileSync(join(workspace, "theirs"), "x");
    const fixture = fileURLToPath(new URL("foreign-file.fixture.ts", import.meta.url));
    const ids = ["--reuid", String(member), "--regid", String(member), "--clear-groups"];
    const node = [process.execPath, "--disable-warning=ExperimentalWarning", fixture, workspace, state];
    const words = [...ids, ...node, "true", 'sh -c "touch made; echo EOVERFLOW"'];
    const said: unknown = JSON.parse(execFileSync("setpriv", words, { encoding: "utf8" }));
    assert.deepEqual(said, [{ isTried: true, reversal: "undoable", status: "success", words: "" }]);
  });
