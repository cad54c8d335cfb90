import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { syncPath } from "../storage/private-file.ts";

/** Encrypts secret bytes with a key of this state folder (AES-256-GCM). */
export type Sealing = {
  /** Encrypts bytes; makes the key if there is none yet. */
  readonly seal: (bytes: Uint8Array) => Uint8Array;
  /** Decrypts bytes; null if another key encrypted them or if they were changed. */
  readonly open: (sealed: Uint8Array) => Uint8Array | null;
  /** A secret of 32 bytes for one purpose, derived from the key (HMAC-SHA256). Null in a folder that is only read and has no key. */
  readonly derive: (purpose: string) => Promise<Uint8Array | null>;
};

const algorithm = "aes-256-gcm";
const [keyBytes, nonceBytes, tagBytes] = [32, 12, 16];

/** The encryption of a state folder. The key is in the file `sealing-key`, which only the owner can read, and is made at the first use. */
export function openSealing(folder: string, access: "write" | "read" = "write"): Sealing {
  const file = join(folder, "sealing-key");
  let known: { readonly stamp: string; readonly key: Uint8Array | null } | null = null;
  // On a slow disk each call for a file counts, so the same file is read once.
  const readKey = (): Uint8Array | null => {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return null;
    const stamp = `${found.ino} ${found.mtimeMs} ${found.size}`;
    if (known?.stamp !== stamp) known = { stamp, key: wholeKey(readFileSync(file)) };
    return known.key;
  };
  const readOrMakeKey = (): Uint8Array => readKey() ?? makeKey(folder, file);
  return {
    seal(bytes) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, readOrMakeKey(), nonce);
      return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    },
    async derive(purpose) {
      const key = wholeKey(await readIfThere(file)) ?? (access === "write" ? readOrMakeKey() : null);
      return key === null ? null : createHmac("sha256", key).update(purpose).digest();
    },
    open(sealed) {
      const key = readKey();
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

function wholeKey(bytes: Uint8Array | null): Uint8Array | null {
  return bytes?.length === keyBytes ? bytes : null;
}

async function readIfThere(file: string): Promise<Uint8Array | null> {
  return readFile(file).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  });
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
