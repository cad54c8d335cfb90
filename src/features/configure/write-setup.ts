import type { Io } from "../../kernel/io.ts";
import { tellUnrecorded } from "../../program/tell-unrecorded.ts";
import { type AskHidden, choosePassphrase, withPassphrase } from "../../program/vault-passphrase.ts";
import { changeEnvFile } from "../../settings/edit-env-file.ts";
import type { VaultResult } from "../../settings/vault.ts";
import type { SetupNow, SetupPlan } from "./setup-plan.ts";

/** How a person is asked for the passphrase of the vault, and for one of a new vault. */
export type AskPassphrase = { readonly known: AskHidden; readonly next: () => Promise<string> };

/**
 * Writes a plan: the keys into the vault, then the settings. Throws where a key cannot be kept, and then no
 * setting is written.
 */
export async function writeSetup(
  io: Io,
  plan: SetupPlan,
  { now, ask }: { readonly now: SetupNow; readonly ask?: AskPassphrase },
): Promise<void> {
  const { secrets } = plan;
  const once = ask === undefined ? undefined : askedOnce(ask);
  for (const secret of secrets) {
    const kept = await keepSecret(io, secret, { now, ask: once });
    if (!kept.ok) throw new Error(kept.reason);
  }
  await changeEnvFile(plan.path, plan.changes);
  if (secrets.length > 0) await tellUnrecorded(io);
}

/** A passphrase that was typed for one key of a new vault is known for the next one. */
function askedOnce(ask: AskPassphrase): AskPassphrase {
  const typed: { passphrase: string | null } = { passphrase: null };
  return {
    known: async (question) => typed.passphrase ?? ask.known(question),
    async next() {
      typed.passphrase = await ask.next();
      return typed.passphrase;
    },
  };
}

async function keepSecret(
  io: Io,
  { name, value }: SetupPlan["secrets"][number],
  { now, ask }: { readonly now: SetupNow; readonly ask: AskPassphrase | undefined },
): Promise<VaultResult> {
  const { vault } = now.config;
  if (vault.status().state === "none")
    return vault.set(await choosePassphrase(io, false, ask?.next), name, value);
  return withPassphrase(io, vault, (given) => vault.set(given, name, value), ask?.known);
}

export const keepsOldSettings =
  "An agent runs with the settings from before. Leave its conversations, or end its daemon with Ctrl-C; the next start has the new ones.";
