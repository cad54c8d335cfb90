import { fillProxyPassword } from "../../connect/proxy.ts";
import type { Vault } from "../../settings/vault.ts";
import { type KeyPlaces, needsVault } from "./needs-vault.ts";
import type { Agent } from "./resources/agent.ts";

/**
 * The vault as this process keeps it. Each unlocking, locking and refusal is recorded, and never a passphrase. The
 * answer says whether a provider in use needs it: nobody asks for a passphrase without need. Once it is
 * unlocked, the proxies in `variables` get their password.
 */
export function makeAgentVault(
  config: KeyPlaces & { readonly vault: Vault },
  record: (event: string) => Promise<void>,
  variables: Record<string, string | undefined> = process.env,
): Pick<Agent, "changeVault"> {
  const { vault } = config;
  return {
    async changeVault(request) {
      if (request.change === "lock") {
        vault.lock();
        await record("vault-locked");
      }
      if (request.change === "unlock") {
        const result = await vault.unlock(request.passphrase);
        await record(result.ok ? "vault-unlocked" : "vault-not-unlocked");
        if (!result.ok) return { kind: "refused", code: result.code, text: result.reason };
        fillProxyPassword(vault, variables);
      }
      const { state, text } = vault.status();
      return { kind: "said", code: `vault-${state}`, text, data: { needed: needsVault(config) } };
    },
  };
}
