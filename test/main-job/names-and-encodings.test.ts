import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { calls, makeWorld, talkTo } from "../agent-world.ts";

const composed = "r\u00e9sum\u00e9";
const decomposed = composed.normalize("NFD");

for (const [onDisk, written] of [
  [decomposed, composed],
  [composed, decomposed],
] as const) {
  const form = onDisk === composed ? "NFC" : "NFD";
  test(`a file whose name is in ${form} is one file, whichever way a model writes it`, async (t) => {
    const world = await makeWorld(t, [
      calls(["read-file", { path: `${written}/${written}.txt` }]),
      calls(["edit-file", { path: `${written}/${written}.txt`, old: "first", new: "second" }]),
      calls(["write-file", { path: `${written}/${written} 2.txt`, content: "new\n" }]),
      calls(["write-file", { path: `${written}/${written}.txt`, content: "third\n" }]),
      { text: "Done." },
    ]);
    mkdirSync(world.path(onDisk));
    writeFileSync(world.path(`${onDisk}/${onDisk}.txt`), "first\n");
    await using agent = await world.open();
    assert.equal((await (await talkTo(agent)).say("Go on.")).end, "answered");
    assert.deepEqual(readdirSync(world.workspace), [onDisk]);
    assert.deepEqual(
      readdirSync(world.path(onDisk)).toSorted(),
      [`${written} 2.txt`, `${onDisk}.txt`].toSorted(),
    );
    assert.equal(readFileSync(world.path(`${onDisk}/${onDisk}.txt`), "utf8"), "third\n");
  });
}

test("where two names of the same look are there, each is meant by its own form, and a third form is refused", async (t) => {
  const mixed = `r\u00e9sum${"\u00e9".normalize("NFD")}`;
  const world = await makeWorld(t, [
    calls(["write-file", { path: composed, content: "composed\n" }]),
    calls(["write-file", { path: mixed, content: "mixed\n" }]),
    { text: "Done." },
  ]);
  for (const name of [composed, decomposed]) writeFileSync(world.path(name), "old\n");
  await using agent = await world.open();
  await (await talkTo(agent)).say("Go on.");
  assert.deepEqual(readdirSync(world.workspace).toSorted(), [composed, decomposed].toSorted());
  assert.equal(readFileSync(world.path(composed), "utf8"), "composed\n");
  assert.equal(readFileSync(world.path(decomposed), "utf8"), "old\n");
  assert.match(world.provider.requests.at(-1)?.body ?? "", /2 names in .* look like/);
});

test("UTF-16 with a mark is text for reading and searching, and what is private in it stays private", async (t) => {
  const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();
  const little = (text: string): Buffer => Buffer.from(`\ufeff${text}`, "utf16le");
  const world = await makeWorld(t, [
    calls(["read-file", { path: "little.txt" }]),
    calls(["read-file", { path: "big.txt" }]),
    calls(["search-files", { pattern: "needle" }]),
    calls(["read-file", { path: "private.org" }]),
    { text: "Done." },
  ]);
  writeFileSync(world.path("little.txt"), little("one\r\nGr\u00fc\u00dfe and a needle\r\n"));
  writeFileSync(world.path("big.txt"), swapped(little("two \u{1f600}\r\n")));
  writeFileSync(world.path("private.org"), little("* Health :@personal:\nthe lump in the lung\n"));
  await using agent = await world.open();
  await (await talkTo(agent)).say("Go on.");
  const told = world.provider.requests.at(-1)?.body ?? "";
  assert.match(told, /Gr\u00fc\u00dfe and a needle/);
  assert.match(told, /two \u{1f600}/u);
  assert.equal(told.split("a needle").length - 1 >= 2, true, "read and found");
  assert.doesNotMatch(told, /lump in the lung/);
});
