import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { z } from "zod";
import { sha256 } from "../machine/digest.ts";
import { describeError } from "../text/describe-error.ts";
import { parseJson } from "../text/parse-json.ts";
import { replaceFile } from "./replace-file.ts";

const bytes = z.base64();
/** Encrypted bytes with their tag, and the nonce that they alone were encrypted with. */
const sealed = z.strictObject({ nonce: bytes, text: bytes });
/** Bounds keep a damaged file from taking all memory: 1 GiB at most. */
const derivation = z.strictObject({
  n: z.int().min(16_384).max(1_048_576),
  r: z.literal(8),
  p: z.int().min(1).max(4),
  salt: bytes.min(22),
});
export const vaultName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** The one place that a value may be put in for, and where: the header of a request, and the variable by which a command names it. */
const bindingSchema = z.strictObject({
  host: z.string().min(1).max(253),
  port: z.int().min(1).max(65_535),
  header: z.string().regex(/^[a-z0-9-]{1,64}$/),
  variable: z.string().regex(/^[A-Z_][A-Z0-9_]{0,63}$/),
});
const name = z.string().regex(vaultName);
/** Version 1 knew no bindings and no keyring. */
const firstContents = z.strictObject({
  version: z.literal(1),
  scrypt: derivation,
  check: sealed,
  entries: z.array(z.strictObject({ name, ...sealed.shape })).max(1000),
  seal: sealed,
});
const secondContents = z.strictObject({
  version: z.literal(2),
  scrypt: derivation,
  /** Opens with the right key alone. */
  check: sealed,
  entries: z.array(z.strictObject({ name, ...sealed.shape, bound: bindingSchema.optional() })).max(1000),
  /** Whether the passphrase was made up and is kept in the keyring of the system. */
  keyring: z.boolean(),
  /** Opens where nothing above was altered. */
  seal: sealed,
});
/** `digest` is of all else: it tells damage from a wrong passphrase. */
const digest = { digest: z.string() };
const fileSchema = z.union([firstContents.extend(digest), secondContents.extend(digest)]);

type Sealed = z.infer<typeof sealed>;
type Contents = z.infer<typeof secondContents>;
type AnyContents = z.infer<typeof firstContents> | Contents;

/** The one place that a value may be put in for. */
export type Binding = Readonly<z.infer<typeof bindingSchema>>;

/** How a key is derived from a passphrase. */
export type Derivation = z.infer<typeof derivation>;

/** What a vault's file says without a key. */
export type VaultFile =
  | { readonly kind: "none" }
  | { readonly kind: "damaged"; readonly reason: string }
  | { readonly kind: "sealed"; readonly contents: AnyContents };

/** A value, and where it may be put in; null where it is bound to no host. */
export type VaultEntry = { readonly value: string; readonly bound: Binding | null };

/** What a key opens: the values by name; null where it is another key. Throws where the file was altered. */
export type OpenedVault = ReadonlyMap<string, VaultEntry> | null;

/** The bytes of the largest file that is read, and written. */
const largestFile = 32 * 1024 * 1024;

/** Reads the file of a vault. A file that does not have the form of a vault, or is not as it was written, is damaged. */
export function readVaultFile(path: string): VaultFile {
  let text: string;
  try {
    const { size, isFile } = kindOfFile(path);
    if (!isFile) return damaged(path, "it is no file");
    if (size > largestFile) return damaged(path, `it has more than ${largestFile} bytes`);
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { kind: "none" };
    return damaged(path, describeError(error));
  }
  const json = parseJson(text);
  const parsed = fileSchema.safeParse(json);
  if (!parsed.success) {
    const newer = newerVersion.safeParse(json).data?.version;
    if (newer === undefined) return damaged(path, "it does not have the form of a vault");
    const reason = `The vault ${path} has version ${newer}, which is newer than this program. Update Passepartout. The vault stays as it is.`;
    return { kind: "damaged", reason };
  }
  const { digest: written, ...contents } = parsed.data;
  if (digestOf(contents) !== written) return damaged(path, "it is not as it was written");
  return { kind: "sealed", contents };
}

const newerVersion = z.object({ version: z.int().min(3) });

function kindOfFile(path: string): { readonly size: number; readonly isFile: boolean } {
  const about = statSync(path);
  return { size: about.size, isFile: about.isFile() };
}

function damaged(path: string, why: string): VaultFile {
  const reason = `The vault ${path} is damaged: ${why}. Put back a copy of it, or move it away and set its values again.`;
  return { kind: "damaged", reason };
}

