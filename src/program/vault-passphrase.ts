import { randomBytes } from "node:crypto";
import type { Io } from "../kernel/io.ts";
import { readGivenPassphrase } from "../settings/given-passphrase.ts";
import { findKeyring, type Keyring } from "../settings/keyring.ts";
import type { NewPassphrase, Vault, VaultResult } from "../settings/vault.ts";
import { readStandardInput } from "./io.ts";
import { readHiddenLine } from "./read-hidden-line.ts";

const mostTries = 3;

/** Asks a person for a line that is not shown. */
export type AskHidden = (question: string) => Promise<string>;

const askOnTerminal =
  (io: Io): AskHidden =>
  (question) =>
    readHiddenLine(io, question);

/** Does work with the passphrase of a vault that is there. A person who mistypes it may try again. */
export async function withPassphrase(
  io: Io,
  vault: Vault,
  work: (passphrase: string) => Promise<VaultResult>,
  ask = askOnTerminal(io),
): Promise<VaultResult> {
  const known = readGivenPassphrase(io.environment) ?? (await readKeptPassphrase(io, vault));
  if (known !== null) return work(known);
  if (io.input.isTTY !== true) throw new Error(noPassphrase);
  for (let tries = 1; ; tries += 1) {
    const result = await work(await ask("Passphrase of the vault: "));
    if (result.ok || result.code !== "wrong-passphrase" || tries === mostTries) return result;
    io.err(`${result.reason}\n`);
  }
}

/** The passphrase of a new vault: given, or made up and kept in the system's keyring where one works, or typed twice. */
export async function choosePassphrase(
  io: Io,
  typesIt: boolean,
  typeNew = () => typeTwice(io),
): Promise<NewPassphrase> {
  const given = readGivenPassphrase(io.environment);
  if (given !== null) return { passphrase: given };
  const keyring = typesIt ? null : findKeyring(io.environment);
  if (keyring !== null && (await keyring.works())) return madeUp(keyring);
  if (io.input.isTTY !== true) throw new Error(noPassphrase);
  return { passphrase: await typeNew() };
}

/** Keeps a value in the vault, and makes the vault where there is none. */
export async function keepInVault(
  io: Io,
  vault: Vault,
  { name, value, typesIt }: { readonly name: string; readonly value: string; readonly typesIt: boolean },
): Promise<VaultResult> {
  if (vault.status().state !== "none")
    return withPassphrase(io, vault, (given) => vault.set(given, name, value));
  return vault.set(await choosePassphrase(io, typesIt), name, value);
}

/** Types the next passphrase of a vault twice, or reads it from standard input. */
export async function readNextPassphrase(io: Io): Promise<NewPassphrase> {
  if (io.input.isTTY === true) return { passphrase: await typeTwice(io) };
  return { passphrase: (await readStandardInput(io)).replace(/\r?\n$/, "") };
}

/** A made-up passphrase of 256 bits that the keyring keeps; null where the system has none. */
export function keepInKeyring(io: Io): NewPassphrase | null {
  const keyring = findKeyring(io.environment);
  return keyring === null ? null : madeUp(keyring);
}

function madeUp(keyring: Keyring): NewPassphrase {
  const passphrase = randomBytes(32).toString("base64url");
  return { passphrase, keep: (entry) => keyring.keep(entry, passphrase) };
}

/** The passphrase that unlocks the agent: given, kept in the keyring, typed, or from standard input. */
export async function readPassphraseToUnlock(io: Io, vault: Vault): Promise<string> {
  const known = readGivenPassphrase(io.environment) ?? (await readKeptPassphrase(io, vault));
  if (known !== null) return known;
  return io.input.isTTY === true
    ? readHiddenLine(io, "Passphrase of the vault: ")
    : (await readStandardInput(io)).replace(/\r?\n$/, "");
}

/** The passphrase in the keyring, if the vault has its there. Throws where the keyring does not give it. */
async function readKeptPassphrase(io: Io, vault: Vault): Promise<string | null> {
  const { keyringEntry } = vault.status();
  if (keyringEntry === null) return null;
  const keyring = findKeyring(io.environment);
  if (keyring === null) throw new Error(noKeyring);
  const kept = await keyring.read(keyringEntry);
  if (!kept.ok) throw new Error(kept.reason);
  return kept.passphrase;
}

async function typeTwice(io: Io): Promise<string> {
  const ask = askOnTerminal(io);
  const typed = await ask("New passphrase of the vault (it is not shown, and nobody can find it again): ");
  if (typed !== (await ask("The same passphrase again: ")))
    throw new Error("The two passphrases are not the same. Nothing was kept; try again.");
  return typed;
}

export const noKeyring =
  "The passphrase of the vault is in the system's keyring, and none can be reached from here. Run this in your desktop session, where secret-tool (or security, on macOS) works.";

const noPassphrase =
  "The value came by standard input, so the passphrase has to come another way: by an open file descriptor whose number is in PASSEPARTOUT_PASSPHRASE_FD, or as the systemd credential passepartout-passphrase. Or run this on a terminal.";
