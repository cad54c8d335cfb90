import { randomUUID } from "node:crypto";
import { PipelineError } from "../../signal/failure.ts";
import type { Clock } from "../../text/clock.ts";
import type { Database } from "../storage/database.ts";
import { copyAttachments } from "./attachments.ts";
import { isSaid } from "./rewindings.ts";
import { type TurnRows, turnColumns } from "./turn-rows.ts";

/** Begins a session in the same folder whose past is that of another one. Turns that are not finished, costs and questions stay with the other. */
export function forkSession(
  database: Database,
  session: string,
  { rows, clock }: { readonly rows: TurnRows; readonly clock: Clock },
): Promise<string> {
  return database.forced(() => {
    const id = randomUUID();
    const made = database.run(
      `INSERT INTO sessions (id, name, workspace, source, focus, created, updated)
       SELECT ?1, NULL, workspace, source, focus, ?2, ?2 FROM sessions WHERE id = ?3`,
      id,
      clock(),
      session,
    );
    if (made === 0) throw new PipelineError(`there is no session ${session}`, null);
    const turns = database
      .all(
        `SELECT ${turnColumns} FROM turns
         WHERE session = ? AND state IN ('answered', 'blocked', 'failed', 'stopped') AND ${isSaid} ORDER BY number`,
        session,
      )
      .map((row) => rows.read(row));
    rows.copy(turns, id, randomUUID);
    copyAttachments(database, session, id);
    return id;
  });
}
