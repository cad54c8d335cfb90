import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../text/json.ts";
import { wireLimits } from "../codec/limits.ts";
import type { Connection } from "../server/connection.ts";
import {
  acceptMessage,
  makeFolder,
  makeManualTime,
  openTestServer,
  payloadOf,
  runReadyCallbacks,
  userInputWithId,
  waitUntil,
} from "../server/wire.fixture.ts";
import { openWatchedClient, secretOf, textsOf, userInputWithoutId } from "./client.fixture.ts";

test("a client proves itself with its source, capabilities and workspace, and its words are accepted", async (t) => {
  const at = await openTestServer(t);
  const { client, of } = openWatchedClient(t, {
    ...at,
    secret: secretOf(at.secret),
    workspace: "/usr",
    port: null,
  });
  const sent = client.send(userInputWithoutId("hello 🦊"));
  assert.deepEqual(sent, { ok: true, id: "id1" });
  await waitUntil(() => of("accepted").length === 1);
  const message = { type: "status", payload: { action: "accepted", id: "id1" } };
  assert.deepEqual(of("accepted"), [{ kind: "accepted", id: "id1", message }]);
  assert.deepEqual(of("ready"), [
    { kind: "ready", daemon: { version: "1.2.3", capabilities: ["auth", "stream"] } },
  ]);
  assert.equal(client.state(), "ready");
  assert.partialDeepStrictEqual(at.greeted, [
    { proved: true, source: "tui", capabilities: ["stream"], workspace: "/usr" },
  ]);
  assert.deepEqual(textsOf(at.heard), ["hello 🦊"]);
});

test("messages sent before there is a daemon arrive in order once there is one", async (t) => {
  const socketPath = join(makeFolder(t), "passepartout.sock");
  const secret = randomBytes(32);
  const { client, of } = openWatchedClient(t, { socketPath, secret: secretOf(secret) });
  for (const text of ["one", "two", "three"]) client.send(userInputWithoutId(text));
  await waitUntil(() => of("waiting").length > 0);
  assert.equal(of("waiting")[0]?.code, "unreachable");
  assert.match(of("waiting")[0]?.reason ?? "", /No daemon answers/);
  const at = await openTestServer(t, { socketPath, secret });
  await waitUntil(() => of("accepted").length === 3);
  assert.deepEqual(textsOf(at.heard), ["one", "two", "three"]);
});

test("after a reconnection messages that were not accepted are sent again with the same id, and accepted messages are not", async (t) => {
  const message = (connection: Connection, said: JsonObject): void => {
    if (connection.id === "c1" && payloadOf(said)["text"] === "two") connection.close();
    else acceptMessage(connection, said);
  };
  const at = await openTestServer(t, { message });
  const { client, of } = openWatchedClient(t, { ...at, port: null, secret: secretOf(at.secret) });
  for (const text of ["one", "two", "three"]) client.send(userInputWithoutId(text));
  await waitUntil(() => of("accepted").length === 3);
  assert.deepEqual(
    at.heard.map(({ id }) => id),
    ["id1", "id2", "id2", "id3"],
  );
  assert.deepEqual(of("waiting")[0]?.code, "lost");
});

test("a restarted daemon gets the messages that it had not accepted", async (t) => {
  const first = await openTestServer(t, { message: () => {} });
  const { client, of } = openWatchedClient(t, { ...first, port: null, secret: secretOf(first.secret) });
  client.send(userInputWithoutId("one"));
  await waitUntil(() => first.heard.length === 1);
  await first.server.close();
  client.send(userInputWithoutId("two"));
  const second = await openTestServer(t, { socketPath: first.socketPath, secret: first.secret });
  await waitUntil(() => of("accepted").length === 2);
  assert.deepEqual(textsOf(second.heard), ["one", "two"]);
});

test("the same id is one message", async (t) => {
  const at = await openTestServer(t, { message: () => {} });
  const { client, of } = openWatchedClient(t, { ...at, port: null, secret: secretOf(at.secret) });
  client.send(userInputWithId("mine", "once"));
  client.send(userInputWithId("mine", "once"));
  await waitUntil(() => of("ready").length === 1);
  client.send(userInputWithId("mine", "once"));
  client.send(userInputWithId("other", "twice"));
  await waitUntil(() => at.heard.length === 2);
  assert.deepEqual(textsOf(at.heard), ["once", "twice"]);
});

