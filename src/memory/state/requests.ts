import type { Clock } from "../../signal/clock.ts";
import type { Database } from "../storage/database.ts";
import { sha256 } from "../storage/digest.ts";
import { text, textOrNull } from "../storage/rows.ts";

/** A request as its client names it: by an id of its own in a session. */
export type RequestKey = { readonly session: string; readonly client: string };

/** What beginning a request comes to. */
export type RequestStatus =
  /** It was not known and is on disk now as begun: do it. */
  | { readonly kind: "new" }
  /** It was done; `outcome` is what was kept of that. */
  | { readonly kind: "done"; readonly outcome: string }
  /** It was begun before, and nothing is known of its end. */
  | { readonly kind: "unknown" }
  /** Its id stands for something else in this session. */
  | { readonly kind: "taken" };

/** What clients asked for under ids of their own, so that nothing that is repeated is done twice. */
export type Requests = {
  /** Durable when it resolves. `content` is all that was asked; of it a hash is kept. */
  readonly begin: (named: RequestKey, content: string) => Promise<RequestStatus>;
  /** Keeps what a request came to; with null it is as if it had never been begun. */
  readonly end: (named: RequestKey, outcome: string | null) => Promise<void>;
  readonly has: (named: RequestKey) => Promise<boolean>;
};

/** How long a request is known: 30 days, in milliseconds. */
const kept = 30 * 86_400_000;

/** The requests of a database. */
export function openRequests(database: Database, clock: Clock): Requests {
  return {
    begin: async ({ session, client }, content) =>
      database.transaction("forced", () => {
        const at = clock();
        database.run("DELETE FROM requests WHERE at < ?", at - kept);
        if (database.get("SELECT 1 FROM turns WHERE session = ? AND client = ?", session, client)) {
          return { kind: "taken" };
        }
        const hash = sha256(content);
        const known = database.get(
          "SELECT hash, outcome FROM requests WHERE session = ? AND client = ?",
          session,
          client,
        );
        if (known !== undefined) {
          if (text(known, "hash") !== hash) return { kind: "taken" };
          const outcome = textOrNull(known, "outcome");
          return outcome === null ? { kind: "unknown" } : { kind: "done", outcome };
        }
        database.run(
          "INSERT INTO requests (session, client, hash, outcome, at) VALUES (?, ?, ?, NULL, ?)",
          session,
          client,
          hash,
          at,
        );
        return { kind: "new" };
      }),
    end: async ({ session, client }, outcome) => {
      database.transaction("unforced", () =>
        outcome === null
          ? database.run("DELETE FROM requests WHERE session = ? AND client = ?", session, client)
          : database.run(
              "UPDATE requests SET outcome = ? WHERE session = ? AND client = ?",
              outcome,
              session,
              client,
            ),
      );
    },
    has: async ({ session, client }) =>
      database.get("SELECT 1 FROM requests WHERE session = ? AND client = ?", session, client) !== undefined,
  };
}
