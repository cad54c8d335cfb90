import { closeSync, fsyncSync, openSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { makePrivateFolder } from "../private-file.ts";

/** A version of a file that could not be written, for the person to look at. */
export type Aside = {
  /** The private folder that such versions lie in; it is made where it is missing. */
  readonly folder: string;
  /** The file that it was to be written to. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Unix milliseconds. */
  readonly at: number;
};

/** Puts a version aside, readable by its owner alone and beside all that were put there before; gives its path. */
export function setAside({ folder, path, bytes, at }: Aside): string {
  makePrivateFolder(folder);
  const stamp = new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
  for (let count = 1; ; count += 1) {
    const place = join(folder, `${stamp}${count === 1 ? "" : `-${count}`}-${basename(path)}`);
    const descriptor = openNew(place);
    if (descriptor === null) continue;
    try {
      writeFileSync(descriptor, bytes);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return place;
  }
}

function openNew(path: string): number | null {
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return null;
    throw error;
  }
}
