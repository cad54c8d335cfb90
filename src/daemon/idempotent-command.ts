import { recogniseCommand } from "../perceive/commands.ts";
import { isDecision } from "../signal/review.ts";
import type { Signal } from "../signal/signal.ts";
import { canonicalJson } from "../text/json.ts";
import type { IdempotentRequest } from "../turn/idempotent-requests.ts";

/** Requests that are not naturally idempotent: executed at most once per client id. */
export const executedOnce: ReadonlySet<string> = new Set([
  "approve",
  "deny",
  "always",
  "stop",
  "take-back",
  "compact",
  "clear",
  "undo",
  "redo",
  "rewind",
  "rename-session",
  "fork-session",
  "delete-session",
  "rollback",
  "trust",
  "public",
  "trust-folder",
  "forget",
  "forget-derived",
  "config",
  "snapshot",
  "jobs",
  "review",
  "draft-skill",
]);
/** Requests of those that may be repeated where their end is not known. */
export const repeatable: ReadonlySet<string> = new Set(["approve", "deny", "stop"]);

/** The request that typed words make, where it is executed at most once; null for all other words. */
export function idempotentCommand(signal: Signal): IdempotentRequest | null {
  const { clientId: client, session, payload } = signal;
  const command = recogniseCommand(signal);
  const kind = command?.kind ?? "";
  if (client === null || !executedOnce.has(kind)) return null;
  // A decision is a turn, which a client's id begins only once.
  if (command?.kind === "review" && isDecision(command.request)) return null;
  return { session, client, content: canonicalJson(payload), repeatable: repeatable.has(kind) };
}
