import { perceiveEnvelope } from "../perceive/perceive-envelope.ts";
import { isJsonObject, type JsonObject } from "../signal/json.ts";
import type { ConnectionHandler } from "../wire/server/connection.ts";
import type { LocalDaemon } from "./agent/local-agent.ts";
import { carryOutRequest, commandAsked } from "./client-requests.ts";
import { makeOpenQuestions } from "./open-questions.ts";
import { answer, type Hearing, type InOrder, makeSpread, sendSaid } from "./publish-events.ts";
import { type Client, newClient } from "./subscribed-client.ts";

/** What clients of the wire may do with the agent, and what they get to see of it. */
export type ClientService = {
  readonly handler: ConnectionHandler;
  readonly connected: () => number;
  /** What clients say waits until the agent is there. */
  readonly begin: (daemon: LocalDaemon) => void;
  readonly stop: () => void;
};

/** Joins the wire to the agent: words become signals, commands are the owner's own, and each event goes to the clients of its session. */
export function serveClients(): ClientService {
  const clients = new Map<string, Client>();
  const arriving = Promise.withResolvers<Omit<Hearing, "client">>();
  const now = { unsubscribe: (): void => {} };
  return {
    connected: () => clients.size,
    begin(daemon) {
      const inOrder = makeOrder(daemon.report);
      const questions = makeOpenQuestions(daemon);
      const spread = makeSpread(daemon, { clients, questions });
      now.unsubscribe = daemon.subscribe((event) => inOrder(() => spread(event)));
      arriving.resolve({ daemon, questions, inOrder });
    },
    stop: () => now.unsubscribe(),
    handler: {
      hello: (connection) => void clients.set(connection.id, newClient(connection)),
      closed: (connection) => void clients.delete(connection.id),
      async message(connection, message) {
        const arrived = await arriving.promise;
        const client = clients.get(connection.id);
        if (client !== undefined) await hear({ ...arrived, client }, message);
      },
    },
  };
}

/** Tells clients one thing after the other, so that none sees events in another order, and what a command came to after the events that it made. */
function makeOrder(report: (message: string) => void): InOrder {
  const last = { done: Promise.resolve() };
  return (act) => {
    last.done = last.done
      .then(act)
      .catch((error: unknown) => report(`A client could not be told: ${String(error)}`));
  };
}

async function hear(hearing: Hearing, message: JsonObject): Promise<void> {
  const { daemon, client, inOrder } = hearing;
  const { connection } = client;
  const person = connection.proved ? "owner" : "unproved";
  const id = typeof message["id"] === "string" ? message["id"] : null;
  if (!daemon.intact()) {
    await daemon.beat();
    sendSaid(connection, id, { outcome: "refused", code: "state-gone", text: await daemon.gone });
    return;
  }
  const session = await sessionFor(hearing, message);
  const received = perceiveEnvelope(
    withSession(message, session),
    { session, source: connection.source, person },
    { id: daemon.newId(), at: daemon.now() },
  );
  if (!received.ok) {
    connection.close({ code: received.code, text: received.message });
    return;
  }
  if (session !== "" && !client.aside.has(session)) client.sessions.add(session);
  switch (received.kind) {
    case "recorded":
      await daemon.record(`client-${received.type}`, session);
      return;
    case "signal": {
      const { signal } = received;
      const name = signal.clientId ?? signal.id;
      if (client.aside.has(session)) client.said.add(name);
      const command = commandAsked(signal);
      const said = await (command === null
        ? daemon.hear(signal)
        : daemon.once(command, () => daemon.hear(signal)));
      client.said.delete(name);
      inOrder(() => answer(client, id, said));
      return;
    }
    case "request":
      await carryOutRequest(hearing, { id, session, action: received.action, payload: received.payload });
  }
}

/** The session that a message is for: the one that it names, where its client may name one, else the client's own; empty for what is for none. */
async function sessionFor({ daemon, client }: Hearing, message: JsonObject): Promise<string> {
  const named = sessionNamed(message);
  if (named !== null && client.connection.proved) return daemon.resolveSession(named, client.connection);
  const { type, payload } = message;
  const action = type === "request" && isJsonObject(payload) ? payload["action"] : undefined;
  if (["session", "follow", "snapshot", "approve", "deny"].includes(String(action))) return "";
  return ownSession(daemon, client);
}

async function ownSession(daemon: LocalDaemon, client: Client): Promise<string> {
  const { source, workspace } = client.connection;
  client.own ??= daemon.openSession({ name: null, latest: false, source, workspace });
  return client.own;
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
