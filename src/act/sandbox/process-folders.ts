import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What the name of a folder of a process begins with; the number of the process follows. */
export const standInsPrefix = "passepartout-stand-ins-";

/** Makes a folder of this process outside of its state; a later start removes it where nobody did. */
export function makeStandIns(place = tmpdir()): Promise<string> {
  return mkdtemp(join(place, `${standInsPrefix}${process.pid}-`));
}
