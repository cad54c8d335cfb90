import type { Connection } from "../wire/server/connection.ts";

/** A connected client and the sessions that it takes part in. */
export type Client = {
  readonly connection: Connection;
  readonly sessions: Set<string>;
  /** Sessions of which it gets nothing but the turns that it began or follows. */
  readonly aside: Set<string>;
  /** Those turns. */
  readonly turns: Set<string>;
  /** What it said in those sessions and was not accepted yet, by the id that the acceptance names. */
  readonly said: Set<string>;
  /** The questions that it was sent: by their turn, when they expire. */
  readonly asked: Map<string, number>;
  own: Promise<string> | null;
};

/** A client that was just let in. */
export function newClient(connection: Connection): Client {
  return {
    connection,
    sessions: new Set(),
    aside: new Set(),
    turns: new Set(),
    said: new Set(),
    asked: new Map(),
    own: null,
  };
}

/** Gives a client what comes of a session from now on; of one that it only looks into, what comes of the turn. */
export function takePart({ sessions, aside, turns }: Client, session: string, turn: string): void {
  if (aside.has(session)) turns.add(turn);
  else sessions.add(session);
}
