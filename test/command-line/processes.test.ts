import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeWorld } from "../agent-world.ts";

/**
 * A call of each command that ends by itself and changes nothing: of three one is made, with `npm run long`
 * all.
 */
const calls = [
  ["ask", "/status"],
  ["approve", "wrong"],
  ["deny", "wrong"],
  ["judge", "shell", "cmd=ls"],
  ["journal"],
  ["agenda"],
  ["query", "boiler"],
  ["backlinks", "boiler"],
  ["org", "outline", "house.org"],
  ["memory", "search", "boiler"],
  ["secret-paths"],
  ["mcp", "list"],
  ["skill", "list"],
  ["vault", "list"],
  ["rules"],
  ["context", "boiler"],
  ["budget"],
  ["usage"],
  ["models"],
  ["sessions"],
  ["review"],
  ["jobs"],
  ["garden"],
  ["config"],
  ["completion", "bash"],
  ["service", "wrong"],
  ["frobnicate"],
  ["--help"],
];

const isLong = process.env["LONG"] === "all";

test("a command's process ends by itself, with the words and the exit code that the command gives in the process of its caller", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello." }]);
  mkdirSync(join(world.home, "memex"));
  writeFileSync(join(world.home, "memex", "house.org"), "* Boiler :project:\nServiced in March.\n");
  assert.equal((await world.run(["ask", "hello"])).out, "Hello.\n");
  for (const call of calls.filter((_, index) => isLong || index % 3 === 0))
    assert.deepEqual(await world.command(call), await world.run(call), call.join(" "));
});
