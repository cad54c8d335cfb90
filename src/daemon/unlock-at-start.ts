import { fillProxyPassword, proxyPassword, withPassword } from "../connect/proxy.ts";
import type { Config } from "../settings/config.ts";
import { readGivenPassphrase } from "../settings/given-passphrase.ts";
import type { StartContext } from "../settings/start-context.ts";
import { needsVault } from "./agent/needs-vault.ts";

/** How often a person may type the passphrase. */
const mostTries = 3;

/**
 * Unlocks the vault of an agent that starts: by the passphrase that was given to its process, or, where a provider in use needs a key of the vault and a
 * person is there, by asking for it; or by the system's keyring, where that has the passphrase. Without a passphrase the vault stays locked, and the agent starts.
 */
export async function unlockAtStart(
  start: StartContext,
  config: Config,
  { mayAsk }: { readonly mayAsk: boolean } = { mayAsk: true },
): Promise<void> {
  const wanted = withPassword(process.env, "");
  await unlock(start, config, { mayAsk, isForProxy: Object.keys(wanted).length > 0 });
  fillProxyPassword(config.vault, process.env);
}

async function unlock(
  start: StartContext,
  config: Config,
  { mayAsk, isForProxy }: { readonly mayAsk: boolean; readonly isForProxy: boolean },
): Promise<void> {
  const { vault } = config;
  if (vault.status().state !== "locked") return;
  const given = readGivenPassphrase(start.environment);
  if (given !== null) {
    const result = await vault.unlock(given);
    if (!result.ok) start.warn?.(`The vault stays locked. ${result.reason}`);
    return;
  }
  const isNeeded = needsVault(config) || (isForProxy && vault.status().names.includes(proxyPassword));
  const { keyringEntry, bindings } = vault.status();
  if (keyringEntry !== null) {
    if (isNeeded || bindings.size > 0) await unlockByKeyring(start, vault, keyringEntry);
    return;
  }
  if (!mayAsk || !isNeeded || start.askPassphrase === undefined) return;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const typed = await start.askPassphrase("Passphrase of the vault (Enter alone leaves it locked): ");
    if (typed === "") return;
    const result = await vault.unlock(typed);
    if (result.ok) return;
    start.warn?.(result.reason);
    if (result.code !== "wrong-passphrase") return;
  }
}

/** Asks the keyring of the system. It is loaded here: most vaults have a passphrase that a person knows. */
async function unlockByKeyring(
  { environment, warn }: StartContext,
  vault: Config["vault"],
  entry: string,
): Promise<void> {
  const { findKeyring } = await import("../settings/keyring.ts");
  const keyring = findKeyring(environment);
  const kept = (await keyring?.read(entry)) ?? { ok: false, reason: "No keyring can be reached from here." };
  const result = kept.ok ? await vault.unlock(kept.passphrase) : kept;
  if (!result.ok) warn?.(`The vault stays locked. ${result.reason}`);
}
