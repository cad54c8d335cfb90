import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { syncPath } from "../storage/private-file.ts";

/** Encrypts secret bytes with a key of this state folder (AES-256-GCM). */
export type Sealing = {
  /** Encrypts bytes; makes the key if there is none yet. */
  readonly seal: (bytes: Uint8Array) => Uint8Array;
  /** Decrypts bytes; null if another key encrypted them or if they were changed. */
  readonly open: (sealed: Uint8Array) => Uint8Array | null;
  /** A secret of 32 bytes for one purpose, derived from the key (HMAC-SHA256). Null in a folder that is only read and has no key. */
  readonly derive: (purpose: string) => Uint8Array | null;
};

const algorithm = "aes-256-gcm";
const [keyBytes, nonceBytes, tagBytes] = [32, 12, 16];

/** The encryption of a state folder. The key is in the file `sealing-key`, which only the owner can read, and is made at the first use. */
export function openSealing(folder: string, access: "write" | "read" = "write"): Sealing {
  const file = join(folder, "sealing-key");
  return {
    seal(bytes) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, readKey(file) ?? makeKey(folder, file), nonce);
      return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    },
    derive(purpose) {
      const key = readKey(file) ?? (access === "write" ? makeKey(folder, file) : null);
      return key === null ? null : createHmac("sha256", key).update(purpose).digest();
    },
    open(sealed) {
      const key = readKey(file);
      if (key === null || sealed.length < nonceBytes + tagBytes) return null;
      const end = sealed.length - tagBytes;
      const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes));
      decipher.setAuthTag(sealed.subarray(end));
      const opened = decipher.update(sealed.subarray(nonceBytes, end));
      try {
        return Buffer.concat([opened, decipher.final()]);
      } catch (error) {
        if (error instanceof Error) return null;
        throw error;
      }
    },
  };
}

function readKey(file: string): Uint8Array | null {
  if (!existsSync(file)) return null;
  const key = readFileSync(file);
  return key.length === keyBytes ? key : null;
}

function makeKey(folder: string, file: string): Uint8Array {
  const key = randomBytes(keyBytes);
  const draft = `${file}.new`;
  const descriptor = openSync(draft, "w", 0o600);
  try {
    writeFileSync(descriptor, key);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, file);
  syncPath(folder);
  return key;
}
