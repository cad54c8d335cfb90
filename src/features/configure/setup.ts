import { join } from "node:path";
import type { Io } from "../../kernel/io.ts";
import { hasRunningAgent } from "../../program/has-running-agent.ts";
import { exitCodes, readStandardInput, usageError } from "../../program/io.ts";
import { parseCommand } from "../../program/options.ts";
import { withPassphrase } from "../../program/vault-passphrase.ts";
import { loadConfig } from "../../settings/config.ts";
import { readEnvFile } from "../../settings/env-file.ts";
import { resolveSetting } from "../../settings/user-folders.ts";
import { loadImport } from "../import/feature.ts";
import { describeTrial } from "./ask-model.ts";
import { askSetup, problemOfAssistant, problemOfNotes } from "./ask-setup.ts";
import { setupSpec } from "./command-specs.ts";
import { type FoundModel, findGivenModel } from "./given-setup.ts";
import { openPrompts, SetupCancelled } from "./prompts.ts";
import { describePlan, planSetup, type SetupNow, type SetupPlan } from "./setup-plan.ts";
import { keepsOldSettings, writeSetup } from "./write-setup.ts";

/** Sets up a model, the notes and a name, by questions or by flags. */
export async function setupCommand(io: Io): Promise<number> {
  const { values } = parseCommand(io, setupSpec);
  const { "non-interactive": isScripted, import: agent, ...flags } = values;
  if (agent !== undefined) return (await loadImport())(io, agent, flags, setupSpec);
  const leaving = new AbortController();
  const off = io.onInterrupt(() => leaving.abort(new SetupCancelled()));
  const now = readNow(io);
  try {
    if (isScripted) return await setUpByFlags(io, { flags, now, cancel: leaving.signal });
    const prompts = openPrompts(io);
    const end = await askSetup(io, { prompts, now, cancel: leaving.signal });
    return end === "declined" ? exitCodes.failed : exitCodes.done;
  } catch (error) {
    if (!(error instanceof SetupCancelled) && !leaving.signal.aborted) throw error;
    io.err("Left. Nothing was written.\n");
    return exitCodes.failed;
  } finally {
    off();
  }
}

function readNow(io: Io): SetupNow {
  const config = loadConfig(io.environment);
  const file = readEnvFile(join(config.places.configuration, ".env"), []);
  return { config, file, environment: io.environment };
}

type Flags = Omit<
  ReturnType<typeof parseCommand<typeof setupSpec.options>>["values"],
  "non-interactive" | "import"
>;

async function setUpByFlags(
  io: Io,
  { flags, now, cancel }: { readonly flags: Flags; readonly now: SetupNow; readonly cancel: AbortSignal },
): Promise<number> {
  const { home, notes: notesNow } = now.config.places;
  const problem =
    (flags.notes === undefined ? undefined : problemOfNotes(flags.notes, home)) ??
    (flags.assistant === undefined ? undefined : problemOfAssistant(flags.assistant));
  if (problem !== undefined) throw usageError(problem, setupSpec);
  const key = flags["key-stdin"] ? (await readStandardInput(io)).trim() : null;
  if (key === null) await unlockIfNeeded(io, flags.provider ?? now.config.cascade[0], now);
  const found = await findGivenModel(
    {
      provider: flags.provider ?? null,
      model: flags.model ?? null,
      address: flags.address ?? null,
      key,
      allowUnpriced: flags["allow-unpriced"],
      tries: !flags["no-test"],
    },
    now,
    cancel,
  );
  if (!found.ok) return tellFailure(io, found, flags.json);
  const notes = flags.notes === undefined ? notesNow : resolveSetting(flags.notes, { home, base: io.cwd });
  const plan = planSetup({ model: found.chosen, notes, assistant: flags.assistant ?? null }, now);
  const writes = !flags["dry-run"];
  if (writes) await writeSetup(io, plan, { now });
  tellDone(io, { found, plan, now, writes, json: flags.json });
  if (writes && !flags.json && (await hasRunningAgent(io))) io.err(`${keepsOldSettings}\n`);
  return exitCodes.done;
}

async function unlockIfNeeded(io: Io, provider: string | undefined, { config }: SetupNow): Promise<void> {
  const setting = config.providers.find(({ name }) => name === provider?.toLowerCase());
  if (setting?.vaultKey === undefined) return;
  const unlocked = await withPassphrase(io, config.vault, (given) => config.vault.unlock(given));
  if (!unlocked.ok) throw new Error(unlocked.reason);
}

function tellFailure(io: Io, { code, reason }: FoundModel & { readonly ok: false }, json: boolean): number {
  if (json) io.out(`${JSON.stringify({ ok: false, code, reason })}\n`);
  else io.err(`${reason}\n`);
  return exitCodes.failed;
}

function tellDone(
  io: Io,
  done: {
    readonly found: FoundModel & { readonly ok: true };
    readonly plan: SetupPlan;
    readonly now: SetupNow;
    readonly writes: boolean;
    readonly json: boolean;
  },
): void {
  const { found, plan, now, writes, json } = done;
  const { chosen, offers, trial } = found;
  if (json) {
    const models = offers.map(({ name, record }) => ({
      name,
      window: record.contextWindow,
      prices: record.prices,
    }));
    const changes = Object.fromEntries(plan.changes);
    const vault = plan.secrets.map(({ name }) => name);
    const facts = { provider: chosen.setting.name, model: chosen.model, models, trial };
    const { path, warnings } = plan;
    io.out(
      `${JSON.stringify({ ok: true, ...facts, file: path, changes, vault, warnings, written: writes })}\n`,
    );
    return;
  }
  const lines = describePlan(plan, now);
  const title = writes ? "Written:" : "This would be written:";
  io.out(
    [
      ...(trial === null ? [] : [describeTrial(chosen.model, trial)]),
      ...(lines.length === 0 ? ["All of this is set already. Nothing was written."] : [title, ...lines]),
    ].join("\n"),
  );
  io.out("\n");
  for (const warning of plan.warnings) io.err(`${warning}\n`);
}
