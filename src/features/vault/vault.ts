import { connectToDaemon } from "../../daemon/remote/connect-to-daemon.ts";
import type { Io } from "../../kernel/io.ts";
import { lockHolder } from "../../memory/storage/lock-holder.ts";
import { exitCodes, readStandardInput, usageError } from "../../program/io.ts";
import { parseVerb } from "../../program/options.ts";
import { readHiddenLine } from "../../program/read-hidden-line.ts";
import { makeStartContext } from "../../program/start-context.ts";
import { tellUnrecorded } from "../../program/tell-unrecorded.ts";
import {
  keepInKeyring,
  keepInVault,
  noKeyring,
  readNextPassphrase,
  readPassphraseToUnlock,
  withPassphrase,
} from "../../program/vault-passphrase.ts";
import { findKeyring } from "../../settings/keyring.ts";
import { loadPolicy, type Policy } from "../../settings/policy.ts";
import type { VaultResult } from "../../settings/vault.ts";
import type { Binding } from "../../settings/vault-file.ts";
import { vaultSpec } from "./command-specs.ts";
import { readBinding } from "./read-binding.ts";

type Verb = (typeof vaultSpec.verbs)[number]["name"];

/** Keeps the owner's secrets, and unlocks them for the running agent. */
export async function vaultCommand(io: Io): Promise<number> {
  const { values, words, verb } = parseVerb(io, vaultSpec);
  const [name = "", host = ""] = words;
  const binding = verb === "bind" ? readBinding(name, host, values) : null;
  if (typeof binding === "string") throw usageError(binding, vaultSpec);
  const policy = loadPolicy(io.environment);
  const { keyring, passphrase: typesIt } = values;
  const done = await run(io, { verb, name, policy, binding, keyring, typesIt });
  const ok = done.failure === null;
  if (values.json) io.out(`${JSON.stringify({ ok, ...done.facts, ...(ok ? {} : done.failure) })}\n`);
  else if (done.failure === null) io.out(`${done.text}\n`);
  else io.err(`${done.failure.reason}\n`);
  return ok ? exitCodes.done : exitCodes.failed;
}

type Asked = {
  readonly verb: Verb;
  readonly name: string;
  readonly policy: Policy;
  readonly binding: Binding | null;
  readonly keyring: boolean;
  readonly typesIt: boolean;
};

/** What came of a command: `facts` are for programs, `text` is for people. */
type Done = {
  readonly facts: { readonly [fact: string]: string | readonly string[] | Readonly<Record<string, Binding>> };
  readonly text: string;
  readonly failure: { readonly code: string; readonly reason: string } | null;
};

async function run(io: Io, asked: Asked): Promise<Done> {
  const { verb, name, policy, binding } = asked;
  const { vault } = policy.config;
  switch (verb) {
    case "list":
      return list(asked);
    case "set": {
      const value = await readValue(io, name);
      return afterChange(io, asked, await keepInVault(io, vault, { name, value, typesIt: asked.typesIt }));
    }
    case "remove": {
      const removed = await withPassphrase(io, vault, (given) => vault.remove(given, name));
      return afterChange(io, asked, removed);
    }
    case "bind":
    case "unbind": {
      const bound = await withPassphrase(io, vault, (given) => vault.bind(given, name, binding));
      return afterChange(io, asked, bound);
    }
    case "passphrase":
      return changePassphrase(io, asked);
    case "unlock":
    case "lock":
    case "status":
      return askAgent(io, asked);
  }
}

function list({ policy }: Asked): Done {
  const { state, names, bindings, text } = policy.config.vault.status();
  if (state === "damaged") return failed("damaged", text);
  const lines = names.map((name) => {
    const bound = bindings.get(name);
    return bound === undefined
      ? name
      : `${name}   for ${formatPlace(bound)}, header ${bound.header}: $${bound.variable}`;
  });
  const facts = bindings.size === 0 ? { names } : { names, bindings: Object.fromEntries(bindings) };
  return done(facts, names.length === 0 ? "The vault has no values." : lines.join("\n"));
}

