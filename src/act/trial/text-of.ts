import { lstatSync, readFileSync } from "node:fs";
import { bytesOfPath } from "../files/byte-names.ts";

/** Files of more bytes are not looked into. */
const largestRead = 2_000_000;

/** Bytes as characters, one each; null where there is no file, or a large one. */
export function textOf(path: string): string | null {
  const status = lstatSync(bytesOfPath(path), { throwIfNoEntry: false });
  if (status === undefined || !status.isFile() || status.size > largestRead) return null;
  return readFileSync(bytesOfPath(path)).toString("latin1");
}
