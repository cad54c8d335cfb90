import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { JsonObject } from "../../text/json.ts";
import { type Codec, clientCodec, daemonCodec } from "./codec.ts";
import { anyMessage } from "./schema.fixture.ts";
import type { Choice } from "./schema.ts";
import { clientMessages, daemonMessages } from "./schema-messages.ts";

const directions: readonly (readonly [name: string, schema: Choice, from: Codec, to: Codec])[] = [
  ["a client's", clientMessages, clientCodec, daemonCodec],
  ["the daemon's", daemonMessages, daemonCodec, clientCodec],
];

for (const [name, schema, from, to] of directions) {
  test(`${name} message of every type is decoded as what was encoded`, () => {
    for (const [type, fields] of schema.of) {
      const messages = anyMessage({ ...schema, of: new Map([[type, fields]]) });
      fc.assert(
        fc.property(messages, (message) =>
          assert.deepEqual(to.decode(from.encode(message)), { ok: true, message }),
        ),
        { numRuns: 150 },
      );
    }
  });
}

/** The rows of `WIRE.md`'s table from the daemon, as it prints them. */
const printed: readonly (readonly [message: JsonObject, text: string])[] = [
  [
    {
      type: "event",
      payload: {
        action: "handshake",
        version: "1.2.3",
        protocol: 1,
        capabilities: ["auth", "stream"],
        nonce: "00ff",
      },
    },
    '(:TYPE :EVENT :PAYLOAD (:ACTION :HANDSHAKE :VERSION "1.2.3" :PROTOCOL 1 :CAPABILITIES (:AUTH :STREAM) :NONCE "00ff"))',
  ],
  [
    { type: "response", payload: { action: "authenticated", mac: "00" } },
    '(:TYPE :RESPONSE :PAYLOAD (:ACTION :AUTHENTICATED :MAC "00"))',
  ],
  [
    { type: "health-response", status: "healthy", "checked-p": true },
    "(:TYPE :HEALTH-RESPONSE :STATUS :HEALTHY :CHECKED-P T)",
  ],
  [
    { type: "health-response", status: "unknown", "checked-p": false },
    "(:TYPE :HEALTH-RESPONSE :STATUS :UNKNOWN :CHECKED-P NIL)",
  ],
  [
    { type: "status", payload: { action: "accepted", id: "c-1" } },
    '(:TYPE :STATUS :PAYLOAD (:ACTION :ACCEPTED :ID "c-1"))',
  ],
  [
    { type: "stream-chunk", meta: { "session-id": "s1", "turn-id": "t1" }, payload: { text: "Hel" } },
    '(:TYPE :STREAM-CHUNK :META (:SESSION-ID "s1" :TURN-ID "t1") :PAYLOAD (:TEXT "Hel"))',
  ],
  [
    { type: "stream-reset", meta: { "session-id": "s1", "turn-id": "t1" }, payload: { text: "it broke" } },
    '(:TYPE :STREAM-RESET :META (:SESSION-ID "s1" :TURN-ID "t1") :PAYLOAD (:TEXT "it broke"))',
  ],
  [
    {
      type: "response",
      meta: { source: "tui", "session-id": "s1", "turn-id": "t1" },
      payload: {
        action: "message",
        text: "Hello",
        "rule-count": 3,
        "pending-count": 1,
        "foveal-id": "n1",
        part: 1,
        of: 2,
      },
      "gate-trace": [{ gate: "shell", result: "passed", reason: "nothing to run" }],
    },
    '(:TYPE :RESPONSE :META (:SOURCE :TUI :SESSION-ID "s1" :TURN-ID "t1") :PAYLOAD (:ACTION :MESSAGE :TEXT "Hello" :RULE-COUNT 3 :PENDING-COUNT 1 :FOVEAL-ID "n1" :PART 1 :OF 2) :GATE-TRACE ((:GATE "shell" :RESULT :PASSED :REASON "nothing to run")))',
  ],
  [
    {
      type: "event",
      level: "approval-required",
      payload: {
        sensor: "approval-required",
        token: "abc",
        action: { target: "tool", payload: { tool: "shell", args: { cmd: "ls", maxLines: 3, raw: false } } },
        effects: [{ kind: "tell-person", ownSession: true }],
        text: "May it?",
      },
      "gate-trace": [],
    },
    '(:TYPE :EVENT :LEVEL :APPROVAL-REQUIRED :PAYLOAD (:SENSOR :APPROVAL-REQUIRED :TOKEN "abc" :ACTION (:TARGET "tool" :PAYLOAD (:TOOL "shell" :ARGS (:CMD "ls" :|maxLines| 3 :RAW :FALSE))) :EFFECTS ((:KIND "tell-person" :OWN-SESSION T)) :TEXT "May it?") :GATE-TRACE NIL)',
  ],
  [
    { type: "event", payload: { sensor: "tool-output", tool: "list-files", result: ["a", null, []] } },
    '(:TYPE :EVENT :PAYLOAD (:SENSOR :TOOL-OUTPUT :TOOL "list-files" :RESULT ("a" :NULL NIL)))',
  ],
  [
    { type: "event", payload: { sensor: "tool-error", tool: "shell", message: "no" } },
    '(:TYPE :EVENT :PAYLOAD (:SENSOR :TOOL-ERROR :TOOL "shell" :MESSAGE "no"))',
  ],
  [
    { type: "event", payload: { sensor: "loop-error", message: "crash" } },
    '(:TYPE :EVENT :PAYLOAD (:SENSOR :LOOP-ERROR :MESSAGE "crash"))',
  ],
  [
    { type: "protocol-error", payload: { code: "unknown-key", text: "what", offset: 7 } },
    '(:TYPE :PROTOCOL-ERROR :PAYLOAD (:CODE :UNKNOWN-KEY :TEXT "what" :OFFSET 7))',
  ],
];

test("each message of the specification is printed as the specification has it", () => {
  for (const [message, text] of printed) {
    assert.equal(daemonCodec.encode(message), text);
    assert.deepEqual(clientCodec.decode(text), { ok: true, message });
  }
});

test("a client drops the keys that it does not know yet", () => {
  const text =
    '(:TYPE :STATUS :NEW 1 :META (:SESSION-ID "s" :NEW (1 . 2)) :PAYLOAD (:ACTION :ACCEPTED :ID "c" :NEW T))';
  assert.deepEqual(clientCodec.decode(text), {
    ok: true,
    message: { type: "status", meta: { "session-id": "s" }, payload: { action: "accepted", id: "c" } },
  });
});
