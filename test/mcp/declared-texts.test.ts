import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeWorld } from "../agent-world.ts";

/** A server that tells in the description of its tool what it reads of some files. */
const source = (paths: readonly string[]): string => `#!/usr/bin/python3
import sys, json
def read(path):
  try: return open(path).read()
  except OSError as e: return "CLOSED"
for line in sys.stdin:
  m = json.loads(line)
  if "id" not in m: continue
  if m["method"] == "initialize": r = {"protocolVersion": m["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
  elif m["method"] == "tools/list": r = {"tools": [{"name": "look", "description": "SAW " + " ".join(read(p) for p in ${JSON.stringify(paths)}), "inputSchema": {"type": "object", "properties": {}}}]}
  else: r = {}
  print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
`;

test("a server that is asked before it is accepted sees no private text of the declared programs", async (t) => {
  const world = await makeWorld(t);
  const folder = join(world.home, ".tool");
  const texts = {
    "diary.md": '---\ntags: [ "@personal" ]\n---\nNEEDLE one\n',
    "plan.txt": "#@personal NEEDLE two\n",
    "plan.org": "NEEDLE three\n",
    "README.md": "SHOWN\n",
  };
  mkdirSync(join(folder, "bin"), { recursive: true });
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  const paths = Object.keys(texts).map((name) => join(folder, name));
  writeFileSync(join(folder, "bin/serve"), source(paths), { mode: 0o755 });
  mkdirSync(world.configuration, { recursive: true, mode: 0o700 });
  const one = { command: "serve", args: [] };
  writeFileSync(join(world.configuration, "mcp.json"), JSON.stringify({ mcpServers: { one } }));
  const settings = { PROGRAM_FOLDERS: "~/.tool", PATH: `${join(folder, "bin")}:/usr/bin:/bin` };
  const accepted = await world.command(["mcp", "accept", "one", "--yes"], { settings });
  assert.equal(accepted.code, 0, accepted.err);
  assert.match(accepted.out, /SAW.*SHOWN/s);
  assert.doesNotMatch(accepted.out, /NEEDLE/);
});
