import { closeSync, constants, lstatSync, openSync, readFileSync, readSync } from "node:fs";
import { bytesOfPath, textOfName } from "../files/byte-names.ts";

/** Files of more bytes are looked at by their ends alone. */
const largestRead = 2_000_000;
/** Bytes of each end. */
const endLength = 65_536;

/** What is looked at of a file, bytes as characters, one each: all of it, or of a large one its two ends. */
export type Look =
  | { readonly isWhole: true; readonly text: string }
  | { readonly isWhole: false; readonly first: string; readonly last: string };

/** Looks at a file; null where there is none. */
export function lookAt(path: string): Look | null {
  const place = bytesOfPath(path);
  const status = lstatSync(place, { throwIfNoEntry: false });
  if (status === undefined || !status.isFile()) return null;
  if (status.size <= largestRead) return { isWhole: true, text: readFileSync(place).toString("latin1") };
  const file = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const read = (from: number): string => {
      const bytes = Buffer.alloc(endLength);
      return bytes.toString("latin1", 0, readSync(file, bytes, 0, endLength, from));
    };
    return { isWhole: false, first: read(0), last: read(status.size - endLength) };
  } finally {
    closeSync(file);
  }
}

/** The whole text of a small file that names paths or branches; null where there is none, or a large one. */
export function namesIn(path: string): string | null {
  const text = textOf(path);
  return text === null ? null : textOfName(Buffer.from(text, "latin1"));
}

/** The whole text of a file; null where there is none, or a large one. */
export function textOf(path: string): string | null {
  const look = lookAt(path);
  return look?.isWhole === true ? look.text : null;
}
