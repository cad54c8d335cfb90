import { type OwnerCommand, recogniseCommand } from "../perceive/commands.ts";
import { perceiveInput } from "../perceive/perceive-input.ts";
import { canonicalJson, type Json, type JsonObject } from "../signal/json.ts";
import type { Signal } from "../signal/signal.ts";
import type { IdempotentRequest } from "../turn/idempotent-requests.ts";
import type { SubmitResult } from "../turn/submit-result.ts";
import { type ClientContext, joinTurn, sendReply, sendUndelivered } from "./publish-events.ts";
import { subscribeTo } from "./subscribed-client.ts";

/** A request of the owner as it came. */
export type ClientRequest = {
  readonly id: string | null;
  readonly session: string;
  readonly action: string;
  readonly payload: JsonObject;
};

/** What changes something and is not bound to a state by itself: under the id of its client it is done once. The others only look, or set what is set already. */
const doneOnce: ReadonlySet<string> = new Set(
  "approve deny stop undo rollback trust forget snapshot".split(" "),
);
/** Where nothing is known of how one of these ended, doing it again does no harm. */
const harmless: ReadonlySet<string> = new Set(["approve", "deny", "stop"]);

/** The command that typed words are, where it is to be done once; null for all other words. */
export function idempotentCommand(signal: Signal): IdempotentRequest | null {
  const { clientId: client, session, payload } = signal;
  const kind = recogniseCommand(signal)?.kind ?? "";
  if (client === null || !doneOnce.has(kind)) return null;
  return { session, client, content: canonicalJson(payload), repeatable: harmless.has(kind) };
}

/** Does what a proved client asks for, once for each id. */
export async function runClientRequest(hearing: ClientContext, asked: ClientRequest): Promise<void> {
  const { agent, client, enqueue } = hearing;
  const { id, session, action, payload } = asked;
  switch (action) {
    case "session":
      return openSession(hearing, asked);
    case "follow":
      enqueue(() => joinTurn(hearing, { id, turn: textOrNull(payload["turn"]) ?? "" }));
      return;
    case "search":
    case "note":
      return say(hearing, asked);
  }
  const act = actFor(hearing, asked);
  if (act === null) {
    const text = `There is no request ${action}. Its name or its keys are wrong.`;
    client.connection.close({ code: "unknown-action", text });
    return;
  }
  const turn = await agent.findQuestion(textOrNull(payload["token"]) ?? "");
  if (turn !== null) subscribeTo(client, turn.session, turn.turn);
  const content = canonicalJson({ action, ...payload });
  const said = await (id === null || !doneOnce.has(action)
    ? act()
    : agent.runOnce({ session, client: id, content, repeatable: harmless.has(action) }, act));
  enqueue(() => sendReply(client, id, said));
}

async function openSession(
  { agent, client, questions, enqueue }: ClientContext,
  asked: ClientRequest,
): Promise<void> {
  const { connection, sessions, limitedSessions } = client;
  const { source, workspace } = connection;
  const name = textOrNull(asked.payload["name"]);
  const latest = asked.payload["latest"] === true;
  const opened =
    name === null
      ? await agent.openSession({ name, latest, source, workspace })
      : await agent.resolveSession(name, { source, workspace });
  const own = asked.payload["own"] === true;
  if (own) {
    limitedSessions.add(opened);
    sessions.delete(opened);
  } else {
    limitedSessions.delete(opened);
    sessions.add(opened);
    await sendUndelivered(agent, connection, opened);
  }
  const { id } = asked;
  const payload = { action: "session", ...(id === null ? {} : { id }) };
  enqueue(async () => {
    if (!own) await questions.askAll(client);
    connection.send({ type: "status", meta: { "session-id": opened }, payload }, "other");
  });
}

/** A request that is a turn of its own is the same as the words that ask for it. */
async function say({ agent, client, enqueue }: ClientContext, asked: ClientRequest): Promise<void> {
  const { id, session, action, payload } = asked;
  const { connection } = client;
  const words = action === "note" ? payload["text"] : String(payload["query"]).replaceAll(/\s+/g, " ");
  const received = perceiveInput({
    ...{ id: agent.newId(), clientId: id, session, source: connection.source, person: "owner" },
    ...{ at: agent.now(), sensor: "user-input", payload: { text: `/${action} ${String(words)}` } },
  });
  if (!received.ok) {
    connection.close({ code: received.code, text: received.message });
    return;
  }
  const isIt = recogniseCommand(received.signal)?.kind === action;
  const said = await (isIt ? agent.handleSignal(received.signal) : nothingAsked);
  enqueue(() => sendReply(client, id, said));
}

const nothingAsked: SubmitResult = {
  kind: "refused",
  code: "misused-command",
  text: "There are no words in this request. Nothing was done.",
};
const stoppedIt: SubmitResult = { kind: "said", code: "stopped", text: "Stopped." };
const nothingRan: SubmitResult = { kind: "said", code: "idle", text: "Nothing was running in this session." };

/** What carries a request out; null where there is none of that name. */
function actFor({ agent }: ClientContext, asked: ClientRequest): (() => Promise<SubmitResult>) | null {
  const { session, action, payload } = asked;
  if (action === "snapshot") {
    return async () => {
      const snapshot = await agent.takeSnapshot(textOrNull(payload["note"]) ?? "by hand");
      const text = `Snapshot ${snapshot}. /rollback ${snapshot} goes back to it.`;
      return { kind: "said", code: "snapshot", text, snapshot };
    };
  }
  if (action === "stop" && payload["keep-questions"] === true) {
    return async () => ((await agent.stop(session)) ? stoppedIt : nothingRan);
  }
  const command = commandOf(action, payload);
  return command === null ? null : () => agent.runCommand(command, session);
}

function commandOf(action: string, payload: JsonObject): OwnerCommand | null {
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
    default:
      return null;
  }
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
