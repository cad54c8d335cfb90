import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { calls, makeWorld, named, talkTo } from "../agent-world.ts";
import { setUpServers, withoutSandbox } from "./mcp-world.ts";

const everything = fileURLToPath(
  import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"),
);
const filesystem = fileURLToPath(
  import.meta.resolve("@modelcontextprotocol/server-filesystem/dist/index.js"),
);
const packages = dirname(dirname(dirname(dirname(everything))));

test("the protocol's own server for tests and its file server work as processes, and see what their entries grant", {
  skip: withoutSandbox,
}, async (t) => {
  const world = await makeWorld(t);
  const shared = join(world.home, "shared");
  const own = join(world.home, "own");
  const written = join(world.home, "written");
  for (const folder of [shared, own, join(written, ".git", "hooks")]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(written, ".git", "config"), "");
  writeFileSync(join(shared, "herons.txt"), "Seven herons\n");
  writeFileSync(join(shared, "heron.png"), "no picture");
  writeFileSync(join(own, "diary.txt"), "Not for servers\n");
  setUpServers(world, {
    everything: {
      command: process.execPath,
      args: [everything, "stdio"],
      passepartout: { read: [packages], tools: { "get-sum": "read", "get-resource-links": "read" } },
    },
    files: {
      command: process.execPath,
      args: [filesystem, shared, written, world.home],
      passepartout: {
        read: [packages, shared],
        write: [written],
        tools: { read_text_file: "read", read_media_file: "read", write_file: "read" },
      },
    },
  });
  for (const name of ["everything", "files"]) {
    const accepted = await world.command(["mcp", "accept", name, "--yes", "--json"]);
    assert.equal(accepted.code, 0, accepted.err);
    const told: unknown = JSON.parse(accepted.out);
    assert.ok(
      typeof told === "object" && told !== null && "tools" in told && Number(told.tools) > 8,
      accepted.out,
    );
  }
  world.provider.add(
    calls(
      ["everything__get-sum", { a: 20, b: 22 }],
      ["files__read_text_file", { path: join(shared, "herons.txt") }],
      ["files__read_text_file", { path: join(own, "diary.txt") }],
      ["files__write_file", { path: join(written, "new.txt"), content: "new" }],
      ["files__write_file", { path: join(shared, "new.txt"), content: "new" }],
      ["files__write_file", { path: join(written, ".git", "config"), content: "[core]" }],
    ),
    { text: "Done." },
    calls(
      ["everything__get-resource-links", { count: 1 }],
      ["files__read_media_file", { path: join(shared, "heron.png") }],
    ),
    { text: "Done." },
  );
  await using agent = await world.open();
  const talk = await talkTo(agent);
  const said = await talk.say(
    "Sum 20 and 22 with everything, and read and write the text files of herons with files",
  );
  assert.equal(said.end, "answered", said.text);
  const [sum, file, hidden, ...writes] = named(said.events, "outcome");
  assert.match(JSON.stringify(sum?.content), /42/);
  assert.match(JSON.stringify(file?.content), /Seven herons/);
  assert.equal(hidden?.code, "server-error", "what is not granted is not there");
  assert.doesNotMatch(JSON.stringify(hidden), /Not for servers/);
  assert.deepEqual(
    writes.map(({ code }) => code),
    ["", "server-error", "server-error"],
    "it writes where it may, but nothing that is obeyed later",
  );
  assert.equal(readFileSync(join(written, "new.txt"), "utf8"), "new");
  assert.equal(readFileSync(join(written, ".git", "config"), "utf8"), "");
  const shown = await talk.say(
    "Get the resource links of everything, and read the media of herons with files",
  );
  const [links, picture] = named(shown.events, "outcome").map(({ content }) => JSON.stringify(content));
  assert.match(links ?? "", /"uri":"demo:.*"description":.*"mimeType":/);
  assert.match(picture ?? "", /\[image, image\/png, 16 characters, not shown\]/);
  assert.doesNotMatch(picture ?? "", /bm8gcGljdHVyZQ/);
});
