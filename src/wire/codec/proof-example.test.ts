import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { clientCodec, daemonCodec } from "./codec.ts";
import { makeFrameReader } from "./frame.ts";
import { wireLimits } from "./limits.ts";
import { proofOf } from "./proof.ts";
import { clientMessages, daemonMessages } from "./schema-messages.ts";

const page = readFileSync(new URL("../../../docs/wire.md", import.meta.url), "utf8");

/** The examples of the page: each line after an arrow, as it would be sent. */
const examples = [...page.matchAll(/^([→←]) (.+)$/gm)].map(([, arrow, bytes]) => ({
  arrow,
  bytes: bytes ?? "",
}));

test("each example of docs/wire.md is a whole frame of a message that its end sends and the other takes", () => {
  assert.ok(examples.length > 15);
  for (const { arrow, bytes } of examples) {
    const reader = makeFrameReader({ codePoints: wireLimits.unprovedFrameCodePoints });
    const [event, ...more] = reader.push(Buffer.from(bytes));
    assert.ok(event?.kind === "frame" && more.length === 0 && !reader.pending(), bytes);
    const [from, to] = arrow === "→" ? [daemonCodec, clientCodec] : [clientCodec, daemonCodec];
    const reading = to.decode(event.text);
    assert.ok(reading.ok, reading.ok ? "" : `${reading.text}: ${bytes}`);
    assert.equal(from.encode(reading.message), event.text);
  }
});

test("docs/wire.md has an example of every type that the daemon sends and a client is answered for", () => {
  const shown = examples.map(
    ({ arrow, bytes }) => `${arrow} ${/:TYPE :([A-Z-]+)/.exec(bytes)?.[1]?.toLowerCase()}`,
  );
  for (const type of daemonMessages.of.keys()) {
    if (type !== "log") assert.ok(shown.includes(`→ ${type}`), type);
  }
  for (const type of ["event", "request", "health-check"]) {
    assert.ok(clientMessages.of.has(type) && shown.includes(`← ${type}`), type);
  }
});

test("the worked example of docs/wire.md has the proofs that its secret and its nonces make", () => {
  const figure = (name: string): string => new RegExp(`^${name} +(.+)$`, "m").exec(page)?.[1] ?? "";
  const secret = Buffer.from(figure("secret"), "hex");
  const [server, client] = [figure("server nonce"), figure("client nonce")];
  assert.equal(secret.length, 32);
  assert.equal(proofOf(secret, "client", server, client), figure("client MAC"));
  assert.equal(proofOf(secret, "server", server, client), figure("server MAC"));
  assert.equal(figure("client text"), `passepartout/1 client ${server}${client}`);
  for (const nonce of [server, client]) assert.match(nonce, /^[0-9a-f]{64}$/);
});

test("docs/wire.md states the limits of the program", () => {
  const {
    unprovedFrameCodePoints,
    frameCodePoints,
    frameMilliseconds,
    proofMilliseconds,
    chunkBytes,
    queueBytes,
  } = wireLimits;
  for (const text of [
    `${unprovedFrameCodePoints.toLocaleString("en")} code points`,
    `${frameCodePoints.toLocaleString("en")} code points`,
    `whole within ${frameMilliseconds / 1000} s`,
    `within ${proofMilliseconds / 1000} s of the handshake`,
    `${wireLimits.socketConnections.toLocaleString("en")} on the socket`,
    `${wireLimits.portConnections.toLocaleString("en")} on the port`,
    `beyond ${chunkBytes / 1024} KiB`,
    `beyond ${queueBytes / 1024 / 1024} MiB`,
  ]) {
    assert.ok(page.includes(text), text);
  }
});

test("the ids of a client in docs/wire.md are random ones, and none stands for two messages", () => {
  const ids = examples.flatMap(({ arrow, bytes }) =>
    arrow === "←" ? (/^\S+ :\S+ :ID "([^"]+)"/.exec(bytes)?.[1] ?? []) : [],
  );
  assert.ok(ids.length >= 5);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  assert.equal(new Set(ids).size, ids.length);
});