test("a client with a wrong secret is refused and reports it, and is admitted once it has the right secret", async (t) => {
  const at = await openTestServer(t);
  const secrets = [randomBytes(32), at.secret];
  const { client, of } = openWatchedClient(t, {
    ...at,
    port: null,
    secret: async () => secrets.shift() ?? at.secret,
  });
  client.send(userInputWithoutId("hello"));
  await waitUntil(() => of("accepted").length === 1);
  assert.partialDeepStrictEqual(of("waiting"), [{ code: "protocol-error", error: "wrong-proof" }]);
  assert.deepEqual(textsOf(at.heard), ["hello"]);
});

test("a secret that cannot be read is reported and tried again", async (t) => {
  const at = await openTestServer(t);
  const tries = { count: 0 };
  const secret = async (): Promise<Uint8Array> => {
    tries.count += 1;
    if (tries.count === 1) throw new Error("There is no secret. Start the daemon once.");
    return at.secret;
  };
  const { client, of } = openWatchedClient(t, { ...at, port: null, secret });
  client.send(userInputWithoutId("hello"));
  await waitUntil(() => of("accepted").length === 1);
  assert.partialDeepStrictEqual(of("waiting"), [
    { code: "no-secret", reason: "There is no secret. Start the daemon once." },
  ]);
});

test("a message that the daemon refuses is reported and dropped, and the others arrive", async (t) => {
  const message = (connection: Connection, said: JsonObject): void => {
    if (payloadOf(said)["text"] === "bad") connection.close({ code: "sensor", text: "That is not allowed." });
    else acceptMessage(connection, said);
  };
  const at = await openTestServer(t, { message });
  const { client, of } = openWatchedClient(t, { ...at, port: null, secret: secretOf(at.secret) });
  for (const text of ["one", "bad", "two", "three"]) client.send(userInputWithoutId(text));
  await waitUntil(() => of("accepted").length === 3);
  assert.deepEqual(
    of("accepted").map(({ id }) => id),
    ["id1", "id3", "id4"],
  );
  assert.partialDeepStrictEqual(of("refused"), [{ id: "id2", reason: "That is not allowed." }]);
  client.send(userInputWithoutId("four"));
  await waitUntil(() => of("accepted").length === 4);
});

test("answers reach the listener, long answers with their parts joined", async (t) => {
  const text = "a 🦊 and a \\ ".repeat(500);
  const message = (connection: Connection, said: JsonObject): void => {
    acceptMessage(connection, said);
    const answer = { type: "response", meta: { source: "tui", "session-id": "s1", "turn-id": "t1" } };
    connection.send({ ...answer, payload: { action: "message", text, "rule-count": 3 } }, "other");
    connection.send({ ...answer, payload: { action: "message", text: "short" } }, "other");
  };
  const limits = { ...wireLimits, frameCodePoints: 2_000, lingerMilliseconds: 200 };
  const at = await openTestServer(t, { message, limits });
  const { client, of } = openWatchedClient(t, { ...at, port: null, secret: secretOf(at.secret), limits });
  client.send(userInputWithoutId("hello"));
  await waitUntil(() => of("message").length === 2);
  assert.deepEqual(
    of("message").map((event) => payloadOf(event.message)),
    [
      { action: "message", text, "rule-count": 3 },
      { action: "message", text: "short" },
    ],
  );
});

test("a best-effort message is sent once if there is a connection, and dropped if there is none", async (t) => {
  const socketPath = join(makeFolder(t), "passepartout.sock");
  const secret = randomBytes(32);
  const { client, of } = openWatchedClient(t, { socketPath, secret: secretOf(secret) });
  assert.equal(client.sendBestEffort({ type: "health-check" }), false);
  const at = await openTestServer(t, { socketPath, secret });
  await waitUntil(() => of("ready").length === 1);
  assert.deepEqual(of("message"), []);
  assert.equal(client.sendBestEffort({ type: "health-check" }), true);
  await waitUntil(() => of("message").length === 1);
  assert.equal(of("message")[0]?.message["type"], "health-response");
  await at.server.close();
  await waitUntil(() => of("waiting").some(({ code }) => code === "lost"));
  assert.equal(client.sendBestEffort({ type: "health-check" }), false);
});

