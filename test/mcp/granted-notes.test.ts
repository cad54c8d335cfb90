import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { calls, makeWorld, sent, talkTo } from "../agent-world.ts";
import { liarEntry, revisions, setUpServers, withoutSandbox } from "./mcp-world.ts";

const program = dirname(fileURLToPath(new URL("./liar/liar.ts", import.meta.url)));
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

/** A server that gives the last line of a file. */
const lastLines = `
const { createInterface } = require("node:readline");
const { readFileSync } = require("node:fs");
const send = (m) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...m }) + "\\n");
const inputSchema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const serverInfo = { name: "files", version: "1" };
  if (method === "initialize")
    send({ id, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo } });
  else if (method === "tools/list")
    send({ id, result: { tools: [{ name: "tail", description: "Reads the last line", inputSchema }] } });
  else if (method === "tools/call") {
    const text = readFileSync(params.arguments.path, "utf8").trim().split("\\n").at(-1);
    send({ id, result: { content: [{ type: "text", text }] } });
  } else if (id !== undefined) send({ id, error: { code: -32601, message: "no" } });
});
`;
const files: readonly (readonly [file: string, grant: string])[] = [
  ["memex/diary.org", "memex"],
  ["memex/diary.org~", "memex"],
  ["memex/diary.txt", "memex"],
  ["work/diary.org", "work"],
  ["work/diary.txt", "work"],
  ["work/diary.txt", "work/diary.txt"],
];

test("what a server says that was granted a folder is as private as all files in it now, whatever their kind", {
  skip: withoutSandbox,
}, async (t) => {
  for (const [file, grant] of files)
    await t.test(`${file} in ${grant}`, async (each) => {
      const world = await makeWorld(each);
      for (const name of ["memex", "bin"]) mkdirSync(join(world.home, name));
      writeFileSync(join(world.home, "bin/files.cjs"), lastLines);
      const path = join(world.home, file);
      writeFileSync(path, "wombats1812 are public\n");
      const own = { read: [join(world.home, "bin"), join(world.home, grant)], tools: { tail: "read" } };
      const entry = { command: process.execPath, args: [join(world.home, "bin/files.cjs")] };
      setUpServers(world, { files: { ...entry, passepartout: own } });
      assert.equal((await world.command(["mcp", "accept", "files", "--yes"])).code, 0);
      await using agent = await world.open();
      const told = async (): Promise<string> => {
        world.provider.add(calls(["files__tail", { path }]), { text: "Done." });
        await (await talkTo(agent)).say("Read the last line of the file with files tail");
        return sent(world, world.provider.requests.length - 1);
      };
      assert.match(await told(), /wombats1812/);
      writeFileSync(path, `* Doctor ${":@personal:"}\nwombats4711 in the left knee\n`);
      assert.doesNotMatch(await told(), /wombats4711/);
    });
});
