import { randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { describeError } from "../signal/text/describe-error.ts";

/** Replaces a file that only its owner can open as a whole, forced to disk. */
export function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const beside = `${path}.${randomUUID()}.tmp`;
  const file = openSync(beside, "wx", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  chmodSync(beside, 0o600);
  renameSync(beside, path);
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** A text that changes with every change of the file, or says why it cannot be looked at. */
export function versionOfFile(path: string): string {
  try {
    // A missing file is the usual case: an error made for it would cost more than the rest of a verdict.
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? "none" : `${found.ino} ${found.size} ${found.mtimeNs}`;
  } catch (error) {
    return describeError(error);
  }
}
