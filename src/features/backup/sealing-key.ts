import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Derivation, deriveKey } from "../../settings/vault-file.ts";
import { BackupProblem } from "./backup-problem.ts";
import type { Manifest } from "./manifest.ts";

const cipher = "aes-256-gcm";
const [keyBytes, tagBytes] = [32, 16];
/** The cost of scrypt: 128 MB of memory. */
const cost = 131_072;

/** The key that seals secret contents of a state folder; null where there is none. */
export function readSealingKey(state: string): Buffer | null {
  const file = join(state, sealingKeyFile);
  if (!existsSync(file)) return null;
  const key = readFileSync(file);
  return key.length === keyBytes ? key : null;
}

export const sealingKeyFile = "sealing-key";

/** Tells a sealing key from another one, and tells nothing else of it. */
export function identityOfKey(key: Buffer | null): string | null {
  return key === null ? null : createHmac("sha256", key).update("identity in a backup").digest("hex");
}

/** Encrypts a sealing key with a passphrase. */
export async function encryptKey(key: Buffer, passphrase: string): Promise<Manifest["key"]> {
  const salt = randomBytes(16).toString("base64");
  const nonce = randomBytes(12);
  const made = createCipheriv(cipher, await deriveKey(passphrase, derivation(cost, salt)), nonce);
  const sealed = Buffer.concat([made.update(key), made.final(), made.getAuthTag()]).toString("base64");
  return { n: cost, salt, nonce: nonce.toString("base64"), sealed };
}

/** Decrypts the sealing key of a backup. Throws a `BackupProblem` where the passphrase is another one. */
export async function decryptKey(kept: NonNullable<Manifest["key"]>, passphrase: string): Promise<Buffer> {
  const sealed = Buffer.from(kept.sealed, "base64");
  const key = await deriveKey(passphrase, derivation(kept.n, kept.salt));
  try {
    const made = createDecipheriv(cipher, key, Buffer.from(kept.nonce, "base64"), {
      authTagLength: tagBytes,
    }).setAuthTag(sealed.subarray(-tagBytes));
    return Buffer.concat([made.update(sealed.subarray(0, -tagBytes)), made.final()]);
  } catch (error) {
    throw new BackupProblem("The passphrase is not that of this backup. Nothing was changed; try again.", {
      cause: error,
    });
  }
}

function derivation(n: number, salt: string): Derivation {
  return { n, r: 8, p: 1, salt };
}
