import type { LocalDaemon } from "./local-daemon.ts";
import type { JsonObject } from "./signal/json.ts";
import type { LoopEvent } from "./signal/loop-event.ts";
import type { TraceLine } from "./signal/verdict.ts";
import type { Connection } from "./wire/connection.ts";
import { type AnswerFigures, loopErrorOf, messageOf } from "./wire/loop-events.ts";

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
  own: Promise<string> | null;
};

/** Gives a client what comes of a session from now on; of one that it only looks into, what comes of the turn. */
export function takePart({ sessions, aside, turns }: Client, session: string, turn: string): void {
  if (aside.has(session)) turns.add(turn);
  else sessions.add(session);
}

/** Sends each event to the clients of its session, and a question to every proved client. */
export function makeSpread(
  daemon: LocalDaemon,
  clients: ReadonlyMap<string, Client>,
): (event: LoopEvent) => Promise<void> {
  const traces = new Map<string, readonly TraceLine[]>();
  return async (event) => {
    if (event.event === "verdict") traces.set(event.turn, event.trace);
    if (event.event === "accepted") {
      for (const { said, turns } of clients.values()) if (said.delete(event.id)) turns.add(event.turn);
      return;
    }
    const final = isEnd(event);
    const trace = traces.get(event.turn) ?? [];
    if (final) traces.delete(event.turn);
    const asks = event.event === "approval-required";
    const reached = [...clients.values()].filter(
      ({ connection, sessions, turns }) =>
        (connection.proved && asks) ||
        ((sessions.has(event.session) || turns.has(event.turn)) && (!asks || connection.proved)),
    );
    if (reached.length === 0) return;
    const beside = final ? { ...(await daemon.figures(event.session)), trace } : nothingBeside;
    for (const { connection, turns } of reached) {
      if (final) turns.delete(event.turn);
      if (!connection.proved && !final && event.event !== "text") continue;
      if (final) sendEnd(daemon, connection, { event, beside });
      else {
        const message = messageOf(event, { ...beside, source: connection.source });
        connection.send(message, event.event === "text" ? "chunk" : "other");
      }
    }
  };
}

type Beside = Omit<AnswerFigures, "source">;
const nothingBeside: Beside = { rules: 0, pending: 0, focus: null, trace: [] };

function isEnd({ event }: LoopEvent): boolean {
  return event === "answered" || event === "blocked" || event === "failed" || event === "stopped";
}

/** Sends the end of a turn; a fault of the loop is told as an event of its own before it, to who may see it. */
function sendEnd(
  daemon: LocalDaemon,
  connection: Connection,
  { event, beside }: { readonly event: LoopEvent; readonly beside: Beside },
): void {
  const fault = connection.proved ? loopErrorOf(event) : null;
  if (fault !== null) connection.send(fault, "other");
  const message = messageOf(event, { ...beside, source: connection.source });
  connection.send(message, "other", deliver(daemon, event.turn));
}

/** An answer counts as delivered once the system took all of it for a client that was still there. */
function deliver(daemon: LocalDaemon, turn: string): () => void {
  return () => {
    daemon
      .delivered(turn)
      .catch((error: unknown) =>
        daemon.report(`The answer of turn ${turn} stays marked as not shown: ${String(error)}`),
      );
  };
}

/** Sends a client the answers of a session that nobody saw yet. */
export async function sendKept(daemon: LocalDaemon, connection: Connection, session: string): Promise<void> {
  const beside = { ...(await daemon.figures(session)), trace: [] };
  for (const { turn } of await daemon.undelivered(session)) {
    const event = await daemon.standing(turn);
    if (event !== null) sendEnd(daemon, connection, { event, beside });
  }
}

/** Lets a client take part in the session of a turn, and tells how the turn stands: its end, its open question, or nothing while it goes on. */
export async function follow(
  daemon: LocalDaemon,
  client: Client,
  { id, turn }: { readonly id: string | null; readonly turn: string },
): Promise<void> {
  const { connection } = client;
  const session = await daemon.sessionOf(turn);
  if (session === null) {
    const text = `There is no turn ${turn} any more. Say it again.`;
    sendSaid(connection, id, { outcome: "refused", code: "no-turn", text });
    return;
  }
  takePart(client, session, turn);
  const event = await daemon.standing(turn);
  if (event === null) return;
  const beside = { ...(await daemon.figures(session)), trace: [] };
  if (isEnd(event)) {
    client.turns.delete(turn);
    sendEnd(daemon, connection, { event, beside });
  } else connection.send(messageOf(event, { ...beside, source: connection.source }), "other");
}

/** Sends the words that a request came to. */
export function sendSaid(connection: Connection, id: string | null, said: JsonObject): void {
  const payload = { action: "message", ...said };
  connection.send({ type: "response", ...(id === null ? {} : { id }), payload }, "other");
}
