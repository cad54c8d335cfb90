import { randomUUID } from "node:crypto";
import { PipelineError } from "../../signal/failure.ts";
import type { Clock } from "../../text/clock.ts";
import type { Database } from "../storage/database.ts";
import { copyAttachments } from "./attachments.ts";
import type { BlobStore } from "./blobs.ts";
import type { SessionFiling } from "./file-turns.ts";
import { forget, forgetSession } from "./forget.ts";
import { forgetGrown } from "./forget-grown.ts";
import { inheritSession } from "./inherit-session.ts";
import { isSaid } from "./rewindings.ts";
import type { State } from "./state.ts";
import { type TurnRows, turnColumns } from "./turn-rows.ts";

/** What removes texts for good, and what changes sessions as a whole. */
export function openForgetting({
  database,
  sealing,
  filing,
  clock,
}: BlobStore & { readonly filing: SessionFiling; readonly clock: Clock }): Pick<
  State,
  "forget" | "forgetGrown" | "forkSession" | "forgetSession"
> {
  const rows = filing.turns;
  const parts = { rows, clock, forgetSaid: filing.remove, fileAgain: filing.fileAgain };
  return {
    forget: async (what, author) => {
      filing.fileAll();
      return forget({ database, sealing }, what, { ...parts, author });
    },
    forgetGrown: async (what, author) => {
      filing.fileAll();
      return forgetGrown({ database, sealing }, what, { ...parts, author });
    },
    forkSession: async (id) => {
      filing.fileAll();
      return forkSession(database, id, { rows, clock });
    },
    forgetSession: async (what) => {
      filing.fileAll();
      return forgetSession({ database, sealing }, what, parts);
    },
  };
}

/**
 * Begins a session in the same folder whose past is that of another one, and which is bound as that one is.
 * Turns that are not finished, costs, questions and what was allowed stay with the other.
 */
function forkSession(
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
    inheritSession(database, session, id);
    copyAttachments(database, session, id);
    return id;
  });
}
