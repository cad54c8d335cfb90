import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
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
