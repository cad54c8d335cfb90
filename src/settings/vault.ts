import { describeError } from "../signal/describe-error.ts";
import { versionOfFile } from "./replace-file.ts";
import {
  changeAlone,
  type Derivation,
  deriveKey,
  newDerivation,
  openContents,
  readVaultFile,
  type VaultFile,
  vaultName,
  writeVaultFile,
} from "./vault-file.ts";

/** How a vault stands, with the names in it; names are no secret. */
export type VaultStatus = {
  readonly state: "none" | "locked" | "unlocked" | "damaged";
  readonly names: readonly string[];
  /** What is so, and what to do, in words. */
  readonly text: string;
};

/** The result of work on a vault. The reason says what to do. */
export type VaultResult =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly code: "no-vault" | "wrong-passphrase" | "damaged" | "no-name" | "wrong-value";
      readonly reason: string;
    };

/** A value of the vault, or why there is none now. */
export type VaultValue =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly reason: string };

/** The owner's secrets in one encrypted file. Its passphrase is never kept; its key only in this process, until it is locked. */
export type Vault = {
  readonly path: string;
  readonly status: () => VaultStatus;
  /** Unlocks the values for this process. One passphrase is tried after the other. */
  readonly unlock: (passphrase: string) => Promise<VaultResult>;
  readonly lock: () => void;
  /** Keeps a value; makes the vault where there is none. */
  readonly set: (passphrase: string, name: string, value: string) => Promise<VaultResult>;
  readonly remove: (passphrase: string, name: string) => Promise<VaultResult>;
  readonly read: (name: string) => VaultValue;
  /** Every value that this process ever knew, to be masked: the same array until there is a further one. */
  readonly values: () => readonly string[];
};

/** The fewest characters of a value: a shorter one could not be masked without masking other text. */
const shortestValue = 8;
const longestValue = 65_536;
const shortestPassphrase = 8;
/** scrypt's cost: 128 MiB and some tenths of a second for each passphrase that is tried. */
const standardCost = 131_072;

type Open = {
  readonly key: Buffer;
  readonly scrypt: Derivation;
  readonly values: ReadonlyMap<string, string>;
};
type Opened = VaultResult & { readonly open?: Open };

/** Opens the vault of a file, which need not exist. It is locked. */
export function openVault(path: string, cost = standardCost): Vault {
  return new FileVault(path, cost);
}

