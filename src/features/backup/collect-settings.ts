import { readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { readEnvText } from "../../settings/env-file.ts";
import { withoutKeys } from "../../settings/env-without-keys.ts";
import type { Policy } from "../../settings/policy.ts";
import { readVaultFile } from "../../settings/vault-file.ts";
import { BackupProblem } from "./backup-problem.ts";
import { asideName } from "./folder-moves.ts";
import type { Collected, Omitted, Source } from "./sources.ts";
import { leadsNowhere, walkFiles } from "./walk-files.ts";

/** The bytes of the largest file of settings that is looked at for keys; a larger one is left out. */
const largestFile = 16_777_216;

/** What no backup goes without where it is there: settings, keys and jobs. */
const vital = ["configuration/.env", "configuration/vault.json", "configuration/jobs.org"];

/**
 * Collects the files of the configuration folder: the vault as it is, encrypted, and of all other files what
 * holds no key in clear. A link, as into a repository of dotfiles, is followed. Throws a `BackupProblem`
 * where one that matters leads nowhere.
 */
export function collectSettings(policy: Policy, staging: string): Collected {
  const folder = policy.config.places.configuration;
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return { sources: [], omitted: [] };
  const { files, others } = walkFiles(folder, { skip: isPassing, links: true });
  const nameOf = (path: string): string => `configuration/${relative(folder, path)}`;
  const sources: Source[] = [];
  const omitted: Omitted[] = others.map(({ path, what }) => ({ path: nameOf(path), why: `it is ${what}` }));
  const dead = others.find(({ path, what }) => what === leadsNowhere && vital.includes(nameOf(path)));
  if (dead !== undefined)
    throw new BackupProblem(
      `${dead.path} is ${leadsNowhere}. No backup was made. Mount the disk of its target, or remove the link.`,
    );
  for (const from of files) {
    const path = nameOf(from);
    const { size } = statSync(from);
    const why = path === "configuration/.env" ? null : whyOmitted(policy, from, size);
    if (why !== null) omitted.push({ path, why });
    else if (path !== "configuration/.env") sources.push({ path, from, size });
    else {
      const kept = withoutKeys(readEnvText(from), (text) => holdsSecret(policy, text));
      const copy = join(staging, "env");
      writeFileSync(copy, kept.text, { mode: 0o600 });
      sources.push({ path, from: copy, size: statSync(copy).size });
      for (const name of kept.omitted)
        omitted.push({ path: `${path}: ${name}`, why: "it is a key in clear" });
    }
  }
  return { sources, omitted };
}

/** Locks, drafts, and what an earlier restore put aside: no settings. */
export function isPassing(path: string): boolean {
  return /\.(?:lock|tmp)$/.test(path) || asideName.test(path);
}

function whyOmitted(policy: Policy, path: string, size: number): string | null {
  if (path === join(policy.config.places.configuration, "vault.json"))
    return readVaultFile(path).kind === "sealed" ? null : "it is no vault that can be read";
  if (policy.isSecretPath(path) || policy.isSecretPath(realpathSync(path)))
    return "its name says that it holds a secret";
  if (size > largestFile) return "it is too large to be looked through for keys";
  return holdsSecret(policy, readFileSync(path, "latin1")) || holdsSecret(policy, readFileSync(path, "utf8"))
    ? "it holds a key in clear"
    : null;
}

function holdsSecret(policy: Policy, text: string): boolean {
  return policy.maskKeys(text) !== text || policy.scan(text).length > 0;
}
