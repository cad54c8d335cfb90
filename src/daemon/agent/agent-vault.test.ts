import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { proxyPassword } from "../../connect/proxy.ts";
import { openVault } from "../../settings/vault.ts";
import { makeAgentVault } from "./agent-vault.ts";

test("a client is told whether a provider in use needs the vault that is locked", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "vault-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "vault.json");
  assert.equal((await openVault(file, 16_384).set("three swans", "loop-key", "a-key-of-the-vault")).ok, true);
  const provider = { name: "loop", vaultKey: "loop-key" };
  for (const [cascade, embedding, needed] of [
    [["loop"], null, true],
    [["other"], null, false],
    [[], { provider }, true],
    [["loop"], { provider: {} }, true],
  ] as const) {
    const agent = makeAgentVault(
      {
        vault: openVault(file, 16_384),
        providers: [provider, { name: "other" }],
        cascade,
        embedding,
        mcpServers: [],
        mcpLogins: { of: () => ({ kind: "none" }) },
      },
      async () => {},
    );
    const status = await agent.changeVault({ change: "none" });
    assert.equal(status.kind === "said" && status.code, "vault-locked");
    assert.deepEqual(status.kind === "said" && status.data, { needed });
  }
});

test("a vault that is unlocked while the agent runs gives the proxy of the process its password", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "vault-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "vault.json");
  assert.equal(
    (await openVault(file, 16_384).set("three swans", proxyPassword, "hunter2-of-the-proxy")).ok,
    true,
  );
  const places = { providers: [], cascade: [], embedding: null, mcpServers: [] };
  const config = {
    ...places,
    vault: openVault(file, 16_384),
    mcpLogins: { of: () => ({ kind: "none" as const }) },
  };
  const variables = { HTTPS_PROXY: "http://me@proxy.example:3128", ALL_PROXY: "http://me@all.example:1" };
  const agent = makeAgentVault(config, async () => {}, variables);
  await agent.changeVault({ change: "unlock", passphrase: "wrong" });
  assert.equal(variables.HTTPS_PROXY, "http://me@proxy.example:3128");
  await agent.changeVault({ change: "unlock", passphrase: "three swans" });
  assert.deepEqual(variables, {
    HTTPS_PROXY: "http://me:hunter2-of-the-proxy@proxy.example:3128/",
    ALL_PROXY: "http://me:hunter2-of-the-proxy@all.example:1/",
  });
});
