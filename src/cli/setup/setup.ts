import { join } from "node:path";
import { loadConfig } from "../../settings/config.ts";
import { readEnvFile } from "../../settings/env-file.ts";
import { resolveSetting } from "../../settings/user-folders.ts";
import { exitCodes, type Io, readStandardInput, usageError } from "../commands/io.ts";
import { parseOptions } from "../commands/options.ts";
import { withPassphrase } from "../commands/vault-passphrase.ts";
import { describeTrial } from "./ask-model.ts";
import { askSetup, problemOfAssistant, problemOfNotes } from "./ask-setup.ts";
import { type FoundModel, findGivenModel } from "./given-setup.ts";
import { openPrompts, SetupCancelled } from "./prompts.ts";
import { describePlan, planSetup, type SetupNow, type SetupPlan } from "./setup-plan.ts";
import { hasRunningAgent, keepsOldSettings, writeSetup } from "./write-setup.ts";

const usage = `passepartout setup
passepartout setup --non-interactive [--provider NAME] [--model NAME] [--address URL] [--key-stdin] [--notes FOLDER] [--assistant NAME] [--dry-run] [--json]
Sets up a model, the notes folder and the assistant's name: asks on the terminal, tries the model, shows what it would write, and writes it after a yes.
Esc or Ctrl-C leaves all as it was. It can be run again; Enter keeps what is set.
  --non-interactive  asks nothing; what is not given stays as it is
  --provider NAME    ollama, llama, openai, anthropic, google, openrouter, groq or another name with --address; else the server that runs here
  --model NAME       the model; else the usual one of the provider, or the first that it offers
  --address URL      the address of the provider's API
  --key-stdin        reads the key from standard input and keeps it in the vault
  --notes FOLDER     the notes folder; new notes go there
  --assistant NAME   the assistant's name
  --allow-unpriced   takes a model whose price nobody knows here
  --no-test          does not try the model
  --dry-run          shows what would be written, and writes nothing
  --json             prints a JSON object
The passphrase of the vault is typed, or comes as passepartout vault --help says.
Exit codes: 0 done, or nothing to do, 1 nothing was written, 2 wrong usage.`;

const options = {
  "non-interactive": { type: "boolean", default: false },
  provider: { type: "string" },
  model: { type: "string" },
  address: { type: "string" },
  "key-stdin": { type: "boolean", default: false },
  notes: { type: "string" },
  assistant: { type: "string" },
  "allow-unpriced": { type: "boolean", default: false },
  "no-test": { type: "boolean", default: false },
  "dry-run": { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const;

/** Sets up a model, the notes and a name, by questions or by flags. */
export async function setupCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, options);
  if (positionals.length > 0) throw usageError(`Unexpected argument '${positionals[0]}'.`, usage);
  const { "non-interactive": isScripted, ...flags } = values;
  const isGiven = Object.values(flags).some((value) => value !== undefined && value !== false);
  if (isGiven && !isScripted) throw usageError("These options need --non-interactive beside them.", usage);
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

type Flags = Omit<ReturnType<typeof parseOptions<typeof options>>["values"], "non-interactive">;

async function setUpByFlags(
  io: Io,
  { flags, now, cancel }: { readonly flags: Flags; readonly now: SetupNow; readonly cancel: AbortSignal },
): Promise<number> {
  const { home, notes: notesNow } = now.config.places;
  const problem =
    (flags.notes === undefined ? undefined : problemOfNotes(flags.notes, home)) ??
    (flags.assistant === undefined ? undefined : problemOfAssistant(flags.assistant));
  if (problem !== undefined) throw usageError(problem, usage);
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
    const vault = plan.secret === null ? [] : [plan.secret.name];
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
