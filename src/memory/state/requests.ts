import { sha256 } from "../../machine/digest.ts";
import type { Clock } from "../../text/clock.ts";
import type { Database } from "../storage/database.ts";
import { text, textOrNull } from "../storage/rows.ts";
import { timeForDeleting } from "./deleting-clock.ts";

/** The idempotency key of a request: the client's own id in a session. */
export type RequestKey = { readonly session: string; readonly client: string };

/** The status of a request when a client sends it. */
export type RequestStatus =
  /** The request is new and is on disk now as begun: execute it. */
  | { readonly kind: "new" }
  /** The request was executed before; `outcome` is the stored result. */
  | { readonly kind: "done"; readonly outcome: string }
  /** The request was executed before, and its result was forgotten since. */
  | { readonly kind: "forgotten" }
  /** The request was begun before, and its end is not known. */
  | { readonly kind: "unknown" }
  /** The id belongs to another request or message of this session. */
  | { readonly kind: "taken" };

/** Requests that are not naturally idempotent: executed at most once per client id. */
export type Requests = {
  /** The request is on disk when this resolves. Of `content`, the whole request, only a hash is stored. */
  readonly begin: (named: RequestKey, content: string) => Promise<RequestStatus>;
  /** Stores the outcome of a request; null removes the request. */
  readonly end: (named: RequestKey, outcome: string | null) => Promise<void>;
  readonly has: (named: RequestKey) => Promise<boolean>;
};

/** Stands for the outcome of a request that is gone; no outcome is empty. */
const forgottenOutcome = "";

/** Removes what requests came to, as a part of the caller's transaction. That they were executed stays known. */
export function forgetOutcomes(database: Database): void {
  database.run("UPDATE requests SET outcome = ? WHERE outcome IS NOT NULL", forgottenOutcome);
}

/** Milliseconds for which a request is remembered: 30 days. */
const kept = 30 * 86_400_000;

/** The requests of a database. */
export function openRequests(database: Database, clock: Clock): Requests {
  return {
    begin: async ({ session, client }, content) =>
      database.forced(() => {
        const at = clock();
        database.run("DELETE FROM requests WHERE at < ?", timeForDeleting(database, at) - kept);
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
          if (outcome === forgottenOutcome) return { kind: "forgotten" };
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
