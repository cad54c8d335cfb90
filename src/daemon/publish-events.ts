import type { LoopEvent } from "../signal/loop-event.ts";
import type { TraceLine } from "../signal/verdict.ts";
import { describeError } from "../text/describe-error.ts";
import type { JsonObject } from "../text/json.ts";
import type { SubmitResult } from "../turn/submit-result.ts";
import type { MessageKind } from "../wire/channel/channel.ts";
import { type AnswerDetails, loopErrorOf, messageOf } from "../wire/codec/loop-events.ts";
import type { Connection } from "../wire/server/connection.ts";
import type { LocalAgent } from "./agent/local-agent.ts";
import type { OpenQuestions } from "./open-questions.ts";
import { type SubscribedClient, subscribeTo } from "./subscribed-client.ts";

/** Runs actions one after the other. */
export type Enqueue = (act: () => Promise<void> | void) => void;

/** What handling a message of a client needs. */
export type ClientContext = {
  readonly agent: LocalAgent;
  readonly client: SubscribedClient;
  /** All clients, this one among them. */
  readonly clients: ReadonlyMap<string, SubscribedClient>;
  readonly questions: OpenQuestions;
  readonly enqueue: Enqueue;
};

/** Sends each event to the clients of its session, and a question to every proved client. */
export function makeEventPublisher(
  agent: LocalAgent,
  {
    clients,
    questions,
  }: { readonly clients: ReadonlyMap<string, SubscribedClient>; readonly questions: OpenQuestions },
): (event: LoopEvent) => Promise<void> {
  const traces = new Map<string, readonly TraceLine[]>();
  return async (event) => {
    if (event.type === "verdict") traces.set(event.turn, event.trace);
    if (event.type === "accepted") {
      for (const { unacceptedIds, followedTurns } of clients.values())
        if (unacceptedIds.delete(event.id)) followedTurns.add(event.turn);
      return;
    }
    questions.observe(event);
    if (event.type === "approval-required") {
      for (const client of clients.values()) if (client.connection.proved) questions.ask(client, event);
      return;
    }
    const final = isEnd(event);
    const own = event.type === "answered" ? event.trace : undefined;
    const trace = traces.get(event.turn) ?? own ?? [];
    if (final) traces.delete(event.turn);
    const reached = [...clients.values()].filter(
      ({ sessions, followedTurns }) => sessions.has(event.session) || followedTurns.has(event.turn),
    );
    for (const client of clients.values()) if (!reached.includes(client)) tellAnswered(client, event);
    if (final) for (const { shownQuestions } of clients.values()) shownQuestions.delete(event.turn);
    if (reached.length === 0) return;
    const beside = final ? { ...(await agent.figures(event.session)), trace } : nothingBeside;
    for (const { connection, followedTurns } of reached) {
      if (final) followedTurns.delete(event.turn);
      if (!connection.proved && !final && event.type !== "text") continue;
      if (final) sendEnd(agent, connection, { event, beside });
      else {
        const message = messageOf(event, { ...beside, source: connection.source });
        connection.send(message, kindOf(event));
      }
    }
  };
}

/** Tells a client of another session that the question of this turn, which it was asked too, waits no longer. */
function tellAnswered({ connection, shownQuestions }: SubscribedClient, { session, turn }: LoopEvent): void {
  if (!shownQuestions.delete(turn)) return;
  const goesOn = { type: "thinking", session, turn, depth: 0, text: "" } as const;
  connection.send(messageOf(goesOn, { ...nothingBeside, source: connection.source }), "other");
}

/** Replies of commands after which the past of a session is another one. */
const pastChanges: ReadonlySet<string> = new Set(["rewound", "rewound-in-part", "words-back"]);

/** Tells the other clients of a session that its past is another one now, by the words that whoever changed it was told. */
export function tellPastChanged(
  { client, clients }: Pick<ClientContext, "client" | "clients">,
  session: string,
  said: SubmitResult,
): void {
  if (said.kind !== "said" || !pastChanges.has(said.code)) return;
  const payload = { action: "message", outcome: said.kind, code: said.code, text: said.text };
  for (const other of clients.values())
    if (other !== client && other.sessions.has(session) && other.connection.proved)
      other.connection.send({ type: "response", meta: { "session-id": session }, payload }, "other");
}

/**
 * Tells the other clients of a session which words began a turn: to clients that do not know of it, an
 * acceptance of no message of theirs.
 */
export async function tellWords(
  { agent, client, clients }: Pick<ClientContext, "agent" | "client" | "clients">,
  said: SubmitResult,
): Promise<void> {
  if (said.kind !== "turn" || !said.fresh || !client.connection.proved) return;
  const { session, turn } = said;
  const others = [...clients.values()].filter(
    (other) => other !== client && other.sessions.has(session) && other.connection.proved,
  );
  const words = others.length === 0 ? null : await agent.wordsOf(turn);
  if (words === null) return;
  const meta = { "session-id": session, "turn-id": turn };
  for (const { connection } of others)
    connection.send({ type: "status", meta, payload: { action: "accepted", id: turn, words } }, "other");
}

