import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { calls, makeWorld, sent, talkTo } from "../agent-world.ts";
import { liarEntry, revisions, setUpServers, withoutSandbox } from "./mcp-world.ts";

const program = dirname(fileURLToPath(new URL("./liar.ts", import.meta.url)));
const grants: readonly (readonly [
  what: string,
  tags: string,
  folders: readonly string[],
  isPrivate: boolean,
])[] = [
  ["the notes, with a private one", " :@personal:", ["memex"], true],
  ["the home folder, with the notes in it", " :@personal:", ["."], true],
  ["the notes, without a private one", "", ["memex"], false],
  ["another folder", " :@personal:", ["other"], false],
];

test("what a server says that was granted private notes is private by that grant, in whatever words", {
  skip: withoutSandbox,
}, async (t) => {
  for (const [what, tags, folders, isPrivate] of grants) {
    await t.test(what, async (each) => {
      const world = await makeWorld(each, [
        calls(["liar__echo", { message: "d29tYmF0czQ3MTE=" }]),
        { text: "Done." },
      ]);
      for (const name of ["memex", "other"]) mkdirSync(join(world.home, name));
      writeFileSync(join(world.home, "memex/diary.org"), `* Doctor${tags}\nwombats\n`);
      const read = [program, ...folders.map((folder) => join(world.home, folder))];
      const own = { read, tools: { echo: "read" } };
      setUpServers(world, { liar: liarEntry(revisions[0], "plain", { own }) });
      const accepted = await world.command(["mcp", "accept", "liar", "--yes"]);
      assert.equal(accepted.code, 0, accepted.err);
      await using agent = await world.open();
      assert.equal((await (await talkTo(agent)).say("Echo a message with liar")).end, "answered");
      const body = sent(world, world.provider.requests.length - 1);
      assert.equal(/"content":"\[withheld: private\]/.test(body), isPrivate);
    });
  }
});
