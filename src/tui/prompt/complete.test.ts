import assert from "node:assert/strict";
import { test } from "node:test";
import { type CompletionParts, makeCompletion } from "./complete.ts";
import { droppedPaths } from "./dropped-paths.ts";

const notes = [
  { id: "a1", title: "Roses [old]", file: "garden.org" },
  { id: "garden.org::Roses/Water", title: "Water the roses", file: "garden.org" },
];
const parts: CompletionParts = {
  learnCommands: () => undefined,
  commands: () => [
    { name: "undo", usage: "/undo", help: "undo" },
    { name: "redo", usage: "/redo", help: "redo" },
    { name: "rollback", usage: "/rollback [ID]", help: "restore" },
  ],
  folder: () => "/work",
  home: "/home/ada",
  listNames: async (folder) =>
    folder === "/work" ? ["my-roses.txt", "roses/", "row.txt", "prose.md", ".rc"] : [],
  listNotes: async (words) => notes.filter(({ title }) => title.toLowerCase().includes(words)),
};
const completion = makeCompletion(parts);

async function offered(text: string): Promise<readonly string[]> {
  const found = await completion.getSuggestions([text], 0, text.length, {
    signal: new AbortController().signal,
  });
  return (found?.items ?? []).map(({ value }) => value);
}

test("files and notes are offered best first, and a note as a link that Org follows", async () => {
  assert.deepEqual(await offered("look at @ros"), [
    "@roses/",
    "@my-roses.txt",
    "@prose.md",
    "[[id:a1][Roses old]]",
    "[[file:garden.org::*Water the roses][Water the roses]]",
  ]);
  assert.deepEqual(await offered("@r"), ["@roses/", "@row.txt", "@my-roses.txt", "@prose.md"]);
  assert.deepEqual(await offered("@.r"), ["@.rc"]);
});

test("notes are waited for as long as nothing else is offered, and files do not wait for a daemon that says nothing", async () => {
  const asked: { readonly words: string; readonly answer: () => void }[] = [];
  const slow = makeCompletion({
    ...parts,
    listNotes: (words, unwanted) =>
      new Promise((resolve) => {
        asked.push({ words, answer: () => resolve(notes) });
        unwanted.addEventListener("abort", () => resolve([]));
      }),
  });
  const wanted = new AbortController();
  const offer = (text: string) => slow.getSuggestions([text], 0, text.length, { signal: wanted.signal });
  assert.deepEqual((await offer("@prose"))?.items, [{ value: "@prose.md", label: "prose.md" }]);
  const late = offer("@Water");
  await new Promise((resolve) => setTimeout(resolve, 400));
  asked.find(({ words }) => words === "Water")?.answer();
  assert.deepEqual(
    (await late)?.items.map(({ label }) => label),
    ["Roses [old]", "Water the roses"],
  );
  const left = offer("@Fern");
  while (asked.length < 3) await new Promise(setImmediate);
  wanted.abort();
  assert.equal(await left, null);
});

test("commands are offered by their beginning, then by what stands in them", async () => {
  assert.deepEqual(await offered("/r"), ["/redo", "/rollback"]);
  assert.deepEqual(await offered("/do"), ["/undo", "/redo"]);
  assert.deepEqual(await offered("/rb"), ["/rollback"]);
  assert.deepEqual(await offered("so /r"), []);
});

test("paths that a terminal pastes when files are dropped on it are read in each form, and other text is none", () => {
  for (const [text, paths] of [
    ["/home/ada/a.png ", ["/home/ada/a.png"]],
    ["'/home/ada/my photo.png'", ["/home/ada/my photo.png"]],
    ['"/home/ada/my photo.png"', ["/home/ada/my photo.png"]],
    ["/home/ada/my\\ photo\\ \\(1\\).png", ["/home/ada/my photo (1).png"]],
    ["file:///home/ada/my%20photo.png", ["/home/ada/my photo.png"]],
    ["/a/one.txt '/b/two words.txt'", ["/a/one.txt", "/b/two words.txt"]],
    ["/etc/hosts is odd", null],
    ["/undo", ["/undo"]],
    ["see /a/b", null],
    ["/a\n/b", null],
    ["file:///%zz", null],
  ] as const)
    assert.deepEqual(droppedPaths(text), paths, text);
});
