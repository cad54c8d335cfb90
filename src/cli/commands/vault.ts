import { connectToDaemon } from "../../daemon/remote/connect-to-daemon.ts";
import { readGivenPassphrase } from "../../settings/given-passphrase.ts";
import { loadPolicy, type Policy } from "../../settings/policy.ts";
import type { Vault, VaultResult } from "../../settings/vault.ts";
import { exitCodes, type Io, readStandardInput, usageError } from "./io.ts";
import { parseOptions } from "./options.ts";
import { readHiddenLine } from "./read-hidden-line.ts";
import { makeStartContext } from "./start-context.ts";

const usage = `passepartout vault set NAME | list | remove NAME | unlock | lock | status   [--json]
Keeps keys in a file that is encrypted with a passphrase. A setting such as OPENAI_API_KEY=vault:NAME uses one.
  set      keeps a value: typed without being shown, or from standard input; the first one makes the vault
  list     prints the names, never a value
  remove   deletes a value
  unlock   gives the passphrase to the running agent, which keeps the key until it ends or is locked
  lock     makes the running agent forget the key
  status   says whether there is a vault, and whether the running agent has it unlocked
  --json   prints a JSON object
The passphrase is typed, or comes by the file descriptor PASSEPARTOUT_PASSPHRASE_FD or the systemd credential passepartout-passphrase; unlock also takes it from standard input.
Exit codes: 0 done, 1 it could not be done, 2 wrong usage.`;

const verbs = ["set", "list", "remove", "unlock", "lock", "status"] as const;
type Verb = (typeof verbs)[number];

/** Keeps the owner's secrets, and unlocks them for the running agent. */
export async function vaultCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, { json: { type: "boolean", default: false } });
  const [word, name = "", ...more] = positionals;
  const verb = verbs.find((known) => known === word);
  if (verb === undefined) throw usageError(`vault needs one of ${verbs.join(", ")}.`, usage);
  const isNamed = verb === "set" || verb === "remove";
  if (more.length > 0) throw usageError("Too many arguments. A value is never an argument.", usage);
  if (isNamed !== (name !== ""))
    throw usageError(isNamed ? `${verb} needs the NAME of a value.` : `${verb} takes no name.`, usage);
  const policy = loadPolicy(io.environment);
  const done = await run(io, { verb, name, policy });
  const ok = done.failure === null;
  if (values.json) io.out(`${JSON.stringify({ ok, ...done.facts, ...(ok ? {} : done.failure) })}\n`);
  else if (done.failure === null) io.out(`${done.text}\n`);
  else io.err(`${done.failure.reason}\n`);
  return ok ? exitCodes.done : exitCodes.failed;
}

type Asked = { readonly verb: Verb; readonly name: string; readonly policy: Policy };

/** What came of a command: `facts` are for programs, `text` is for people. */
type Done = {
  readonly facts: { readonly [fact: string]: string | readonly string[] };
  readonly text: string;
  readonly failure: { readonly code: string; readonly reason: string } | null;
};

async function run(io: Io, asked: Asked): Promise<Done> {
  const { verb, name, policy } = asked;
  const { vault } = policy.config;
  const { state, names, text } = vault.status();
  switch (verb) {
    case "list":
      if (state === "damaged") return failed("damaged", text);
      return done({ names }, names.length === 0 ? "The vault has no values." : names.join("\n"));
    case "set": {
      const value = await readValue(io, name);
      return afterChange(
        io,
        asked,
        await withPassphrase(io, vault, (given) => vault.set(given, name, value)),
      );
    }
    case "remove":
      return afterChange(io, asked, await withPassphrase(io, vault, (given) => vault.remove(given, name)));
    case "unlock":
    case "lock":
    case "status":
      return askAgent(io, asked);
  }
}

function done(facts: Done["facts"], text: string): Done {
  return { facts, text, failure: null };
}

