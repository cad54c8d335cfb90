import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Sensor, Source } from "../signal/signal.ts";
import type { JsonObject } from "../text/json.ts";
import { type EnvelopeResult, perceiveEnvelope, type Sender } from "./perceive-envelope.ts";
import { type ClientInput, type PerceiveResult, perceiveInput } from "./perceive-input.ts";

const input: ClientInput = {
  id: "s1",
  clientId: "c1",
  session: "main",
  source: "cli",
  person: "owner",
  at: 5,
  sensor: "user-input",
  payload: { text: " hi\n" },
};
const owner: Sender = { session: "own", source: "tui", person: "owner" };
const stamp = { id: "s1", at: 5 };
const event = (more: JsonObject = {}, payload: JsonObject = {}): JsonObject => ({
  type: "event",
  payload: { sensor: "user-input", text: "hi", ...payload },
  ...more,
});
const receive = (message: JsonObject, connection = owner): EnvelopeResult =>
  perceiveEnvelope(message, connection, stamp);
const problem = (received: EnvelopeResult | PerceiveResult): string => (received.ok ? "" : received.message);

test("the owner's words become a signal at depth 0, byte for byte, labelled user and public", () => {
  const perceived = perceiveInput(input);
  assert.ok(perceived.ok);
  assert.deepEqual(perceived.signal, {
    id: "s1",
    clientId: "c1",
    sensor: "user-input",
    session: "main",
    source: "cli",
    person: "owner",
    text: " hi\n",
    payload: { text: " hi\n" },
    depth: 0,
    label: { integrity: "user", secrecy: "public", sources: [{ id: "s1", path: "/text" }] },
    at: 5,
  });
});

test("the words of anybody else are untrusted and public", () => {
  for (const person of ["unproved", "other", "nobody"] as const) {
    const perceived = perceiveInput({ ...input, person });
    assert.ok(perceived.ok);
    assert.equal(perceived.signal.label.integrity, "untrusted");
    assert.equal(perceived.signal.label.secrecy, "public");
  }
});

test("chat comes from gateways alone, and typed words from clients alone", () => {
  const sources: readonly Source[] = ["cli", "tui", "emacs", "telegram", "signal", "system"];
  const taken = (sensor: ClientInput["sensor"]): readonly Source[] =>
    sources.filter((source) => perceiveInput({ ...input, source, sensor }).ok);
  assert.deepEqual(taken("chat-message"), ["telegram", "signal"]);
  assert.deepEqual(taken("user-input"), ["cli", "tui", "emacs"]);
  assert.deepEqual(taken("buffer-update"), ["cli", "tui", "emacs"]);
});

test("a payload that does not fit its closed schema is refused, and the key is named", () => {
  assert.match(problem(perceiveInput({ ...input, payload: { text: "  " } })), /text is empty/);
  assert.match(problem(perceiveInput({ ...input, payload: {} })), /text/);
  assert.match(problem(perceiveInput({ ...input, payload: { text: 5 } })), /text/);
  assert.match(
    problem(perceiveInput({ ...input, payload: { text: "hi", approved: true } })),
    /unknown key "approved"/,
  );
  assert.match(problem(perceiveInput({ ...input, payload: { text: "x".repeat(1_000_001) } })), /longer than/);
});

test("a session or id that cannot be printed is refused", () => {
  assert.match(problem(perceiveInput({ ...input, session: "" })), /session/);
  assert.match(problem(perceiveInput({ ...input, session: "a\u001b[2J" })), /session/);
  assert.match(problem(perceiveInput({ ...input, clientId: "x".repeat(201) })), /id/);
});

test("an event of a client becomes a signal in its session", () => {
  const received = receive(event({ id: "c9", meta: { source: "cli", "session-id": "other" } }));
  assert.ok(received.ok && received.kind === "signal");
  assert.equal(received.signal.clientId, "c9");
  assert.equal(received.signal.session, "other");
  assert.equal(received.signal.source, "tui");
  const old = receive(event({ meta: { session: "s7" } }));
  assert.ok(old.ok && old.kind === "signal" && old.signal.session === "s7");
});

test("depth, reply stream and source are dropped", () => {
  const received = receive(event({ depth: -5, "reply-stream": {}, meta: { depth: 3, source: "system" } }));
  assert.ok(received.ok && received.kind === "signal");
  assert.equal(received.signal.depth, 0);
  assert.equal(received.signal.source, "tui");
});

test("a message with a reserved or unknown key is refused, and the key is named", () => {
  const keys =
    `level status verdict approved approved-p approved-action approval gate-trace rejection-trace label labels
    integrity trace foveal-id target person permission workspace __proto__ constructor`.split(/\s+/);
  for (const key of keys) {
    const poison: JsonObject = Object.fromEntries([[key, true]]);
    for (const message of [event(poison), event({ meta: poison }), event({}, poison)]) {
      assert.match(problem(receive(message)), new RegExp(key), `${key} in ${JSON.stringify(message)}`);
    }
  }
});

test("a sensor of the daemon's own cannot be sent by a client", () => {
  const sensors: readonly Sensor[] = [
    "tool-output",
    "tool-error",
    "loop-error",
    "syntax-error",
    "approval-required",
    "heartbeat",
    "file-changed",
    "cron",
  ];
  for (const sensor of sensors)
    assert.match(problem(receive(event({}, { sensor }))), new RegExp(`cannot send the sensor "${sensor}"`));
  assert.match(problem(receive({ type: "event", payload: {} })), /cannot send the sensor null/);
});

test("an unknown type is refused, and logs are recorded and never dispatched", () => {
  assert.match(problem(receive(event({ type: "approval-required" }))), /type/);
  assert.match(problem(receive({ payload: {} })), /type/);
  for (const type of ["log", "response", "status"] as const) {
    const message = { type, payload: { target: "shell", cmd: "id" } };
    assert.deepEqual(receive(message), { ok: true, kind: "recorded", type });
  }
});

test("a request is the owner's alone", () => {
  const message = { type: "request", payload: { action: "approve", token: "t" } };
  assert.deepEqual(receive(message), {
    ok: true,
    kind: "request",
    action: "approve",
    payload: { token: "t" },
  });
  assert.match(problem(receive(message, { ...owner, person: "unproved" })), /proved itself/);
  assert.match(problem(receive({ type: "request" })), /no action/);
});

test("an unproved connection stays in its own session", () => {
  const unproved: Sender = { ...owner, person: "unproved" };
  assert.ok(receive(event(), unproved).ok);
  assert.match(
    problem(receive(event({ meta: { "session-id": "main" } }), unproved)),
    /session other than its own/,
  );
});

test("no message makes perceiving throw or changes depth 0, the person or the source", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom("type", "id", "meta", "payload", "depth", "level", "x"), fc.jsonValue()),
      (message) => {
        const received = receive({ ...event(), ...(message as JsonObject) });
        if (!received.ok || received.kind !== "signal") return;
        assert.deepEqual(
          [received.signal.depth, received.signal.person, received.signal.source],
          [0, "owner", "tui"],
        );
      },
    ),
  );
});
