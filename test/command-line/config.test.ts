import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeWorld } from "../agent-world.ts";

test("config shows each setting with its origin, and changes one line of the settings file", async (t) => {
  const world = await makeWorld(t);
  const file = join(world.configuration, ".env");
  mkdirSync(world.configuration, { recursive: true });
  writeFileSync(file, "# mine\nSHELL_TIMEOUT=20\nOPENAI_API_KEY=sk-clear-1234567890\n", { mode: 0o600 });
  const { out } = await world.command(["config", "list", "--show-origin"]);
  assert.match(out, /^SHELL_TIMEOUT=20 {3}\(\S+\.env\)$/m);
  assert.match(out, /^PROVIDER_CASCADE=loop {3}\(environment\)$/m);
  assert.match(out, /^APPROVAL_EXPIRY=86400 {3}\(default\)$/m);
  assert.match(out, /^OPENAI_API_KEY=\(a key\)/m);
  assert.ok(!out.includes("sk-clear"));
  assert.equal((await world.command(["config", "get", "SHELL_TIMEOUT"])).out, "20\n");
  const dry = await world.command(["config", "set", "SHELL_TIMEOUT", "45", "--dry-run"]);
  assert.match(dry.out, /\.env\n {2}− SHELL_TIMEOUT=20\n {2}\+ SHELL_TIMEOUT=45\n$/);
  assert.match(readFileSync(file, "utf8"), /TIMEOUT=20/);
  assert.equal((await world.command(["config", "set", "SHELL_TIMEOUT", "45"])).out, dry.out);
  assert.match(readFileSync(file, "utf8"), /^# mine\nSHELL_TIMEOUT=45\nOPENAI/);
  await world.command(["config", "unset", "SHELL_TIMEOUT"]);
  assert.equal(
    (await world.command(["config", "get", "SHELL_TIMEOUT", "--show-origin"])).out,
    "30   (default)\n",
  );
});

test("config refuses a key in clear, an unknown name and a value that cannot be parsed, and writes nothing", async (t) => {
  const world = await makeWorld(t);
  for (const [name, value, words] of [
    [
      "OPENAI_API_KEY",
      "sk-clear-1234567890",
      /vault set openai-key.*config set OPENAI_API_KEY vault:openai-key/,
    ],
    ["SHELL_TIMOUT", "3", /Did you mean SHELL_TIMEOUT\?/],
    ["DEPTH_LIMIT", "many", /DEPTH_LIMIT is not a whole number above 0/],
    ["PRIVACY_FILTER_TAGS", "a b", /PRIVACY_FILTER_TAGS is not a list of Org tags/],
    ["MEMEX_DIR", "/", /every file would be one of your notes/],
  ] as const) {
    const { code, err, out } = await world.command(["config", "set", name, value]);
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, words);
    assert.match(err, /Nothing was written\./);
  }
  assert.equal(existsSync(world.configuration), false);
  assert.equal((await world.command(["config", "set", "DEPTH_LIMIT"])).code, 2);
  const kept = await world.command(["config", "set", "OPENAI_API_KEY", "vault:openai-key", "--json"]);
  assert.match(kept.out, /"written":true/);
});
