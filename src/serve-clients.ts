import type { LocalDaemon } from "./local-daemon.ts";
import type { Submitted } from "./loop.ts";
import type { Command } from "./perceive/commands.ts";
import { perceiveEnvelope } from "./perceive/perceive-envelope.ts";
import { isJsonObject, type Json, type JsonObject } from "./signal/json.ts";
import { type Client, follow, makeSpread, sendKept, sendSaid, takePart } from "./tell-clients.ts";
import type { Connection, Handler } from "./wire/connection.ts";

/** What clients of the wire may do with the agent, and what they get to see of it. */
export type ClientService = {
  readonly handler: Handler;
  readonly connected: () => number;
  /** What clients say waits until the agent is there. */
  readonly begin: (daemon: LocalDaemon) => void;
  readonly stop: () => void;
};

/** Joins the wire to the agent: words become signals, commands are the owner's own, and each event goes to the clients of its session. */
export function serveClients(): ClientService {
  const clients = new Map<string, Client>();
  const arriving = Promise.withResolvers<Pick<Hearing, "daemon" | "inOrder">>();
  const now = { unsubscribe: (): void => {} };
  return {
    connected: () => clients.size,
    begin(daemon) {
      const inOrder = makeOrder(daemon.report);
      const spread = makeSpread(daemon, clients);
      now.unsubscribe = daemon.subscribe((event) => inOrder(() => spread(event)));
      arriving.resolve({ daemon, inOrder });
    },
    stop: () => now.unsubscribe(),
    handler: {
      hello: (connection) => void clients.set(connection.id, newClient(connection)),
      closed: (connection) => void clients.delete(connection.id),
      async message(connection, message) {
        const { daemon, inOrder } = await arriving.promise;
        const client = clients.get(connection.id);
        if (client !== undefined) await hear({ daemon, client, inOrder }, message);
      },
    },
  };
}

function newClient(connection: Connection): Client {
  const [sessions, aside, turns, said] = [
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
  ];
  return { connection, sessions, aside, turns, said, own: null };
}

/** Does one thing after the other. */
type InOrder = (act: () => Promise<void> | void) => void;

/** What a message is heard with. */
type Hearing = { readonly daemon: LocalDaemon; readonly client: Client; readonly inOrder: InOrder };

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
      const said = await daemon.hear(signal);
      client.said.delete(name);
      inOrder(() => answer(client, id, said));
      return;
    }
    case "request":
      await request(hearing, { id, session, action: received.action, payload: received.payload });
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

/**
 * Says what became of a message: accepted once it is on disk, then the words that a command came to; or that it was refused, and then it was not accepted.
 * What came while the agent closes gets no answer, so that its client repeats it after the next start.
 */
function answer(client: Client, id: string | null, said: Submitted): void {
  const { connection } = client;
  if (said.kind === "refused" && said.code === "closing") return;
  if (said.kind === "turn") takePart(client, said.session, said.turn);
  const meta: JsonObject = said.kind === "turn" ? { "turn-id": said.turn, "session-id": said.session } : {};
  const accepted = id !== null && said.kind !== "refused";
  if (accepted) connection.send({ type: "status", meta, payload: { action: "accepted", id } }, "other");
  if (said.kind === "turn") return;
  sendSaid(connection, id, { outcome: said.kind, code: said.code, text: said.text });
}

const stoppedIt: Submitted = { kind: "said", code: "stopped", text: "Stopped." };
const nothingRan: Submitted = { kind: "said", code: "idle", text: "Nothing was running in this session." };

type Request = {
  readonly id: string | null;
  readonly session: string;
  readonly action: string;
  readonly payload: JsonObject;
};

async function request({ daemon, client, inOrder }: Hearing, asked: Request): Promise<void> {
  const { id, session, action, payload } = asked;
  const { connection, sessions } = client;
  if (action === "session") {
    const { source, workspace } = connection;
    const name = textOrNull(payload["name"]);
    const latest = payload["latest"] === true;
    const opened =
      name === null
        ? await daemon.openSession({ name, latest, source, workspace })
        : await daemon.resolveSession(name, { source, workspace });
    if (payload["own"] === true) client.aside.add(opened);
    else {
      client.aside.delete(opened);
      sessions.add(opened);
      await sendKept(daemon, connection, opened);
    }
    connection.send(
      {
        type: "status",
        meta: { "session-id": opened },
        payload: { action: "session", ...(id === null ? {} : { id }) },
      },
      "other",
    );
    return;
  }
  if (action === "follow") {
    const turn = textOrNull(payload["turn"]) ?? "";
    inOrder(() => follow(daemon, client, { id, turn }));
    return;
  }
  if (action === "snapshot") {
    const snapshot = await daemon.snapshot(textOrNull(payload["note"]) ?? "by hand");
    const text = `Snapshot ${snapshot}. /rollback ${snapshot} goes back to it.`;
    sendSaid(connection, id, { outcome: "said", code: "snapshot", text, snapshot });
    return;
  }
  if (action === "stop" && payload["keep-questions"] === true) {
    const stopped = await daemon.stop(session);
    inOrder(() => answer(client, id, stopped ? stoppedIt : nothingRan));
    return;
  }
  const command = commandOf(action, payload);
  if (command === null) {
    connection.close({
      code: "unknown-action",
      text: `There is no request ${action}. Its name or its keys are wrong.`,
    });
    return;
  }
  const turn = await daemon.waiting("token" in command ? command.token : "");
  if (turn !== null) takePart(client, turn.session, turn.turn);
  const said = await daemon.obey(command, session);
  inOrder(() => answer(client, id, said));
}

function commandOf(action: string, payload: JsonObject): Command | null {
  const text = (key: string): string => textOrNull(payload[key]) ?? "";
  switch (action) {
    case "approve":
    case "deny":
      return { kind: action, token: text("token") };
    case "trust":
    case "forget":
      return { kind: action, id: text("id") };
    case "rollback":
    case "focus":
      return { kind: action, id: textOrNull(payload["id"]) };
    case "stop":
    case "status":
    case "help":
    case "undo":
    case "exit":
      return { kind: action };
    case "search":
      return { kind: action, query: text("query") };
    case "note":
      return { kind: action, text: text("text") };
    default:
      return null;
  }
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
