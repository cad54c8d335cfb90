import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { syncPath } from "../storage/private-file.ts";

/** Encrypts what is secret, with a key of this state folder's own (AES-256-GCM). */
export type Sealing = {
  /** Makes the key where there is none yet. */
  readonly seal: (bytes: Uint8Array) => Uint8Array;
  /** Null where it was not sealed with this folder's key, or was changed since. */
  readonly open: (sealed: Uint8Array) => Uint8Array | null;
};

const algorithm = "aes-256-gcm";
const [keyBytes, nonceBytes, tagBytes] = [32, 12, 16];

/** The sealing of a state folder. Its key lies in `sealing-key`, readable by the owner alone, and is made when something is first sealed. */
export function openSealing(folder: string): Sealing {
  const file = join(folder, "sealing-key");
  return {
    seal(bytes) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, readKey(file) ?? makeKey(folder, file), nonce);
      return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
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