function failed(code: string, reason: string): Done {
  return { facts: {}, text: "", failure: { code, reason } };
}

/** Lets the running agent know a value that was set, so that it masks it from now on. */
async function afterChange(io: Io, { verb, name, policy }: Asked, result: VaultResult): Promise<Done> {
  if (!result.ok) return failed(result.code, result.reason);
  await using agent = await connectToDaemon(makeStartContext(io), policy, "cli");
  await agent?.changeVault({ change: "none" });
  return verb === "set"
    ? done({ set: name }, `The vault keeps ${name}. Use it in a setting: vault:${name}`)
    : done({ removed: name }, `The vault no longer has ${name}.`);
}

async function askAgent(io: Io, { verb, policy }: Asked): Promise<Done> {
  const { vault } = policy.config;
  const { state, names, text } = vault.status();
  await using agent = await connectToDaemon(makeStartContext(io), policy, "cli");
  if (agent === null) {
    if (verb === "unlock") return failed("no-agent", noAgent);
    const rest = "No agent is running, so nothing is unlocked.";
    return done({ vault: state, agent: "none", names }, state === "locked" ? rest : `${text} ${rest}`);
  }
  if (verb === "unlock" && state !== "locked") return failed(`vault-${state}`, text);
  const reply =
    verb === "unlock"
      ? await agent.changeVault({ change: "unlock", passphrase: await readPassphraseToUnlock(io) })
      : await agent.changeVault({ change: verb === "lock" ? "lock" : "none" });
  if (reply.kind === "refused") return failed(reply.code, reply.text);
  if (reply.kind === "turn") throw new Error("The running agent took this for a question. Try again.");
  const facts = { vault: state, agent: reply.code.replace(/^vault-/, ""), names };
  return done(facts, `In the running agent: ${reply.text}`);
}

const noAgent =
  "No agent is running, so there is nothing to unlock. ask and a conversation ask for the passphrase when they need it; for a daemon, start it first: passepartout daemon";

/** The value of a name: typed without being shown, or all of standard input without its last newline. */
async function readValue(io: Io, name: string): Promise<string> {
  return io.input.isTTY === true
    ? readHiddenLine(io, `Value of ${name} (it is not shown): `)
    : (await readStandardInput(io)).replace(/\r?\n$/, "");
}

const mostTries = 3;

/** Does work with the passphrase. A person who mistypes it may try again; who makes a vault types it twice. */
async function withPassphrase(
  io: Io,
  vault: Vault,
  work: (passphrase: string) => Promise<VaultResult>,
): Promise<VaultResult> {
  const given = readGivenPassphrase(io.environment);
  if (given !== null) return work(given);
  if (io.input.isTTY !== true) throw new Error(noPassphrase);
  if (vault.status().state === "none") {
    const typed = await readHiddenLine(
      io,
      "New passphrase of the vault (it is not shown, and nobody can find it again): ",
    );
    if (typed !== (await readHiddenLine(io, "The same passphrase again: ")))
      throw new Error("The two passphrases are not the same. Nothing was kept; try again.");
    return work(typed);
  }
  for (let tries = 1; ; tries += 1) {
    const result = await work(await readHiddenLine(io, "Passphrase of the vault: "));
    if (result.ok || result.code !== "wrong-passphrase" || tries === mostTries) return result;
    io.err(`${result.reason}\n`);
  }
}

const noPassphrase =
  "The value came by standard input, so the passphrase has to come another way: by an open file descriptor whose number is in PASSEPARTOUT_PASSPHRASE_FD, or as the systemd credential passepartout-passphrase. Or run this on a terminal.";

async function readPassphraseToUnlock(io: Io): Promise<string> {
  const given = readGivenPassphrase(io.environment);
  if (given !== null) return given;
  return io.input.isTTY === true
    ? readHiddenLine(io, "Passphrase of the vault: ")
    : (await readStandardInput(io)).replace(/\r?\n$/, "");
}
