import { sha256 } from "../machine/digest.ts";
import { describeError } from "../text/describe-error.ts";
import { changeAlone } from "./change-alone.ts";
import { versionOfFile } from "./replace-file.ts";
import { type Entries, noName, secretsOf, withChanges, withEntry } from "./vault-changes.ts";
import {
  type Binding,
  bindingsOf,
  type Derivation,
  deriveKey,
  newDerivation,
  openContents,
  readVaultFile,
  type VaultFile,
  writeVaultFile,
} from "./vault-file.ts";
import { problemOfValue } from "./vault-value.ts";

/** How a vault stands, with the names in it; names are no secret. */
export type VaultStatus = {
  readonly state: "none" | "locked" | "unlocked" | "damaged";
  readonly names: readonly string[];
  /** The values that may be put in for a host, by name. */
  readonly bindings: ReadonlyMap<string, Binding>;
  /** Names the passphrase in the keyring of the system; null where a person knows it. */
  readonly keyringEntry: string | null;
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

/** A passphrase that a vault is to have. `keep` keeps one that was made up, under the name of its entry, and throws where it cannot. */
export type NewPassphrase = {
  readonly passphrase: string;
  readonly keep?: (entry: string) => Promise<void>;
};

/** The owner's secrets in one encrypted file. Its passphrase is never kept; its key only in this process, until it is locked. */
export type Vault = {
  readonly path: string;
  readonly status: () => VaultStatus;
  /** Unlocks the values for this process. One passphrase is tried after the other. */
  readonly unlock: (passphrase: string) => Promise<VaultResult>;
  readonly lock: () => void;
  /** Keeps a value; makes the vault where there is none. A value that is set again stays bound as it was. */
  readonly set: (passphrase: string | NewPassphrase, name: string, value: string) => Promise<VaultResult>;
  readonly remove: (passphrase: string, name: string) => Promise<VaultResult>;
  /** Binds a value to the one place that it may be put in for; null binds it to none. */
  readonly bind: (passphrase: string, name: string, to: Binding | null) => Promise<VaultResult>;
  /** Sets values of an unlocked vault, and removes those that are null, all at once. The key that unlocked it is enough: for what changes while nobody is there, such as a token that is refreshed. */
  readonly change: (values: ReadonlyMap<string, string | null>) => Promise<VaultResult>;
  /** Encrypts the vault with another passphrase. Whatever happens meanwhile, one of the two opens it. */
  readonly changePassphrase: (passphrase: string, next: NewPassphrase) => Promise<VaultResult>;
  readonly read: (name: string) => VaultValue;
  /** Every secret value that this process ever knew, to be masked: the same array until there is one more. */
  readonly values: () => readonly string[];
};

const shortestPassphrase = 8;
/** scrypt's cost: 128 MiB and some tenths of a second for each passphrase that is tried. */
const standardCost = 131_072;

type Open = {
  readonly key: Buffer;
  readonly scrypt: Derivation;
  readonly keyring: boolean;
  readonly values: Entries;
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
    const empty = { names: [], bindings: new Map<string, Binding>(), keyringEntry: null };
    if (file.kind === "none") return { ...empty, state: "none", text: noVault };
    if (file.kind === "damaged") return { ...empty, state: "damaged", text: file.reason };
    const { contents } = file;
    const known = {
      names: contents.entries.map(({ name }) => name).sort(),
      bindings: bindingsOf(contents),
      keyringEntry: contents.version === 2 && contents.keyring ? entryOf(contents.scrypt) : null,
    };
    return this.#open === null
      ? { ...known, state: "locked", text: `The vault is locked. ${howToUnlock}` }
      : { ...known, state: "unlocked", text: "The vault is unlocked." };
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

  readonly set = (given: string | NewPassphrase, name: string, value: string): Promise<VaultResult> =>
    this.#inTurn(async () => {
      const problem = problemOfValue(name, value);
      if (problem !== null) return { ok: false, code: "wrong-value", reason: problem };
      const next = typeof given === "string" ? { passphrase: given } : given;
      const opened =
        this.#read().kind === "none" ? await this.#makeNew(next) : await this.#tryOpen(next.passphrase);
      return this.#change(opened, (values) =>
        withEntry(values, name, { value, bound: values.get(name)?.bound ?? null }),
      );
    });

  readonly remove = (passphrase: string, name: string): Promise<VaultResult> =>
    this.#inTurn(async () =>
      this.#change(await this.#tryOpen(passphrase), (values) =>
        values.has(name) ? new Map([...values].filter(([other]) => other !== name)) : noName(name),
      ),
    );

  readonly bind = (passphrase: string, name: string, to: Binding | null): Promise<VaultResult> =>
    this.#inTurn(async () =>
      this.#change(await this.#tryOpen(passphrase), (values) => {
        const entry = values.get(name);
        return entry === undefined ? noName(name) : withEntry(values, name, { ...entry, bound: to });
      }),
    );

  readonly change = (values: ReadonlyMap<string, string | null>): Promise<VaultResult> =>
    this.#inTurn(async () => {
      const { text } = this.status();
      if (this.#open === null) return { ok: false, code: "no-vault", reason: text };
      const open = { ...this.#open, key: Buffer.from(this.#open.key) };
      const result = await this.#change({ ok: true, open }, (before) => withChanges(before, values));
      this.#read();
      return result;
    });

  readonly changePassphrase = (passphrase: string, next: NewPassphrase): Promise<VaultResult> =>
    this.#inTurn(async () => {
      const opened = await this.#tryOpen(passphrase);
      if (opened.open === undefined) return withoutKey(opened);
      const made = await this.#makeNew(next);
      if (made.open === undefined) return withoutKey(made);
      return this.#change(opened, (values) => values, made.open);
    });

  readonly read = (name: string): VaultValue => {
    const { state, names, text } = this.status();
    if (state === "damaged") return { ok: false, reason: text };
    if (state === "none" || !names.includes(name)) return noName(name);
    const entry = this.#open?.values.get(name);
    return entry === undefined ? { ok: false, reason: text } : { ok: true, value: entry.value };
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
    else this.#keep({ key, ...aboutKey(file), values });
  }

  async #tryOpen(passphrase: string): Promise<Opened> {
    const file = this.#read();
    if (file.kind === "none") return { ok: false, code: "no-vault", reason: noVault };
    if (file.kind === "damaged") return { ok: false, code: "damaged", reason: file.reason };
    const key = await deriveKey(passphrase, file.contents.scrypt);
    try {
      const values = openContents(file.contents, key);
      if (values !== null) return { ok: true, open: { key, ...aboutKey(file), values } };
      const reason = "The passphrase is wrong. The vault stays as it was; try again.";
      return { ok: false, code: "wrong-passphrase", reason };
    } catch (error) {
      return { ok: false, code: "damaged", reason: altered(this.path, error) };
    }
  }

  async #makeNew({ passphrase, keep }: NewPassphrase): Promise<Opened> {
    if (passphrase.length < shortestPassphrase) {
      const reason = `A passphrase has ${shortestPassphrase} characters or more. Nothing was kept; choose a longer one.`;
      return { ok: false, code: "wrong-value", reason };
    }
    const scrypt = newDerivation(this.#cost);
    const key = await deriveKey(passphrase, scrypt);
    await keep?.(entryOf(scrypt));
    return { ok: true, open: { key, scrypt, keyring: keep !== undefined, values: new Map() } };
  }

  /** Changes the values as they are in the file now: another process may have changed them meanwhile. They are written by the key that opened them, or by another. */
  async #change(
    opened: Opened,
    change: (values: Entries) => Entries | VaultResult,
    by = opened.open,
  ): Promise<VaultResult> {
    const { open } = opened;
    if (open === undefined || by === undefined) return withoutKey(opened);
    try {
      return await changeAlone(this.path, () => {
        const file = readVaultFile(this.path);
        if (file.kind === "damaged") throw new Error(file.reason);
        const now = file.kind === "none" ? open.values : openContents(file.contents, open.key);
        if (now === null) throw new Error("Another command made a new vault meanwhile. Try again.");
        const values = change(now);
        if ("ok" in values) return values;
        writeVaultFile(this.path, { ...by, values });
        return { ok: true };
      });
    } finally {
      open.key.fill(0);
      by.key.fill(0);
    }
  }

  #keep(open: Open): void {
    this.#open = open;
    const further = secretsOf(open.values).filter((value) => !this.#known.includes(value));
    if (further.length > 0) this.#known = [...this.#known, ...new Set(further)];
  }
}

const howToUnlock = "Unlock it: passepartout vault unlock";
const noVault = "There is no vault yet. Make one: passepartout vault set NAME";

/** Each derivation has an entry of its own in the keyring, so that the old one is there until the file has the new one. */
function entryOf({ salt }: Derivation): string {
  return sha256(salt).slice(0, 16);
}

function aboutKey({ contents }: Sealed): Pick<Open, "scrypt" | "keyring"> {
  return { scrypt: contents.scrypt, keyring: contents.version === 2 && contents.keyring };
}

function altered(path: string, error: unknown): string {
  return `The vault ${path} cannot be used: ${describeError(error)}. Put back a copy of it, or move it away and set its values again.`;
}

function withoutKey({ open: _, ...result }: Opened): VaultResult {
  return result;
}

type Sealed = Extract<VaultFile, { readonly kind: "sealed" }>;

function openOrNull({ contents }: Sealed, key: Buffer): Entries | null {
  try {
    return openContents(contents, key);
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}
