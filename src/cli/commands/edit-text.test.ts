import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { editText } from "./edit-text.ts";

const leftovers = (): number => readdirSync(tmpdir()).filter((name) => name === "message.md").length;

test("the editor gets the text in a file that only its owner can read, and gives it back changed", async () => {
  const check = `check() { [ "$(stat -c %a "$1")" = 600 ] && [ "$(stat -c %a "$(dirname "$1")")" = 700 ] && printf 'two\\n\\n' >>"$1"; }; check`;
  assert.deepEqual(await editText("one", { EDITOR: check }), { ok: true, text: "one\ntwo" });
});

test("without an editor, or with one that fails, the text is as it was, and the reason is told", async () => {
  assert.deepEqual(await editText("one", {}), {
    ok: false,
    reason: "The text is as it was: no editor is set. Name one in VISUAL or EDITOR.",
  });
  assert.deepEqual(await editText("one", { VISUAL: "exit 3;", EDITOR: "true" }), {
    ok: false,
    reason: "The text is as it was: exit 3; ended with code 3.",
  });
  assert.equal(leftovers(), 0);
});