/**
 * Tells the owner in each conversation that is open on a terminal. Once the system took the words for one of
 * them, they count as told.
 */
export function tellNews({ agent, clients }: Pick<ClientContext, "agent" | "clients">, text: string): void {
  const payload = { action: "message", outcome: "said", code: "news", text };
  for (const { connection, sessions } of clients.values()) {
    const [session] = sessions;
    if (!connection.proved || connection.source !== "tui" || session === undefined) continue;
    const message = { type: "response", meta: { "session-id": session }, payload } as const;
    connection.send(message, "other", () => markTold(agent));
  }
}

/** What the owner was told in some session is told nowhere else. */
export function markTold(agent: LocalAgent): void {
  agent
    .markTold()
    .catch((error: unknown) =>
      agent.report(`What the owner was told stays marked as not told: ${describeError(error)}`),
    );
}

type Beside = Omit<AnswerDetails, "source">;
const nothingBeside: Beside = { rules: 0, pending: 0, focus: null, trace: [] };

function isEnd({ type }: LoopEvent): boolean {
  return type === "answered" || type === "blocked" || type === "failed" || type === "stopped";
}

function kindOf({ type }: LoopEvent): MessageKind {
  return type === "text" ? "chunk" : type === "output" || type === "thought" ? "view" : "other";
}

/** Sends the end of a turn. A proved client is told of a fault of the loop by an event of its own before it. */
function sendEnd(
  agent: LocalAgent,
  connection: Connection,
  { event, beside }: { readonly event: LoopEvent; readonly beside: Beside },
): void {
  const fault = connection.proved ? loopErrorOf(event) : null;
  if (fault !== null) connection.send(fault, "other");
  const message = messageOf(event, { ...beside, source: connection.source });
  connection.send(message, "other", deliver(agent, event.turn));
}

/** An answer counts as delivered once the system took all of it for a client that was still there. */
function deliver(agent: LocalAgent, turn: string): () => void {
  return () => {
    agent
      .markDelivered(turn)
      .catch((error: unknown) =>
        agent.report(`The answer of turn ${turn} stays marked as not shown: ${describeError(error)}`),
      );
  };
}

/** Sends a client the ends of turns of a session that nobody saw yet. */
export async function sendUndelivered(
  agent: LocalAgent,
  connection: Connection,
  session: string,
): Promise<void> {
  const beside = { ...(await agent.figures(session)), trace: [] };
  for (const turn of await agent.unseenEnds(session)) {
    const event = await agent.turnStatus(turn);
    if (event !== null) sendEnd(agent, connection, { event, beside });
  }
}

/** Subscribes a client to the session of a turn, and sends the turn's status: its end, its open question, or nothing while it goes on. */
export async function joinTurn(
  { agent, client, questions }: Pick<ClientContext, "agent" | "client" | "questions">,
  { id, turn }: { readonly id: string | null; readonly turn: string },
): Promise<void> {
  const { connection } = client;
  const session = await agent.sessionOf(turn);
  if (session === null) {
    const text = `Turn ${turn} is not kept any more. Say it again.`;
    sendResponse(connection, id, { outcome: "refused", code: "no-turn", text });
    return;
  }
  subscribeTo(client, session, turn);
  agent.lookAround();
  const event = await questions.turnStatus(turn);
  if (event === null) return;
  if (event.type === "approval-required") {
    client.shownQuestions.delete(turn);
    questions.ask(client, event);
    return;
  }
  client.followedTurns.delete(turn);
  const beside = { ...(await agent.figures(session)), trace: [] };
  sendEnd(agent, connection, { event, beside });
}

/**
 * Replies to a message: an `accepted` status once it is on disk, followed by the command's output, or a refusal.
 * A message that comes while the agent closes gets no reply, so that its client repeats it after the next start.
 */
export async function sendReply(
  { agent, client }: Pick<ClientContext, "agent" | "client">,
  id: string | null,
  said: SubmitResult,
): Promise<void> {
  const { connection } = client;
  if (said.kind === "refused" && said.code === "closing") return;
  if (said.kind === "turn") subscribeTo(client, said.session, said.turn);
  const meta: JsonObject = said.kind === "turn" ? { "turn-id": said.turn, "session-id": said.session } : {};
  const accepted = id !== null && said.kind !== "refused";
  if (accepted) connection.send({ type: "status", meta, payload: { action: "accepted", id } }, "other");
  if (said.kind === "turn") return;
  const { kind, ...words } = said;
  const counts = connection.proved ? await countsOf(agent) : {};
  sendResponse(connection, id, { outcome: kind, ...words, ...counts });
}

/** The rules in force and the open questions: every answer has them. */
async function countsOf(agent: LocalAgent): Promise<JsonObject> {
  const { rules, pending } = await agent.figures("");
  return { "rule-count": rules, "pending-count": pending };
}

/** Sends the output of a request. */
export function sendResponse(connection: Connection, id: string | null, said: JsonObject): void {
  const payload = { action: "message", ...said };
  connection.send({ type: "response", ...(id === null ? {} : { id }), payload }, "other");
}
