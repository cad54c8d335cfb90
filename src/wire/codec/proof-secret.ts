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
const remedy = "Remove it and start the daemon again: it makes a new one, and every client reads that.";

/** Reads the secret of a state folder, or makes it where there is none: 32 bytes, the same for whoever comes second. What is not as it must be throws in words. */
export function readOrMakeSecret(folder: string): Uint8Array {
  const file = join(folder, fileName);
  const found = read(file);
  if (found !== null) return found;
  make(folder, file);
  return readSecret(folder);
}

/** Reads the secret of a state folder. Where there is none, others could read it, or it is not a secret, it throws in words. */
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
    if (!found.isFile()) throw new Error(`${file} is not a file. ${remedy}`);
    const mode = found.mode & 0o777;
    if ((mode & 0o077) !== 0) {
      throw new Error(
        `Others can read or change the secret ${file} (mode ${mode.toString(8)}; it must be 600). ${remedy}`,
      );
    }
    const buffer = Buffer.alloc(bytesOfFile + 1);
    const text = buffer.toString("latin1", 0, readSync(descriptor, buffer, 0, buffer.length, 0));
    if (!/^[0-9a-f]{64}\n$/.test(text)) {
      throw new Error(`${file} does not hold 64 lower-case hexadecimal digits and a line end. ${remedy}`);
    }
    return new Uint8Array(Buffer.from(text.slice(0, 64), "hex"));
  } finally {
    closeSync(descriptor);
  }
}

/** Opens without following a link and without waiting for a pipe's writer. */
function open(file: string): number | null {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isCode(error, "ENOENT")) return null;
    const what = isCode(error, "ELOOP") ? "is a link, and the secret must be a file" : "cannot be opened";
    throw new Error(`${file} ${what}. ${remedy}`, { cause: error });
  }
}

/** Writes the file whole under another name and links it into place, so that nobody ever reads a half and the first of two wins. */
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
      throw new Error(`The secret ${file} cannot be made. See that the folder can be written.`, {
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
