import { StateProblem } from "../memory/storage/state-problem.ts";
import { perceiveEnvelope } from "../perceive/perceive-envelope.ts";
import type { HiddenAsker, HiddenPrompt } from "../signal/hidden-prompt.ts";
import { describeError } from "../text/describe-error.ts";
import { isJsonObject, type JsonObject } from "../text/json.ts";
import { bufferMessage, buffersCapability } from "../wire/codec/buffer-messages.ts";
import { hiddenPromptCapability, hiddenPromptMessage } from "../wire/codec/hidden-prompts.ts";
import { terminalSizeCapability } from "../wire/codec/terminal-sizes.ts";
import type { Connection, ConnectionHandler } from "../wire/server/connection.ts";
import type { LocalAgent } from "./agent/local-agent.ts";
import { answeringBuffer } from "./answer-buffer.ts";
import { answeringHidden, runClientRequest, vaultRequests } from "./client-requests.ts";
import { idempotentCommand } from "./idempotent-command.ts";
import { makeOpenQuestions } from "./open-questions.ts";
import {
  type ClientContext,
  type Enqueue,
  joinTurn,
  makeEventPublisher,
  sendReply,
  sendResponse,
  tellNews,
  tellPastChanged,
  tellWords,
} from "./publish-events.ts";
import { type SubscribedClient, subscribeClient } from "./subscribed-client.ts";

/** What a client may rely on. */
export const daemonCapabilities: readonly string[] = [
  "auth",
  buffersCapability,
  hiddenPromptCapability,
  "org-ast",
  "output",
  "stream",
  terminalSizeCapability,
];

/** What clients of the wire may do with the agent, and what they get to see of it. */
export type ClientService = {
  readonly handler: ConnectionHandler;
  readonly connected: () => number;
  /** Begins to handle messages; those that came before wait until then. What the start announced is over. */
  readonly begin: (agent: LocalAgent) => void;
  readonly stop: () => void;
  /** Tells every proved client, now and when it comes; null takes back what those that come are told. */
  readonly announce: (text: string | null) => void;
};

/** Joins the wire to the agent: words become signals, commands are the owner's own, and each event goes to the clients of its session. */
export function serveClients(cameOrLeft: () => void = () => {}): ClientService {
  const clients = new Map<string, SubscribedClient>();
  const announced: { text: string | null } = { text: null };
  const arriving = Promise.withResolvers<Omit<ClientContext, "client">>();
  const now = { unsubscribe: (): void => {}, lookAround: (): void => {} };
  return {
    connected: () => clients.size,
    begin(agent) {
      announced.text = null;
      const enqueue = makeSendQueue(agent.report);
      const questions = makeOpenQuestions(agent);
      const publish = makeEventPublisher(agent, { clients, questions });
      const unsubscribe = agent.subscribe((event) => enqueue(() => publish(event)));
      const askNoLonger = agent.askThrough(askClients(clients, enqueue));
      const listenNoLonger = agent.listenToNews((text) => enqueue(() => tellNews({ agent, clients }, text)));
      now.lookAround = agent.lookAround;
      now.unsubscribe = () => {
        unsubscribe();
        listenNoLonger();
        askNoLonger();
      };
      arriving.resolve({ agent, clients, questions, enqueue });
    },
    stop: () => now.unsubscribe(),
    announce(text) {
      announced.text = text;
      for (const { connection } of clients.values()) announceTo(connection, text);
    },
    handler: {
      hello(connection) {
        clients.set(connection.id, subscribeClient(connection));
        void arriving.promise.then(({ agent }) => {
          const client = clients.get(connection.id);
          if (client !== undefined) client.leaveEditors = joinEditors(agent, connection);
        });
        announceTo(connection, announced.text);
        cameOrLeft();
      },
      closed(connection) {
        clients.get(connection.id)?.leaveEditors();
        clients.delete(connection.id);
        now.lookAround();
        cameOrLeft();
      },
      async message(connection, message) {
        const arrived = await arriving.promise;
        const client = clients.get(connection.id);
        if (client !== undefined) await handleOrRefuse({ ...arrived, client }, message);
      },
    },
  };
}

/** Tells a client something that belongs to no session. */
function announceTo({ proved, send }: Connection, text: string | null): void {
  if (text === null || !proved) return;
  send({ type: "response", payload: { action: "message", outcome: "said", code: "update", text } }, "other");
}

/** Has an editor that proved itself be asked about its unsaved buffers. The result ends that. */
function joinEditors(
  { editors }: LocalAgent,
  { id, proved, capabilities, editor, send }: Connection,
): () => void {
  if (!proved || editor === null || !capabilities.includes(buffersCapability)) return () => {};
  return editors.join({ ...editor, id, ask: (request) => send(bufferMessage(request), "other") });
}

/** Asks for what programs hide through the clients that see their turns and can ask. */
function askClients(clients: ReadonlyMap<string, SubscribedClient>, enqueue: Enqueue): HiddenAsker {
  const seeing = ({ session, turn }: HiddenPrompt): readonly SubscribedClient[] =>
    [...clients.values()].filter(
      ({ connection, sessions, followedTurns }) =>
        connection.proved &&
        connection.capabilities.includes(hiddenPromptCapability) &&
        (sessions.has(session) || followedTurns.has(turn)),
    );
  const send = (prompt: HiddenPrompt, over: boolean): void =>
    enqueue(() => {
      for (const { connection } of seeing(prompt))
        connection.send(hiddenPromptMessage(prompt, over), "other");
    });
  return {
    sees: (prompt) => seeing(prompt).length > 0,
    open: (prompt) => send(prompt, false),
    close: (prompt) => send(prompt, true),
  };
}