/** Makes the derivation of a new vault. `n` is the cost of scrypt. */
export function newDerivation(n: number): Derivation {
  return { n, r: 8, p: 1, salt: randomBytes(16).toString("base64") };
}

/** Derives the key of 32 bytes, outside the event loop. */
export function deriveKey(passphrase: string, { n, r, p, salt }: Derivation): Promise<Buffer> {
  const cost = { N: n, r, p, maxmem: 256 * n * r * p };
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize("NFKC"), Buffer.from(salt, "base64"), 32, cost, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

/** Opens every value of a vault. */
export function openContents(contents: AnyContents, key: Buffer): OpenedVault {
  if (unseal(key, contents.check, checkedText(contents)) === null) return null;
  if (unseal(key, contents.seal, sealedText(contents)) === null) throw new Error("somebody altered it");
  const bindings = bindingsOf(contents);
  const values = contents.entries.map((entry) => {
    const value = unseal(key, entry, entryText(contents, entry.name));
    if (value === null) throw new Error(`somebody altered the value ${entry.name}`);
    return [entry.name, { value, bound: bindings.get(entry.name) ?? null }] as const;
  });
  return new Map(values);
}

/** Where the values of a vault may be put in, by name. */
export function bindingsOf(contents: AnyContents): ReadonlyMap<string, Binding> {
  if (contents.version === 1) return new Map();
  return new Map(
    contents.entries.flatMap((entry) =>
      entry.bound === undefined ? [] : [[entry.name, entry.bound] as const],
    ),
  );
}

/** What is written into the file of a vault. */
export type VaultWriting = {
  readonly scrypt: Derivation;
  readonly key: Buffer;
  readonly keyring: boolean;
  readonly values: ReadonlyMap<string, VaultEntry>;
};

/** Writes a vault with these values. A value that was there before is encrypted anew, with a nonce of its own. Throws where the file would be too large to be read. */
export function writeVaultFile(path: string, { scrypt: by, key, keyring, values }: VaultWriting): void {
  const bare = { version: 2 as const, scrypt: by };
  const check = seal(key, "", checkedText(bare));
  const entries = [...values].map(([named, { value, bound }]) => ({
    name: named,
    ...seal(key, value, entryText(bare, named)),
    ...(bound === null ? {} : { bound }),
  }));
  const unsealed = { ...bare, check, entries, keyring };
  const contents = { ...unsealed, seal: seal(key, "", sealedText(unsealed)) };
  const text = `${JSON.stringify({ ...contents, digest: digestOf(contents) }, null, 2)}\n`;
  if (text.length > largestFile)
    throw new Error(
      `The vault would have more than ${largestFile} bytes. Nothing was kept; remove a value first.`,
    );
  replaceFile(path, text);
}

const cipher = "aes-256-gcm";
const tagLength = 16;

function seal(key: Buffer, text: string, about: string): Sealed {
  const nonce = randomBytes(12);
  const made = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(about));
  const encrypted = Buffer.concat([made.update(text, "utf8"), made.final(), made.getAuthTag()]);
  return { nonce: nonce.toString("base64"), text: encrypted.toString("base64") };
}

/** Null where the key, the bytes or what they are about is another. */
function unseal(key: Buffer, { nonce, text }: Sealed, about: string): string | null {
  const all = Buffer.from(text, "base64");
  const iv = Buffer.from(nonce, "base64");
  if (all.length < tagLength || iv.length !== 12) return null;
  const made = createDecipheriv(cipher, key, iv, { authTagLength: tagLength })
    .setAAD(Buffer.from(about))
    .setAuthTag(all.subarray(-tagLength));
  const start = made.update(all.subarray(0, -tagLength));
  try {
    return Buffer.concat([start, made.final()]).toString("utf8");
  } catch (error) {
    if (error instanceof Error && /authenticate/.test(error.message)) return null;
    throw error;
  }
}

function checkedText({ scrypt: by }: Pick<AnyContents, "scrypt">): string {
  return JSON.stringify(["check", by]);
}

function entryText({ scrypt: by }: Pick<AnyContents, "scrypt">, named: string): string {
  return JSON.stringify(["value", by, named]);
}

function sealedText(contents: Omit<z.infer<typeof firstContents>, "seal"> | Omit<Contents, "seal">): string {
  const { version, scrypt: by, check, entries } = contents;
  return JSON.stringify([
    "seal",
    version,
    by,
    check,
    entries,
    ...(contents.version === 1 ? [] : [contents.keyring]),
  ]);
}

function digestOf(contents: AnyContents): string {
  return sha256(JSON.stringify(contents));
}
