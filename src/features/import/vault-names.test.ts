import assert from "node:assert/strict";
import { test } from "node:test";
import { makeHome } from "./import.fixture.ts";
import { planImport } from "./plan-import.ts";

const key = ["Zq8", "kW3mN7", "pX2"].join("");

test("no name in the vault stands for keys of two servers, for two keys of one, or for what the vault or another entry has", async (t) => {
  const server = (...keys: readonly string[]) => ({
    command: "run",
    env: Object.fromEntries(keys.map((name) => [name, `${name} ${key}`])),
  });
  const home = makeHome(t, {
    ".claude/CLAUDE.md": "hi\n",
    ".claude.json": JSON.stringify({
      mcpServers: {
        a: server("B_API_KEY", "B-API-KEY", "KEPT_TOKEN", "MINE_TOKEN"),
        "a-b": server("API_KEY"),
        A_b: server("API_KEY"),
        known: server("API_KEY"),
      },
    }),
    ".config/passepartout/mcp.json": JSON.stringify({
      mcpServers: {
        mine: { command: "x", env: { X: `\${vault:a-mine-token}` } },
        known: { command: "run", env: { API_KEY: `\${vault:known-api-key}` } },
      },
    }),
  });
  const { vault } = home.policy().config;
  for (const name of ["a-kept-token", "known-api-key"])
    assert.ok((await vault.set("long enough words", name, key)).ok);
  const { servers } = (await planImport(home.policy(), "claude")) ?? assert.fail();
  assert.deepEqual(
    servers.map(({ name, vault: names }) => [name, ...names]),
    [
      ["a", "a-b-api-key", "a-b-api-key-2", "a-kept-token-2", "a-mine-token-2"],
      ["a-b", "a-b-api-key-3"],
      ["A_b", "a-b-api-key-4"],
      ["known", "known-api-key"],
    ],
  );
});