/** Sends one message after the other, so that all clients see events in the same order, and a command's output after the events that it caused. */
function makeSendQueue(report: (message: string) => void): Enqueue {
  const last = { done: Promise.resolve() };
  return (act) => {
    last.done = last.done
      .then(act)
      .catch((error: unknown) => report(`A message could not be sent to a client: ${describeError(error)}`));
  };
}

/** Handles a message. Where the state cannot be read or written, the client is told why; every other fault disconnects it. */
async function handleOrRefuse(context: ClientContext, message: JsonObject): Promise<void> {
  try {
    await handleMessage(context, message);
  } catch (error) {
    if (!(error instanceof StateProblem)) throw error;
    const id = typeof message["id"] === "string" ? message["id"] : null;
    const { code, message: text } = error;
    context.enqueue(() => sendResponse(context.client.connection, id, { outcome: "refused", code, text }));
  }
}

async function handleMessage(context: ClientContext, message: JsonObject): Promise<void> {
  const { agent, client, enqueue } = context;
  const { connection } = client;
  const person = connection.proved ? "owner" : "unproved";
  const id = typeof message["id"] === "string" ? message["id"] : null;
  if (!(await agent.isStateIntact())) {
    await agent.beat();
    sendResponse(connection, id, { outcome: "refused", code: "state-gone", text: await agent.stateGone });
    return;
  }
  const session = await inOrder(client, () => sessionFor(context, message));
  const received = perceiveEnvelope(
    withSession(message, session),
    { session, source: connection.source, person },
    { id: agent.newId(), at: agent.now() },
  );
  if (!received.ok) {
    connection.close({ code: received.code, text: received.message });
    return;
  }
  if (session !== "" && !client.limitedSessions.has(session)) client.sessions.add(session);
  switch (received.kind) {
    case "recorded":
      await agent.recordEvent(`client-${received.type}`, session);
      return;
    case "signal": {
      const { signal } = received;
      const name = signal.clientId ?? signal.id;
      if (client.limitedSessions.has(session)) client.unacceptedIds.add(name);
      const command = idempotentCommand(signal);
      const result = await (command === null
        ? agent.handleSignal(signal)
        : agent.runOnce(command, () => agent.handleSignal(signal)));
      client.unacceptedIds.delete(name);
      enqueue(async () => {
        tellPastChanged(context, session, result);
        await sendReply({ agent, client }, id, result);
        await tellWords(context, result);
        // Words that come again after a lost connection may be those of a turn that ended meanwhile.
        if (result.kind === "turn" && !result.fresh) await joinTurn(context, { id, turn: result.turn });
      });
      return;
    }
    case "request":
      await runClientRequest(context, { id, session, action: received.action, payload: received.payload });
  }
}

/** Messages of a client go on in the order in which they came, however long the disk takes to tell where each belongs. */
function inOrder(client: SubscribedClient, resolve: () => Promise<string>): Promise<string> {
  const session = client.resolving.then(resolve);
  // Whoever waits for the session is told of its fault; the next message is not concerned.
  client.resolving = session.catch(() => undefined);
  return session;
}

/** The session that a message is for: the one that it names, where its client may name one, else the client's own; empty for what is for none. */
async function sessionFor({ agent, client }: ClientContext, message: JsonObject): Promise<string> {
  const named = sessionNamed(message);
  if (named !== null && client.connection.proved) {
    const known = await agent.knownSession(named);
    const isOpen = known !== null && (client.sessions.has(known) || client.limitedSessions.has(known));
    return isOpen ? known : agent.resolveSession(named, client.connection);
  }
  const { type, payload } = message;
  const action = type === "request" && isJsonObject(payload) ? payload["action"] : undefined;
  if (withoutSession.has(String(action))) return "";
  return ownSession(agent, client);
}

/** Requests that belong to no session. */
const withoutSession: ReadonlySet<string> = new Set([
  "session",
  "follow",
  "snapshot",
  "nearest",
  "org-ast",
  "approve",
  "deny",
  "always",
  answeringHidden,
  answeringBuffer,
  ...vaultRequests,
]);

async function ownSession(agent: LocalAgent, client: SubscribedClient): Promise<string> {
  const { source, workspace } = client.connection;
  client.ownSession ??= agent.openSession({ name: null, latest: false, source, workspace });
  return client.ownSession;
}

function sessionNamed({ meta }: JsonObject): string | null {
  if (!isJsonObject(meta)) return null;
  const named = meta["session-id"] ?? meta["session"];
  return typeof named === "string" ? named : null;
}

function withSession(message: JsonObject, session: string): JsonObject {
  const meta = isJsonObject(message["meta"]) ? message["meta"] : {};
  const { session: _, ...rest } = meta;
  return { ...message, meta: { ...rest, "session-id": session } };
}
