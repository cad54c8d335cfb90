import { writeSync } from "node:fs";

/**
 * Writes to standard error for as long as the process lives. A log that cannot be written (a full disk, a reader that left) ends nothing: each later line is
 * tried again, and the first that can be written is preceded by the number of those that are lost.
 */
export function writeToStandardError(text: string): void {
  if (!process.stderr.destroyed && process.stderr.errored === null) {
    process.stderr.write(text, (error) => {
      if (error) lost.count += 1;
    });
    return;
  }
  // Node gives up a stream after its first error.
  try {
    const before =
      lost.count === 0 ? "" : `passepartout: ${lost.count} messages could not be written here.\n`;
    writeSync(2, before + text);
    lost.count = 0;
  } catch {
    lost.count += 1;
  }
}

const lost = { count: 0 };
