import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt } from "node:crypto";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { describeError } from "../signal/describe-error.ts";
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
const contentsSchema = z.strictObject({
  version: z.literal(1),
  scrypt: derivation,
  /** Opens with the right key alone. */
  check: sealed,
  entries: z.array(z.strictObject({ name: z.string().regex(vaultName), ...sealed.shape })).max(1000),
  /** Opens where nothing above was altered. */
  seal: sealed,
});
/** `digest` is of all else: it tells damage from a wrong passphrase. */
const fileSchema = contentsSchema.extend({ digest: z.string() });

type Sealed = z.infer<typeof sealed>;
type Contents = z.infer<typeof contentsSchema>;

/** How a key is derived from a passphrase. */
export type Derivation = z.infer<typeof derivation>;

/** What a vault's file says without a key. */
export type VaultFile =
  | { readonly kind: "none" }
  | { readonly kind: "damaged"; readonly reason: string }
  | { readonly kind: "sealed"; readonly contents: Contents };

/** What a key opens: the values by name; null where it is another key. Throws where the file was altered. */
export type OpenedVault = ReadonlyMap<string, string> | null;

/** Reads the file of a vault. A file that does not have the form of a vault, or is not as it was written, is damaged. */
export function readVaultFile(path: string): VaultFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { kind: "none" };
    return damaged(path, describeError(error));
  }
  const parsed = fileSchema.safeParse(parseOrNull(text));
  if (!parsed.success) return damaged(path, "it does not have the form of a vault of version 1");
  const { digest, ...contents } = parsed.data;
  if (digestOf(contents) !== digest) return damaged(path, "it is not as it was written");
  return { kind: "sealed", contents };
}

function damaged(path: string, why: string): VaultFile {
  const reason = `The vault ${path} is damaged: ${why}. Put back a copy of it, or move it away and set its values again.`;
  return { kind: "damaged", reason };
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
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
export function openContents(contents: Contents, key: Buffer): OpenedVault {
  if (unseal(key, contents.check, checkedText(contents)) === null) return null;
  if (unseal(key, contents.seal, sealedText(contents)) === null) throw new Error("somebody altered it");
  const values = contents.entries.map(({ name, ...value }) => {
    const text = unseal(key, value, entryText(contents, name));
    if (text === null) throw new Error(`somebody altered the value ${name}`);
    return [name, text] as const;
  });
  return new Map(values);
}

/** Writes a vault with these values. A value that was there before is encrypted anew, with a nonce of its own. */
export function writeVaultFile(
  path: string,
  {
    scrypt: by,
    key,
    values,
  }: { readonly scrypt: Derivation; readonly key: Buffer; readonly values: ReadonlyMap<string, string> },
): void {
  const bare = { version: 1 as const, scrypt: by };
  const check = seal(key, "", checkedText(bare));
  const entries = [...values].map(([name, value]) => ({ name, ...seal(key, value, entryText(bare, name)) }));
  const unsealed = { ...bare, check, entries };
  const contents = { ...unsealed, seal: seal(key, "", sealedText(unsealed)) };
  replaceFile(path, `${JSON.stringify({ ...contents, digest: digestOf(contents) }, null, 2)}\n`);
}

/** Does work on a vault while no other process changes it. Throws where one does. */
export function changeAlone<T>(path: string, work: () => T): T {
  const lock = `${path}.lock`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
  if (Date.now() - since > staleAfter) rmSync(lock, { force: true });
  try {
    closeSync(openSync(lock, "wx", 0o600));
  } catch (error) {
    throw new Error(`Another command changes the vault now (${lock} is there). Try again in 10 seconds.`, {
      cause: error,
    });
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Milliseconds after which a lock was left by a process that was killed. */
const staleAfter = 10_000;

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

function checkedText({ scrypt: by }: Pick<Contents, "scrypt">): string {
  return JSON.stringify(["check", by]);
}

function entryText({ scrypt: by }: Pick<Contents, "scrypt">, name: string): string {
  return JSON.stringify(["value", by, name]);
}

function sealedText({ version, scrypt: by, check, entries }: Omit<Contents, "seal">): string {
  return JSON.stringify(["seal", version, by, check, entries]);
}

function digestOf(contents: Contents): string {
  return createHash("sha256").update(JSON.stringify(contents)).digest("hex");
}
