import type { Io } from "../../kernel/io.ts";
import { exitCodes } from "../../program/io.ts";
import { parseVerb } from "../../program/options.ts";
import { makeStartContext } from "../../program/start-context.ts";
import { settingTable } from "../../settings/setting-table.ts";
import { completionForBash } from "../table/complete-bash.ts";
import { completionForFish } from "../table/complete-fish.ts";
import { completionForZsh } from "../table/complete-zsh.ts";
import { manPage } from "../table/man-page.ts";
import { completionSpec } from "../table/own-specs.ts";
import { readSessionNames } from "./read-session-names.ts";

/** Prints a script that completes command lines in a shell, the names of sessions for it, or the manual page. */
export async function completionCommand(io: Io): Promise<number> {
  const { verb, values } = parseVerb(io, completionSpec);
  const settings = ["MEMEX_DIR", ...Object.keys(settingTable)].toSorted();
  switch (verb) {
    case "bash":
      io.output.write(completionForBash(settings));
      break;
    case "zsh":
      io.output.write(completionForZsh(settings));
      break;
    case "fish":
      io.output.write(completionForFish(settings));
      break;
    case "man":
      io.output.write(manPage({ version: io.version, day: new Date().toISOString().slice(0, 10) }));
      break;
    case "sessions":
      for (const name of await readSessionNames(makeStartContext(io), values.named)) io.out(`${name}\n`);
  }
  return exitCodes.done;
}
