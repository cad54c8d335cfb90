import type { Connection } from "../wire/server/connection.ts";

/** A connected client and the sessions that it takes part in. */
export type SubscribedClient = {
  readonly connection: Connection;
  readonly sessions: Set<string>;
  /** Sessions of which it gets nothing but the turns that it began or follows. */
  readonly limitedSessions: Set<string>;
  /** Those turns. */
  readonly followedTurns: Set<string>;
  /** What it said in those sessions and was not accepted yet, by the id that the acceptance names. */
  readonly unacceptedIds: Set<string>;
  /** The questions that it was sent: by their turn, when they expire. */
  readonly shownQuestions: Map<string, number>;
  ownSession: Promise<string> | null;
};

/** A client that was just let in. */
export function subscribeClient(connection: Connection): SubscribedClient {
  return {
    connection,
    sessions: new Set(),
    limitedSessions: new Set(),
    followedTurns: new Set(),
    unacceptedIds: new Set(),
    shownQuestions: new Map(),
    ownSession: null,
  };
}

/** Gives a client what comes of a session from now on; of one that it only looks into, what comes of the turn. */
export function subscribeTo(
  { sessions, limitedSessions, followedTurns }: SubscribedClient,
  session: string,
  turn: string,
): void {
  if (limitedSessions.has(session)) followedTurns.add(turn);
  else sessions.add(session);
}
