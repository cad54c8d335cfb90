import { writeSync } from "node:fs";
import type { Writable } from "node:stream";

/** The stream of standard error; `fd` is there where it is that of a process. */
export type StandardError = Writable & { readonly fd?: number };

/**
 * Writes to standard error for as long as the process lives. A log that cannot be written (a full disk, a reader that left) ends nothing: each later line is
 * tried again, and the first that can be written is preceded by the number of those that are lost.
 */
export function writeToStandardError(stream: StandardError, text: string): void {
  if (!stream.destroyed && stream.errored === null) {
    stream.write(text, (error) => {
      if (error) lost.count += 1;
    });
    return;
  }
  // Node gives up a stream after its first error.
  try {
    const before =
      lost.count === 0 ? "" : `passepartout: ${lost.count} messages could not be written here.\n`;
    writeSync(stream.fd ?? 2, before + text);
    lost.count = 0;
  } catch {
    lost.count += 1;
  }
}

const lost = { count: 0 };
