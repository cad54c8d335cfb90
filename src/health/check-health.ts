import { existsSync, statSync } from "node:fs";
import { findSandbox } from "../act/sandbox/bubblewrap.ts";
import { openState } from "../memory/state/open-state.ts";
import { StateProblem } from "../memory/storage/state-problem.ts";
import type { Environment } from "../settings/config.ts";
import { loadPolicy, type Policy } from "../settings/policy.ts";
import { checkNotes } from "./check-notes.ts";
import { checkProviders } from "./check-providers.ts";
import { findFolderProblem } from "./find-folder-problem.ts";
import type { HealthCheck } from "./health-check.ts";

export type HealthReport = {
  readonly health: "unknown" | "healthy" | "degraded" | "unhealthy";
  readonly checks: readonly HealthCheck[];
};

type Started = { readonly environment: Environment; readonly version: string };

/** Looks at everything that the agent stands on. Never throws. */
export async function checkHealth(start: Started): Promise<HealthReport> {
  try {
    const policy = loadPolicy(start.environment);
    const checks: HealthCheck[] = [
      gates(policy),
      ...settings(policy),
      ...(await checkProviders(policy.config)),
      await sandbox(),
      ...folders(policy),
      ...(await checkNotes(policy.folders.notes)),
      ...(await state(policy)),
    ];
    const worst = checks.some(({ result }) => result === "bad")
      ? "unhealthy"
      : checks.some(({ result }) => result === "finding")
        ? "degraded"
        : "healthy";
    return { health: worst, checks };
  } catch (error) {
    const text = `The check itself failed: ${error instanceof Error ? error.message : String(error)}`;
    return { health: "unhealthy", checks: [{ name: "doctor", result: "bad", text }] };
  }
}

function gates({ failedCanaries, gateCount }: Policy): HealthCheck {
  const failed = failedCanaries();
  if (failed.length === 0) {
    return { name: "gates", result: "ok", text: `${gateCount} gates; all that must be blocked is blocked` };
  }
  const text = `the judge let through what it must block: ${failed.join(", ")}. The agent answers but does not act. Install this version anew.`;
  return { name: "gates", result: "bad", text };
}

function settings({ config }: Policy): readonly HealthCheck[] {
  const idle = config.idleSettings.map(
    (name): HealthCheck => ({
      name: "settings",
      result: "ok",
      text: `${name} is accepted and has nothing left to do: all is on disk at once, and nothing sleeps`,
    }),
  );
  if (config.problems.length === 0) return [{ name: "settings", result: "ok", text: "all read" }, ...idle];
  return [
    ...config.problems.map((text): HealthCheck => ({ name: "settings", result: "finding", text })),
    ...idle,
  ];
}

async function sandbox(): Promise<HealthCheck> {
  if ((await findSandbox()) !== null) return { name: "sandbox", result: "ok", text: "bubblewrap works" };
  return {
    name: "sandbox",
    result: "finding",
    text: "no working bubblewrap: what is not proved harmless asks and would run unconfined. Install the package bubblewrap (Linux only).",
  };
}

function folders({ config, folders: { notes } }: Policy): readonly HealthCheck[] {
  const hindrance = findFolderProblem(notes);
  const settled: HealthCheck =
    hindrance !== null
      ? {
          name: "folders",
          result: "bad",
          text: `no notes can be kept: ${hindrance} Or name another in MEMEX_DIR.`,
        }
      : {
          name: "folders",
          result: "ok",
          text: existsSync(notes) ? `${notes} can be written` : `${notes} is made with the first note`,
        };
  return [settled, ...settingsFile(`${config.places.configuration}/.env`)];
}

/** Whether there is a settings file, and whether it is for its owner alone. That it does not read is a problem of the settings. */
function settingsFile(path: string): readonly HealthCheck[] {
  if (!existsSync(path)) {
    const text = `settings come from the environment alone: there is no ${path} yet`;
    return [{ name: "folders", result: "ok", text }];
  }
  const where: HealthCheck = { name: "folders", result: "ok", text: `settings are read from ${path}` };
  if ((statSync(path).mode & 0o077) === 0) return [where];
  const text = `others on this machine can open ${path}, where keys are kept. Close it: chmod 600 ${path}`;
  return [where, { name: "folders", result: "finding", text }];
}

async function state({ config, gatesHash: hash }: Policy): Promise<readonly HealthCheck[]> {
  const folder = config.places.state;
  const hindrance = findFolderProblem(folder);
  if (hindrance !== null) {
    const text = `nothing can be kept: ${hindrance} Or name another in XDG_STATE_HOME.`;
    return [{ name: "state", result: "bad", text }];
  }
  if (!existsSync(`${folder}/state.db`))
    return [{ name: "state", result: "ok", text: `${folder} is made at the first use` }];
  try {
    await using opened = await openState({ folder, clock: Date.now, gates: hash, access: "read" });
    const problems = await opened.verify();
    const journal = await opened.journal.verify();
    return [
      problems.length === 0
        ? { name: "state", result: "ok", text: `${folder}: database and memory are whole` }
        : { name: "state", result: "bad", text: `${folder}: ${problems.join("; ")}. Restore a backup.` },
      journal.ok
        ? { name: "journal", result: "ok", text: `${journal.entries} entries, chain whole` }
        : {
            name: "journal",
            result: "bad",
            text: `damaged: ${JSON.stringify(journal.problem)}. Keep it, and restore a backup.`,
          },
    ];
  } catch (error) {
    if (error instanceof StateProblem) return [{ name: "state", result: "bad", text: error.message }];
    throw error;
  }
}
