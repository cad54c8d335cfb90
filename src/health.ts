import { accessSync, constants, existsSync } from "node:fs";
import { findSandbox } from "./act/sandbox.ts";
import type { Environment } from "./config.ts";
import { type Ground, layGround } from "./ground.ts";
import { openState } from "./memory/open-state.ts";
import { StateProblem } from "./memory/state-problem.ts";
import { buildProviders } from "./reason/providers/registry.ts";

/** One thing that was looked at. `finding` is a thing to know or mend; `bad` makes the agent unhealthy. */
export type Check = {
  readonly name: string;
  readonly result: "ok" | "finding" | "bad";
  readonly text: string;
};

export type HealthReport = {
  readonly health: "unknown" | "healthy" | "degraded" | "unhealthy";
  readonly checks: readonly Check[];
};

type Started = { readonly environment: Environment; readonly version: string };

/** Looks at everything that the agent stands on. Never throws. */
export async function checkHealth(start: Started): Promise<HealthReport> {
  try {
    const ground = layGround(start.environment);
    const checks: Check[] = [
      gates(ground),
      ...settings(ground),
      ...providers(ground),
      await sandbox(),
      ...folders(ground),
      ...(await state(ground)),
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

function gates({ failedCanaries, gateCount }: Ground): Check {
  if (failedCanaries.length === 0) {
    return { name: "gates", result: "ok", text: `${gateCount} gates; all that must be blocked is blocked` };
  }
  const text = `the judge let through what it must block: ${failedCanaries.join(", ")}. The agent answers but does not act. Install this version anew.`;
  return { name: "gates", result: "bad", text };
}

function settings({ config }: Ground): readonly Check[] {
  const idle = config.idleSettings.map(
    (name): Check => ({
      name: "settings",
      result: "ok",
      text: `${name} is accepted and has nothing left to do: all is on disk at once, and nothing sleeps`,
    }),
  );
  if (config.problems.length === 0) return [{ name: "settings", result: "ok", text: "all read" }, ...idle];
  return [...config.problems.map((text): Check => ({ name: "settings", result: "finding", text })), ...idle];
}

function providers({ config }: Ground): readonly Check[] {
  if (config.cascade.length === 0) {
    const set = config.providers.filter(({ apiKey, baseUrl }) => apiKey !== null || baseUrl !== null);
    const hint = set.length === 0 ? "" : ` ${set.map(({ name }) => name).join(", ")} could be named there.`;
    const text = `PROVIDER_CASCADE names none, so answers come by reflex, offline.${hint}`;
    return [{ name: "providers", result: "finding", text }];
  }
  const wanted = config.providers.filter(({ name }) => config.cascade.includes(name) && name !== "scripted");
  const built = buildProviders(wanted, Date.now);
  return [
    ...built.problems.map((text): Check => ({ name: "providers", result: "finding", text })),
    ...[...built.providers.values()].map(
      ({ name, model, local, prices }): Check => ({
        name: "providers",
        result: "ok",
        text: `${name}: ${model}, ${local ? "local" : "remote"}, ${prices === null ? "price not known: counted as dear" : "priced"}`,
      }),
    ),
  ];
}

async function sandbox(): Promise<Check> {
  if ((await findSandbox()) !== null) return { name: "sandbox", result: "ok", text: "bubblewrap works" };
  return {
    name: "sandbox",
    result: "finding",
    text: "no working bubblewrap: what is not proved harmless asks and would run unconfined. Install the package bubblewrap (Linux only).",
  };
}

function folders({ config, folders: { notes } }: Ground): readonly Check[] {
  const { state: stateFolder, configuration } = config.places;
  const writable = [stateFolder, notes].filter(existsSync).map((path): Check => {
    try {
      accessSync(path, constants.W_OK);
      return { name: "folders", result: "ok", text: `${path} can be written` };
    } catch (error) {
      const text = `${path} cannot be written (${error instanceof Error ? error.message : String(error)}). Correct its owner or mode.`;
      return { name: "folders", result: "bad", text };
    }
  });
  const missing = [notes]
    .filter((path) => !existsSync(path))
    .map((path): Check => ({ name: "folders", result: "ok", text: `${path} is made with the first note` }));
  const where: Check = {
    name: "folders",
    result: "ok",
    text: `settings are read from ${configuration}/.env`,
  };
  return [...writable, ...missing, where];
}

async function state({ config, gates: hash }: Ground): Promise<readonly Check[]> {
  const folder = config.places.state;
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
