import type { Io } from "../../kernel/io.ts";
import { exitCodes } from "../../program/io.ts";
import { parseVerb } from "../../program/options.ts";
import { openStateReader } from "../../program/read-state.ts";
import { makeStartContext } from "../../program/start-context.ts";
import { settingTable } from "../../settings/setting-table.ts";
import type { StartContext } from "../../settings/start-context.ts";
import { completionForBash } from "../table/complete-bash.ts";
import { completionForFish } from "../table/complete-fish.ts";
import { completionForZsh } from "../table/complete-zsh.ts";
import { manPage } from "../table/man-page.ts";
import { completionSpec } from "../table/own-specs.ts";

/** How many sessions are looked at. */
const most = 50;

/**
 * What names each of the last sessions on a command line: its name, where a shell needs little quoting for
 * it, else the beginning of its id unless `named`.
 */
async function readSessionNames(start: StartContext, named: boolean): Promise<readonly string[]> {
  await using reader = await openStateReader(start);
  const sessions = await reader.state.sessions.list(most);
  return sessions.flatMap(({ id, title, isNamed }) => {
    if (isNamed && isPlain(title)) return [title];
    return named ? [] : [id.slice(0, shownOfId)];
  });
}

/** Characters of an id that a list shows. */
const shownOfId = 8;

function isPlain(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_.@+ -]*$/u.test(name);
}

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
