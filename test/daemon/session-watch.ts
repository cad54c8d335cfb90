import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { integer, oneOf } from "../../src/memory/storage/rows.ts";
import { type Newest, turnStates } from "../kill/disk.ts";

/** A look at the newest turn of the session with a name, cheap enough to be taken every millisecond beside the daemon that writes. */
export function openSessionWatch(
  folder: string,
  session: string,
): Disposable & { readonly newest: () => Newest | null } {
  const database = new DatabaseSync(join(folder, "state.db"), { readOnly: true, timeout: 5000 });
  const newest = database.prepare(
    "SELECT turns.state AS state, count(*) OVER () AS count FROM turns JOIN sessions ON sessions.id = turns.session WHERE sessions.name = ? ORDER BY turns.number DESC LIMIT 1",
  );
  return {
    newest() {
      const row = newest.get(session);
      return row === undefined
        ? null
        : { count: integer(row, "count"), state: oneOf(row, "state", turnStates) };
    },
    [Symbol.dispose]: () => database.close(),
  };
}