class FileVault implements Vault {
  readonly path: string;
  readonly #cost: number;
  #open: Open | null = null;
  #known: readonly string[] = [];
  #file: { readonly version: string; readonly file: VaultFile } | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string, cost: number) {
    this.path = path;
    this.#cost = cost;
  }

  readonly status = (): VaultStatus => {
    const file = this.#read();
    if (file.kind === "none") {
      return { state: "none", names: [], text: noVault };
    }
    if (file.kind === "damaged") return { state: "damaged", names: [], text: file.reason };
    const names = file.contents.entries.map(({ name }) => name).sort();
    return this.#open === null
      ? { state: "locked", names, text: `The vault is locked. ${howToUnlock}` }
      : { state: "unlocked", names, text: "The vault is unlocked." };
  };

  readonly unlock = (passphrase: string): Promise<VaultResult> =>
    this.#inTurn(async () => {
      const opened = await this.#tryOpen(passphrase);
      if (opened.open !== undefined) this.#keep(opened.open);
      return withoutKey(opened);
    });

  readonly lock = (): void => {
    this.#open?.key.fill(0);
    this.#open = null;
  };

  readonly set = (passphrase: string, name: string, value: string): Promise<VaultResult> =>
    this.#inTurn(async () => {
      const problem = problemOf(name, value);
      if (problem !== null) return { ok: false, code: "wrong-value", reason: problem };
      const opened =
        this.#read().kind === "none" ? await this.#makeNew(passphrase) : await this.#tryOpen(passphrase);
      if (opened.open === undefined) return withoutKey(opened);
      this.#change(opened.open, (values) => new Map([...values, [name, value]]));
      return { ok: true };
    });

  readonly remove = (passphrase: string, name: string): Promise<VaultResult> =>
    this.#inTurn(async () => {
      const opened = await this.#tryOpen(passphrase);
      if (opened.open === undefined) return withoutKey(opened);
      if (!opened.open.values.has(name)) return { ok: false, code: "no-name", reason: noName(name) };
      this.#change(opened.open, (values) => new Map([...values].filter(([other]) => other !== name)));
      return { ok: true };
    });

  readonly read = (name: string): VaultValue => {
    const { state, names, text } = this.status();
    if (state === "damaged") return { ok: false, reason: text };
    if (state === "none" || !names.includes(name)) return { ok: false, reason: noName(name) };
    const value = this.#open?.values.get(name);
    return value === undefined ? { ok: false, reason: text } : { ok: true, value };
  };

  readonly values = (): readonly string[] => this.#known;

  /** One after the other: each costs much memory and time. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work, work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Reads the file where it changed; values that another process set are known from then on. */
  #read(): VaultFile {
    const version = versionOfFile(this.path);
    if (this.#file?.version !== version) {
      this.#file = { version, file: readVaultFile(this.path) };
      this.#reopen(this.#file.file);
    }
    return this.#file.file;
  }

  #reopen(file: VaultFile): void {
    if (this.#open === null) return;
    const { key } = this.#open;
    const values = file.kind === "sealed" ? openOrNull(file, key) : null;
    if (file.kind !== "sealed" || values === null) this.lock();
    else this.#keep({ key, scrypt: file.contents.scrypt, values });
  }

  async #tryOpen(passphrase: string): Promise<Opened> {
    const file = this.#read();
    if (file.kind === "none") return { ok: false, code: "no-vault", reason: noVault };
    if (file.kind === "damaged") return { ok: false, code: "damaged", reason: file.reason };
    const { scrypt } = file.contents;
    const key = await deriveKey(passphrase, scrypt);
    try {
      const values = openContents(file.contents, key);
      if (values !== null) return { ok: true, open: { key, scrypt, values } };
      const reason = "The passphrase is wrong. The vault stays as it was; try again.";
      return { ok: false, code: "wrong-passphrase", reason };
    } catch (error) {
      return { ok: false, code: "damaged", reason: altered(this.path, error) };
    }
  }

  async #makeNew(passphrase: string): Promise<Opened> {
    if (passphrase.length < shortestPassphrase) {
      const reason = `A passphrase has ${shortestPassphrase} characters or more. Nothing was kept; choose a longer one.`;
      return { ok: false, code: "wrong-value", reason };
    }
    const scrypt = newDerivation(this.#cost);
    return { ok: true, open: { key: await deriveKey(passphrase, scrypt), scrypt, values: new Map() } };
  }

  /** Changes the values as they are in the file now: another process may have changed them meanwhile. */
  #change(
    { key, scrypt, values: before }: Open,
    change: (values: ReadonlyMap<string, string>) => ReadonlyMap<string, string>,
  ): void {
    changeAlone(this.path, () => {
      const file = readVaultFile(this.path);
      if (file.kind === "damaged") throw new Error(file.reason);
      const now = file.kind === "none" ? before : openContents(file.contents, key);
      if (now === null) throw new Error("Another command made a new vault meanwhile. Try again.");
      writeVaultFile(this.path, { scrypt, key, values: change(now) });
    });
    key.fill(0);
  }

  #keep(open: Open): void {
    this.#open = open;
    const further = [...open.values.values()].filter((value) => !this.#known.includes(value));
    if (further.length > 0) this.#known = [...this.#known, ...new Set(further)];
  }
}

const howToUnlock = "Unlock it: passepartout vault unlock";
const noVault = "There is no vault yet. Make one: passepartout vault set NAME";

function noName(name: string): string {
  return `The vault has no value named ${name}. Set it: passepartout vault set ${name}`;
}

function altered(path: string, error: unknown): string {
  return `The vault ${path} cannot be used: ${describeError(error)}. Put back a copy of it, or move it away and set its values again.`;
}

function withoutKey({ open: _, ...result }: Opened): VaultResult {
  return result;
}

function openOrNull(
  { contents }: Extract<VaultFile, { readonly kind: "sealed" }>,
  key: Buffer,
): ReadonlyMap<string, string> | null {
  try {
    return openContents(contents, key);
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}

function problemOf(name: string, value: string): string | null {
  if (!vaultName.test(name)) {
    return "A name has letters, digits, dots, hyphens and underscores, and at most 64 of them. Nothing was kept.";
  }
  if (value.trim().length < shortestValue) {
    return `A value has ${shortestValue} characters or more: a shorter one could not be masked. Nothing was kept.`;
  }
  return value.length <= longestValue && value.isWellFormed() && !value.includes("\0")
    ? null
    : `A value is text of at most ${longestValue} characters. Nothing was kept.`;
}