test("a message that is too long is refused at once, with a reason", async (t) => {
  const at = await openTestServer(t);
  const limits = { ...wireLimits, frameCodePoints: 1_000, lingerMilliseconds: 200 };
  const { client } = openWatchedClient(t, { ...at, port: null, secret: secretOf(at.secret), limits });
  const sent = client.send(userInputWithoutId("x".repeat(1_000)));
  assert.partialDeepStrictEqual(sent, { ok: false, code: "too-long" });
});

test("a message that has no form on the wire is refused with a reason, and ends nothing", async (t) => {
  const at = await openTestServer(t);
  const { client } = openWatchedClient(t, { ...at, port: null, secret: secretOf(at.secret) });
  const sent = client.send({ type: "event", payload: { sensor: "user-input", text: "x", unheard: true } });
  assert.partialDeepStrictEqual(sent, { ok: false, code: "unsendable" });
  assert.match(sent.ok ? "" : sent.reason, /It was not sent.*unheard/);
  assert.deepEqual(client.send(userInputWithoutId("one")), { ok: true, id: "id2" });
});

test("closing gives the messages that never arrived, and refuses new messages", async (t) => {
  const socketPath = join(makeFolder(t), "passepartout.sock");
  const { client, of, events } = openWatchedClient(t, { socketPath });
  client.send(userInputWithoutId("one"));
  client.send(userInputWithoutId("two"));
  await waitUntil(() => of("waiting").length > 0);
  const unsent = await client.close();
  assert.deepEqual(
    unsent.map(({ id, message }) => [id, payloadOf(message)["text"]]),
    [
      ["id1", "one"],
      ["id2", "two"],
    ],
  );
  assert.deepEqual(events.at(-1), { kind: "closed", unsent });
  assert.equal(client.state(), "closed");
  assert.partialDeepStrictEqual(client.send(userInputWithoutId("three")), { ok: false, code: "closed" });
  assert.deepEqual(await client.close(), unsent);
  assert.equal(of("closed").length, 1);
});

test("a client leaves no deadline running while it is connected, nor after it is closed", async (t) => {
  const at = await openTestServer(t);
  const time = makeManualTime();
  const { client, of } = openWatchedClient(t, {
    ...at,
    port: null,
    secret: secretOf(at.secret),
    wait: time.wait,
  });
  client.send(userInputWithoutId("hello"));
  await waitUntil(() => of("accepted").length === 1);
  assert.equal(time.running(), 0);
  await client.close();
  assert.equal(time.running(), 0);
});

test("closing right after sending waits until the message is accepted", async (t) => {
  const at = await openTestServer(t, {
    message: async (connection, said) => {
      await runReadyCallbacks();
      acceptMessage(connection, said);
    },
  });
  const { client, of } = openWatchedClient(t, { ...at, port: null, secret: secretOf(at.secret) });
  await waitUntil(() => of("ready").length === 1);
  client.send(userInputWithoutId("last words"));
  assert.deepEqual(await client.close(), []);
  assert.deepEqual(textsOf(at.heard), ["last words"]);
});

test("without a socket the port is tried, and must prove itself too", async (t) => {
  const at = await openTestServer(t, { port: 0 });
  const socketPath = join(makeFolder(t), "none.sock");
  const { client, of } = openWatchedClient(t, {
    socketPath,
    port: at.server.port,
    secret: secretOf(at.secret),
  });
  client.send(userInputWithoutId("over TCP"));
  await waitUntil(() => of("accepted").length === 1);
  assert.deepEqual(textsOf(at.heard), ["over TCP"]);
});

test("10,000 messages of one client arrive whole and in order, through five lost connections", async (t) => {
  const seen = new Set<string>();
  const order: string[] = [];
  const count = { heard: 0 };
  const message = (connection: Connection, said: JsonObject): void => {
    const id = String(said["id"]);
    if (!seen.has(id)) order.push(id);
    seen.add(id);
    count.heard += 1;
    if (count.heard % 2_500 === 0 && count.heard <= 12_500) connection.close();
    else acceptMessage(connection, said);
  };
  const at = await openTestServer(t, { message });
  const { client, of } = openWatchedClient(t, { ...at, port: null, secret: secretOf(at.secret) });
  for (let index = 1; index <= 10_000; index += 1) client.send(userInputWithoutId(`${index}`));
  await waitUntil(() => of("accepted").length >= 10_000);
  assert.deepEqual(
    order,
    Array.from({ length: 10_000 }, (_, index) => `id${index + 1}`),
  );
  assert.deepEqual(await client.close(), []);
});
