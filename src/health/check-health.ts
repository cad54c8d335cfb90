import { existsSync, statSync } from "node:fs";
import { findSandbox } from "../act/sandbox/bubblewrap.ts";
import { describeDamage } from "../memory/journal/journal-files.ts";
import { openState } from "../memory/state/open-state.ts";
import { StateProblem } from "../memory/storage/state-problem.ts";
import { currentRests } from "../reason/providers/current-rests.ts";
import type { Environment } from "../settings/environment.ts";
import { loadPolicy, type Policy } from "../settings/policy.ts";
import { SettingsError } from "../settings/settings-error.ts";
import { describeRest, type ProviderRest } from "../signal/provider-rest.ts";
import { checkNotes } from "./check-notes.ts";
import { checkProviders } from "./check-providers.ts";
import { findFolderProblem } from "./find-folder-problem.ts";
import type { HealthCheck } from "./health-check.ts";

/** The health of the agent, with the checks that it follows from. */
export type HealthReport = {
  readonly health: "unknown" | "healthy" | "degraded" | "unhealthy";
  readonly checks: readonly HealthCheck[];
};

/** Checks all that the agent depends on. Never throws: a check that fails makes the agent unhealthy. */
export async function checkHealth({
  environment,
}: {
  readonly environment: Environment;
}): Promise<HealthReport> {
  try {
    const policy = loadPolicy(environment);
    const checks: HealthCheck[] = [
      checkGates(policy),
      ...checkSettings(policy),
      ...(await checkProviders(policy.config)),
      await checkSandbox(),
      ...checkFolders(policy),
      ...(await checkNotes({ folder: policy.folders.notes, variables: policy.config.org })),
      ...(await checkState(policy)),
    ];
    return { health: worstOf(checks), checks };
  } catch (error) {
    if (error instanceof SettingsError) {
      return { health: "unhealthy", checks: [{ name: "settings", result: "bad", text: error.message }] };
    }
    const text = `The check itself failed: ${error instanceof Error ? error.message : String(error)}`;
    return { health: "unhealthy", checks: [{ name: "doctor", result: "bad", text }] };
  }
}

function worstOf(checks: readonly HealthCheck[]): HealthReport["health"] {
  if (checks.some(({ result }) => result === "bad")) return "unhealthy";
  return checks.some(({ result }) => result === "finding") ? "degraded" : "healthy";
}

function checkGates({ failedCanaries, gateCount }: Policy): HealthCheck {
  const failed = failedCanaries();
  if (failed.length === 0) {
    return { name: "gates", result: "ok", text: `${gateCount} gates; all that must be blocked is blocked` };
  }
  const text = `the judge let through what it must block: ${failed.join(", ")}. The agent answers but does not act. Reinstall this version.`;
  return { name: "gates", result: "bad", text };
}

function checkSettings({ config }: Policy): readonly HealthCheck[] {
  const unused = config.unusedSettings.map(
    (name): HealthCheck => ({
      name: "settings",
      result: "ok",
      text: `${name} is accepted and has no effect: everything is saved at once, and nothing sleeps`,
    }),
  );
  if (config.problems.length === 0) {
    return [{ name: "settings", result: "ok", text: "all settings could be parsed" }, ...unused];
  }
  return [
    ...config.problems.map((text): HealthCheck => ({ name: "settings", result: "finding", text })),
    ...unused,
  ];
}

async function checkSandbox(): Promise<HealthCheck> {
  if ((await findSandbox()) !== null) return { name: "sandbox", result: "ok", text: "bubblewrap works" };
  return {
    name: "sandbox",
    result: "finding",
    text: "bubblewrap does not work here: commands that are not proved harmless ask you, and would run without a sandbox. Install the package bubblewrap (Linux only).",
  };
}

function checkFolders({ config, folders: { notes } }: Policy): readonly HealthCheck[] {
  const settings = checkSettingsFile(`${config.places.configuration}/.env`);
  const problem = findFolderProblem(notes);
  if (problem !== null) {
    const text = `notes cannot be saved: ${problem} Or set MEMEX_DIR to another folder.`;
    return [{ name: "folders", result: "bad", text }, ...settings];
  }
  const text = existsSync(notes) ? `${notes} is writable` : `${notes} is created with the first note`;
  return [{ name: "folders", result: "ok", text }, ...settings];
}

/** Checks whether there is a settings file that only its owner can open. Whether it can be parsed is a check of the settings. */
function checkSettingsFile(path: string): readonly HealthCheck[] {
  if (!existsSync(path)) {
    const text = `settings come from the environment alone: there is no ${path} yet`;
    return [{ name: "folders", result: "ok", text }];
  }
  const found: HealthCheck = { name: "folders", result: "ok", text: `settings are read from ${path}` };
  if ((statSync(path).mode & 0o077) === 0) return [found];
  const text = `other users of this machine can open ${path}, which may hold keys. Protect it: chmod 600 ${path}`;
  return [found, { name: "folders", result: "finding", text }];
}

function restFinding(rest: ProviderRest): HealthCheck {
  const text = `${rest.provider} ${describeRest(rest, Date.now())}. Another model, key or address ends the rest.`;
  return { name: "providers", result: "finding", text };
}

async function checkState({ config, gatesHash }: Policy): Promise<readonly HealthCheck[]> {
  const folder = config.places.state;
  const problem = findFolderProblem(folder);
  if (problem !== null) {
    const text = `nothing can be saved: ${problem} Or set XDG_STATE_HOME to another folder.`;
    return [{ name: "state", result: "bad", text }];
  }
  if (!existsSync(`${folder}/state.db`)) {
    return [{ name: "state", result: "ok", text: `${folder} is created at the first use` }];
  }
  try {
    await using state = await openState({ folder, clock: Date.now, gates: gatesHash, access: "read" });
    const rests = currentRests(await state.providerRests.all(), config, Date.now());
    const problems = await state.verify();
    const lack = state.diskReserve.findLack();
    const journal = await state.journal.verify();
    return [
      ...rests.map(restFinding),
      ...(lack === null ? [] : [{ name: "state", result: "bad", text: lack } as const]),
      problems.length === 0
        ? { name: "state", result: "ok", text: `${folder}: database and memory are intact` }
        : { name: "state", result: "bad", text: `${folder}: ${problems.join("; ")}. Restore a backup.` },
      journal.ok
        ? { name: "journal", result: "ok", text: `${journal.entries} entries, chain intact` }
        : {
            name: "journal",
            result: "bad",
            text: `damaged at ${describeDamage(journal.problem)}. Restore it and state.db from the same backup, or begin a new chain with: passepartout journal repair`,
          },
    ];
  } catch (error) {
    if (error instanceof StateProblem) return [{ name: "state", result: "bad", text: error.message }];
    throw error;
  }
}
