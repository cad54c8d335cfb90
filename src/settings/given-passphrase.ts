import { closeSync, existsSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { describeError } from "../text/describe-error.ts";
import type { Environment } from "./environment.ts";
import { SettingsError } from "./settings-error.ts";

/** The most bytes of a passphrase. */
const most = 4096;

/**
 * The vault's passphrase as whoever starts this process gives it: by an open file descriptor whose number is in `PASSEPARTOUT_PASSPHRASE_FD`, or as the
 * systemd credential `passepartout-passphrase`; null where neither is there. Throws a `SettingsError` where it is there and cannot be read. A descriptor
 * is read once.
 */
export function readGivenPassphrase(environment: Environment): string | null {
  const number = environment["PASSEPARTOUT_PASSPHRASE_FD"] ?? "";
  if (number !== "") return firstLineOf(number, () => readDescriptor(number));
  const folder = environment["CREDENTIALS_DIRECTORY"] ?? "";
  const path = join(folder, "passepartout-passphrase");
  return folder === "" || !existsSync(path) ? null : firstLineOf(path, () => readFileSync(path));
}

function firstLineOf(from: string, read: () => Buffer): string {
  let line: string;
  try {
    line = new TextDecoder("utf-8", { fatal: true }).decode(read()).split(/\r?\n/, 1)[0] ?? "";
  } catch (error) {
    const why = describeError(error);
    throw new SettingsError(`The passphrase of the vault could not be read (${from}: ${why}). Correct it.`, {
      cause: error,
    });
  }
  if (line === "") throw new SettingsError(`The passphrase of the vault is empty (${from}). Correct it.`);
  return line;
}

/** Reads up to the first newline, or the end, and closes it, so that no process that starts later can read it again. Standard input, output and error are no such descriptor. */
function readDescriptor(number: string): Buffer {
  if (!/^[1-9]\d{0,5}$/.test(number) || Number(number) < 3) throw new Error("it is not a number above 2");
  const bytes = Buffer.alloc(most);
  let length = 0;
  while (length < most && !bytes.subarray(0, length).includes(10)) {
    const read = readSync(Number(number), bytes, length, most - length, null);
    if (read === 0) break;
    length += read;
  }
  closeSync(Number(number));
  return bytes.subarray(0, length);
}
