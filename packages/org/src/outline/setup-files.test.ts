import assert from "node:assert/strict";
import { test } from "node:test";
import { scanOutline } from "./scan-outline.ts";

test("setup files set what Emacs takes from them, at the place where they are named", () => {
  const files = new Map([
    [
      "s",
      "#+CATEGORY: scat\n#+TITLE: theirs\n#+FILETAGS: :setup:\n#+SETUPFILE: t\n#+TODO: W | O\n#+PROPERTY: P v\n",
    ],
    ["t", "#+FILETAGS: :nested:\n#+SETUPFILE: s\n"],
  ]);
  const asked: (string | null)[] = [];
  const readSetup = (path: string, from: string | null) => {
    asked.push(from);
    const text = files.get(path);
    return text === undefined ? null : { path, text };
  };
  const settingsOf = (text: string) => {
    const { settings } = scanOutline(text, { readSetup });
    return [settings.tags, settings.todo.map(({ word }) => word), settings.category, settings.title];
  };
  const both = '#+FILETAGS: own\n#+SETUPFILE: "s"\n#+CATEGORY: own\n#+TODO: X | Y\n#+SETUPFILE: gone\n';
  assert.deepEqual(settingsOf(both), [["own", "setup", "nested"], ["W", "O", "X", "Y"], "own", null]);
  assert.deepEqual(asked, [null, "s", "t", null]);
  assert.deepEqual(settingsOf("#+setupfile:s\n"), [["setup", "nested"], ["W", "O"], "scat", null]);
  assert.deepEqual(settingsOf("#+begin_src org\n#+SETUPFILE: s\n#+end_src\n")[0], []);
});
