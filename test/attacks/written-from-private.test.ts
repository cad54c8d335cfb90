import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type AgentWorld, calls, makeWorld, sent, talkTo } from "../agent-world.ts";
import { setUpServers, withoutSandbox } from "../mcp/mcp-world.ts";

const words = "wombats4711 a lump in my lung";
const reversed = [...words].reverse().join("");
/** Reverses what it was told to read, as what knows no word of it cannot tell. */
const reverse = "tail -n 1 ~/memex/health.org | rev > x.txt";
const readX = ["read-file", { path: "x.txt" }] as const;

type Call = readonly [string, object];

/**
 * Lets the agent make each call, with a yes where one is asked for, and gives what was sent to the model
 * behind it.
 */
async function sentAfterEach(world: AgentWorld, made: readonly Call[]): Promise<readonly string[]> {
  await using agent = await world.open();
  const bodies: string[] = [];
  for (const [at, call] of made.entries()) {
    world.provider.drop();
    world.provider.add(calls(call), { text: "Done." });
    const talk = await talkTo(agent, `talk-${at}`);
    const said = await talk.say(`Copy the file ${world.path("x.txt")} to ${world.path("y.txt")}.`);
    if (said.end === "approval-required") await talk.say(`/approve ${talk.token()}`);
    bodies.push(sent(world, world.provider.requests.length - 1));
  }
  return bodies;
}

async function worldWithHealth(t: TestContext, trials: boolean): Promise<AgentWorld> {
  const world = await makeWorld(t, [], { TRIALS: String(trials) });
  mkdirSync(join(world.home, "memex"), { recursive: true });
  writeFileSync(join(world.home, "memex/health.org"), `* Health :@personal:\n${words}\n`);
  return world;
}

/** A server that appends to a file, and one that copies a file with its letters apart. */
const server = `
const { createInterface } = require("node:readline");
const fs = require("node:fs");
const send = (m) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...m }) + "\\n");
const tool = (name, ...args) => ({ name, description: name, inputSchema: { type: "object", properties: Object.fromEntries(args.map((a) => [a, {}])) } });
const act = ({ name, arguments: { path, text, from, to } }) =>
  name === "append" ? fs.appendFileSync(path, text) : fs.writeFileSync(to, [...fs.readFileSync(from, "utf8")].join("_"));
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") send({ id, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "files", version: "1" } } });
  else if (method === "tools/list") send({ id, result: { tools: [tool("append", "path", "text"), tool("copy", "from", "to")] } });
  else if (method === "tools/call") { act(params); send({ id, result: { content: [{ type: "text", text: "done" }] } }); }
  else if (id !== undefined) send({ id, error: { code: -32601, message: "no" } });
});
`;

test("what a server writes where it was granted private text stays private, in the same file and in another", {
  skip: withoutSandbox,
}, async (t) => {
  const world = await worldWithHealth(t, true);
  mkdirSync(join(world.home, "bin"));
  writeFileSync(join(world.home, "bin/files.cjs"), server);
  const tools = {
    append: { effect: "read", critical: [], destinations: [] },
    copy: { effect: "write", critical: ["from", "to"], destinations: [] },
  };
  setUpServers(world, {
    files: {
      command: process.execPath,
      args: [join(world.home, "bin/files.cjs")],
      passepartout: { read: [join(world.home, "bin")], write: [world.workspace], tools },
    },
  });
  assert.equal((await world.command(["mcp", "accept", "files", "--yes"])).code, 0);
  const [x, y] = [world.path("x.txt"), world.path("y.txt")];
  writeFileSync(world.path("plain.txt"), "roses\n");
  const bodies = await sentAfterEach(world, [
    ["shell", { cmd: reverse }],
    ["files__append", { path: x, text: "z" }],
    readX,
    ["files__copy", { from: x, to: y }],
    ["read-file", { path: "y.txt" }],
    ["read-file", { path: "plain.txt" }],
  ]);
  assert.ok(bodies[1]?.includes("done"), "control: the server was called");
  for (const body of bodies)
    assert.ok(![reversed, [...reversed].join("_")].some((text) => body.includes(text)));
  assert.ok(bodies.at(-1)?.includes("roses"), "control: what it did not change is as before");
});

test("a line behind private text leaves it private, also where commands are not tried", {
  skip: withoutSandbox,
}, async (t) => {
  const world = await worldWithHealth(t, false);
  const bodies = await sentAfterEach(world, [
    ["shell", { cmd: reverse }],
    ["shell", { cmd: "echo z >> x.txt" }],
    readX,
    ["shell", { cmd: "cat x.txt" }],
  ]);
  for (const body of bodies) assert.ok(!body.includes(reversed), body);
});
