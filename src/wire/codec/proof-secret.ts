import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

const fileName = "wire-secret";
const bytesOfFile = 65;
const remedy = "Remove it and start the daemon again: the daemon makes a new secret, and clients read it.";

/** Reads the secret of a state folder (32 bytes), or makes it if there is none. Of two processes that make it at once, both get the same secret. Throws if the file is unsafe or invalid. */
export function readOrMakeSecret(folder: string): Uint8Array {
  const file = join(folder, fileName);
  const found = read(file);
  if (found !== null) return found;
  make(folder, file);
  return readSecret(folder);
}

/** Reads the secret of a state folder. Throws if there is none, if other users can read it, or if it is invalid. */
export function readSecret(folder: string): Uint8Array {
  const file = join(folder, fileName);
  const found = read(file);
  if (found === null) {
    throw new Error(`There is no secret at ${file}. Start the daemon once: it makes the secret.`);
  }
  return found;
}

function read(file: string): Uint8Array | null {
  const descriptor = open(file);
  if (descriptor === null) return null;
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile()) throw new Error(`${file} is not a regular file. ${remedy}`);
    const mode = found.mode & 0o777;
    if ((mode & 0o077) !== 0) {
      throw new Error(
        `Other users can read or change the secret ${file} (its mode is ${mode.toString(8)} and must be 600). ${remedy}`,
      );
    }
    const buffer = Buffer.alloc(bytesOfFile + 1);
    const text = buffer.toString("latin1", 0, readSync(descriptor, buffer, 0, buffer.length, 0));
    if (!/^[0-9a-f]{64}\n$/.test(text)) {
      throw new Error(
        `${file} does not consist of 64 lower-case hexadecimal digits and a line end. ${remedy}`,
      );
    }
    return new Uint8Array(Buffer.from(text.slice(0, 64), "hex"));
  } finally {
    closeSync(descriptor);
  }
}

/** Opens a file without following a link, and without blocking on a named pipe. Null if there is none. */
function open(file: string): number | null {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isCode(error, "ENOENT")) return null;
    const what = isCode(error, "ELOOP") ? "is a link; the secret must be a regular file" : "cannot be opened";
    throw new Error(`${file} ${what}. ${remedy}`, { cause: error });
  }
}

/** Writes the file under another name and links it into place: readers never see part of it, and the first of two makers wins. */
function make(folder: string, file: string): void {
  const draft = join(folder, `${fileName}.${randomBytes(8).toString("hex")}`);
  try {
    const descriptor = openSync(draft, "wx", 0o600);
    try {
      writeSync(descriptor, `${randomBytes(32).toString("hex")}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    linkSync(draft, file);
    syncFolder(folder);
  } catch (error) {
    if (!isCode(error, "EEXIST")) {
      throw new Error(`The secret ${file} cannot be written. Make sure that its folder is writable.`, {
        cause: error,
      });
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
