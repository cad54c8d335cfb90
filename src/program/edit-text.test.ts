import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { wholeWorkspace } from "../daemon/agent/resources/take-workspace.ts";
import { editText } from "./edit-text.ts";

const edit = (environment: Readonly<Record<string, string>>, workspace = "/nowhere") =>
  editText("one", { ...environment, PATH: `${join(workspace, "bin")}:bin` }, workspace);

const leftovers = (): number => readdirSync(tmpdir()).filter((name) => name === "message.md").length;

test("the editor gets the text in a file that only its owner can read, and gives it back changed", async () => {
  const check = `check() { [ "$(stat -c %a "$1")" = 600 ] && [ "$(stat -c %a "$(dirname "$1")")" = 700 ] && printf 'two\\n\\n' >>"$1"; }; check`;
  assert.deepEqual(await edit({ EDITOR: check }), { ok: true, text: "one\ntwo" });
});

test("without an editor, or with one that fails, the text is as it was, and the reason is told", async () => {
  assert.deepEqual(await edit({}), {
    ok: false,
    reason: "The text is as it was: no editor is set. Name one in VISUAL or EDITOR.",
  });
  assert.deepEqual(await edit({ VISUAL: "exit 3;", EDITOR: "true" }), {
    ok: false,
    reason: "The text is as it was: exit 3; ended with code 3.",
  });
  assert.equal(leftovers(), 0);
});

test("a program of the workspace is no editor, whatever the PATH names", async (t) => {
  const workspace = mkdtempSync(join(tmpdir(), "edit-text-"));
  t.after(() => rmSync(workspace, { recursive: true }));
  mkdirSync(join(workspace, "bin"));
  const ran = join(workspace, "ran");
  for (const name of ["cat", "myeditor"])
    writeFileSync(join(workspace, "bin", name), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
  assert.deepEqual(await edit({ EDITOR: "cat >/dev/null" }, workspace), { ok: true, text: "one" });
  assert.deepEqual(await edit({ EDITOR: "myeditor" }, workspace), {
    ok: false,
    reason: "The text is as it was: myeditor ended with code 127.",
  });
  assert.equal(existsSync(ran), false);
});

test("a program that lies anywhere in the repository is no editor, also through a link; started in the home folder, the owner's own are", async (t) => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "edit-text-")));
  t.after(() => rmSync(home, { recursive: true }));
  const clone = join(home, "clone");
  for (const folder of ["clone/.git", "clone/deep/below", "clone/bin", "bin"])
    mkdirSync(join(home, folder), { recursive: true });
  for (const folder of ["clone/bin", "bin"])
    writeFileSync(join(home, folder, "myeditor"), `#!/bin/sh\ntouch ${home}/ran\n`, { mode: 0o755 });
  symlinkSync(clone, join(home, "linked"));
  const editIn = async (cwd: string, folder: string) => {
    rmSync(join(home, "ran"), { force: true });
    const PATH = join(home, folder);
    await editText("one", { EDITOR: "myeditor", PATH }, await wholeWorkspace(join(home, cwd), home));
    return existsSync(join(home, "ran"));
  };
  assert.equal(await editIn("", "bin"), true);
  assert.equal(await editIn("clone/deep/below", "bin"), true);
  assert.equal(await editIn("clone", "clone/bin"), false);
  assert.equal(await editIn("clone/deep/below", "clone/bin"), false);
  assert.equal(await editIn("linked/deep", "clone/bin"), false);
  assert.equal(await editIn("clone/deep", "linked/bin"), false);
});