/** Changes the passphrase, in the running agent too where it has the vault unlocked. */
async function changePassphrase(io: Io, { policy, keyring }: Asked): Promise<Done> {
  const { vault } = policy.config;
  const { keyringEntry: before } = vault.status();
  await using agent = await connectToDaemon(makeStartContext(io), policy, "cli");
  const stood = await agent?.changeVault({ change: "none" });
  const result = await withPassphrase(io, vault, async (given) => {
    const next = keyring ? keepInKeyring(io) : await readNextPassphrase(io);
    if (next === null) throw new Error(noKeyring);
    const changed = await vault.changePassphrase(given, next);
    if (changed.ok && stood?.kind === "said" && stood.code === "vault-unlocked")
      await agent?.changeVault({ change: "unlock", passphrase: next.passphrase });
    return changed;
  });
  if (!result.ok) return failed(result.code, result.reason);
  if (before !== null) await findKeyring(io.environment)?.forget(before);
  await tellUnrecorded(io);
  return done({ passphrase: "changed" }, "The vault has the new passphrase. The old one no longer opens it.");
}

function done(facts: Done["facts"], text: string): Done {
  return { facts, text, failure: null };
}

function failed(code: string, reason: string): Done {
  return { facts: {}, text: "", failure: { code, reason } };
}

/** Lets the running agent know a value that was set, so that it masks it from now on. */
async function afterChange(io: Io, asked: Asked, result: VaultResult): Promise<Done> {
  const { verb, name, policy, binding } = asked;
  if (!result.ok) return failed(result.code, result.reason);
  {
    await using agent = await connectToDaemon(makeStartContext(io), policy, "cli");
    await agent?.changeVault({ change: "none" });
  }
  await tellUnrecorded(io);
  if (verb === "remove") return done({ removed: name }, `The vault no longer has ${name}.`);
  if (verb === "unbind") return done({ unbound: name }, `No command may use ${name} any more.`);
  if (binding !== null)
    return done(
      { bound: name, bindings: { [name]: binding } },
      `Commands that you approve with the credential ${name} may use it at ${formatPlace(binding)}, in the header ${binding.header}. They find a placeholder for it in $${binding.variable}, and write http:// for this host: the proxy makes it https.`,
    );
  const where =
    policy.config.vault.status().keyringEntry === null
      ? ""
      : " Its passphrase is made up, and is kept in the system's keyring.";
  return done({ set: name }, `The vault keeps ${name}. Use it in a setting: vault:${name}.${where}`);
}

function formatPlace({ host, port }: Binding): string {
  return port === 443 ? host : `${host}:${port}`;
}

async function askAgent(io: Io, { verb, policy }: Asked): Promise<Done> {
  const { vault } = policy.config;
  const { state, names, keyringEntry, text } = vault.status();
  const kept = keyringEntry === null ? {} : { keyring: "yes" };
  await using agent = await connectToDaemon(makeStartContext(io), policy, "cli");
  if (agent === null) {
    const holder = lockHolder(policy.config.places.state);
    if (verb === "unlock") return failed("no-agent", holder === null ? noAgent : unreachable(holder));
    const rest = holder === null ? "No agent is running, so nothing is unlocked." : unreachable(holder);
    const said = state === "locked" ? rest : `${text} ${rest}`;
    return done(
      { vault: state, agent: holder === null ? "none" : "unreachable", names, ...kept },
      `${said}${keyringWords(keyringEntry)}`,
    );
  }
  if (verb === "unlock" && state !== "locked") return failed(`vault-${state}`, text);
  const reply =
    verb === "unlock"
      ? await agent.changeVault({ change: "unlock", passphrase: await readPassphraseToUnlock(io, vault) })
      : await agent.changeVault({ change: verb === "lock" ? "lock" : "none" });
  if (reply.kind === "refused") return failed(reply.code, reply.text);
  if (reply.kind === "turn") throw new Error("The running agent took this for a question. Try again.");
  const facts = { vault: state, agent: reply.code.replace(/^vault-/, ""), names, ...kept };
  return done(facts, `In the running agent: ${reply.text}${keyringWords(keyringEntry)}`);
}

function keyringWords(entry: string | null): string {
  return entry === null ? "" : " Its passphrase is kept in the system's keyring.";
}

function unreachable(holder: number): string {
  return `The process ${holder} uses the state and does not answer, so what it has unlocked is not known. See: passepartout doctor`;
}

const noAgent =
  "No agent is running, so there is nothing to unlock. ask and a conversation ask for the passphrase when they need it; for a daemon, start it first: passepartout daemon";

/** The value of a name: typed without being shown, or all of standard input without its last newline. */
async function readValue(io: Io, name: string): Promise<string> {
  return io.input.isTTY === true
    ? readHiddenLine(io, `Value of ${name} (it is not shown): `)
    : (await readStandardInput(io)).replace(/\r?\n$/, "");
}
