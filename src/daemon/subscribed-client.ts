import type { Connection } from "../wire/server/connection.ts";

/** A connected client, with what it is subscribed to. */
export type SubscribedClient = {
  readonly connection: Connection;
  readonly sessions: Set<string>;
  /** Sessions in which it gets only the turns that it began or follows. */
  readonly limitedSessions: Set<string>;
  /** The turns that it follows. */
  readonly followedTurns: Set<string>;
  /** The ids of its messages to limited sessions that were not accepted yet. */
  readonly unacceptedIds: Set<string>;
  /** When each question that it was sent expires, by turn. */
  readonly shownQuestions: Map<string, number>;
  /** The session that is opened for it when it names none. */
  ownSession: Promise<string> | null;
  /** Resolves once the sessions of its messages so far are known. */
  resolving: Promise<unknown>;
  /** Ends that it is asked about unsaved buffers. */
  leaveEditors: () => void;
};

/** A client that has just connected. */
export function subscribeClient(connection: Connection): SubscribedClient {
  return {
    connection,
    sessions: new Set(),
    limitedSessions: new Set(),
    followedTurns: new Set(),
    unacceptedIds: new Set(),
    shownQuestions: new Map(),
    ownSession: null,
    resolving: Promise.resolve(),
    leaveEditors: () => {},
  };
}

/**
 * Subscribes a client to a turn, and to all of its session unless that is limited, or will be by a request
 * that is under way.
 */
export function subscribeTo(
  { sessions, limitedSessions, followedTurns }: SubscribedClient,
  session: string,
  turn: string,
): void {
  followedTurns.add(turn);
  if (!limitedSessions.has(session)) sessions.add(session);
}
