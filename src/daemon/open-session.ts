import type { JsonObject } from "../text/json.ts";
import { describingKeys } from "../wire/codec/session-description.ts";
import { type ClientContext, markTold, sendUndelivered } from "./publish-events.ts";

/** Opens the session that a client wants, and sends what a person should see of it. */
export async function openSession(
  { agent, client, questions, enqueue }: ClientContext,
  { id, payload: wanted }: { readonly id: string | null; readonly payload: JsonObject },
): Promise<void> {
  const { connection, sessions, limitedSessions } = client;
  const { source, workspace } = connection;
  const name = typeof wanted["name"] === "string" ? wanted["name"] : null;
  const latest = wanted["latest"] === true;
  const opened =
    name === null
      ? await agent.openSession({ name, latest, source, workspace })
      : await agent.resolveSession(name, { source, workspace });
  const own = wanted["own"] === true;
  if (own) {
    limitedSessions.add(opened);
    sessions.delete(opened);
  } else {
    limitedSessions.delete(opened);
    sessions.add(opened);
    await sendUndelivered(agent, connection, opened);
  }
  const described = own ? null : await agent.describeSession(opened);
  const payload = {
    action: "session",
    ...(id === null ? {} : { id }),
    ...(described === null ? {} : describingKeys(described)),
  };
  const told = (described?.recovered.length ?? 0) > 0 ? () => markTold(agent) : undefined;
  enqueue(async () => {
    if (!own) await questions.askAll(client);
    if (!own) agent.lookAround();
    connection.send({ type: "status", meta: { "session-id": opened }, payload }, "other", told);
  });
}
