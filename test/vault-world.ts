import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openVault } from "../src/settings/vault.ts";
import type { AgentWorld } from "./agent-world.ts";

/** The least cost of a passphrase that a vault allows: each try takes an eighth of the time. */
const cost = 16_384;

/** Keeps a value in the vault of a world, which it makes where there is none. */
export async function keepInVault(
  world: AgentWorld,
  passphrase: string,
  name: string,
  value: string,
): Promise<void> {
  const kept = await openVault(join(world.configuration, "vault.json"), cost).set(passphrase, name, value);
  if (!kept.ok) throw new Error(kept.reason);
}

/** The settings with which a command has the passphrase of the vault as a credential. */
export function givePassphrase(
  world: AgentWorld,
  passphrase: string,
): { readonly CREDENTIALS_DIRECTORY: string } {
  const folder = join(world.home, "credentials");
  mkdirSync(folder);
  writeFileSync(join(folder, "passepartout-passphrase"), `${passphrase}\n`);
  return { CREDENTIALS_DIRECTORY: folder };
}
