import { openStateReader } from "../../program/read-state.ts";
import type { StartContext } from "../../settings/start-context.ts";

/** How many sessions are looked at. */
const most = 50;

/** What names each of the last sessions on a command line: its name, where a shell needs little quoting for it, else the beginning of its id unless `named`. */
export async function readSessionNames(start: StartContext, named: boolean): Promise<readonly string[]> {
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
