import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { JsonObject } from "../../text/json.ts";
import { clientCodec, daemonCodec } from "./codec.ts";

const decoded = (text: string): JsonObject => {
  const reading = daemonCodec.decode(text);
  assert.ok(reading.ok, reading.ok ? "" : reading.text);
  return reading.message;
};
const refused = (text: string): { code: string; text: string; offset: number } => {
  const reading = daemonCodec.decode(text);
  assert.ok(!reading.ok, `${text} was taken`);
  return reading;
};
const words = (more: string): string => `(:TYPE :EVENT ${more} :PAYLOAD (:SENSOR :USER-INPUT :TEXT "hi"))`;
const hi = { type: "event", payload: { sensor: "user-input", text: "hi" } };

test("the messages of the reference's own client are read", () => {
  assert.deepEqual(decoded('(:TYPE :EVENT :META (:SOURCE :tui) :PAYLOAD (:SENSOR :user-input :TEXT "hi"))'), {
    ...hi,
    meta: { source: "tui" },
  });
});

test("keys and words are read in any case, as symbols and as strings, quoted or not", () => {
  const message = { ...hi, meta: { source: "tui" } };
  for (const text of [
    '(type event meta (source tui) payload (sensor user-input text "hi"))',
    '(:payload (:text "hi" :sensor "USER-INPUT") :meta (:source "Tui") :type "event")',
    "'(:type :event :meta '(:source 'tui) :payload (:sensor :user-input :text \"hi\"))",
  ]) {
    assert.deepEqual(decoded(text), message);
  }
});

test(":SESSION is read as :SESSION-ID, and both at once are refused", () => {
  assert.deepEqual(decoded(words(':META (:SESSION "s1")')), { ...hi, meta: { "session-id": "s1" } });
  assert.match(refused(words(':META (:SESSION "s1" :SESSION-ID "s1")')).text, /:SESSION-ID twice/);
});

test("depth and reply stream are dropped from the envelope and from its meta, whatever their values", () => {
  assert.deepEqual(decoded(words(":DEPTH (1 . 2) :REPLY-STREAM 7 :META (:DEPTH 3 :REPLY-STREAM NIL)")), {
    ...hi,
    meta: {},
  });
});

for (const name of [
  "VERDICT",
  "APPROVED",
  "APPROVAL",
  "APPROVED-ACTION",
  "GATE-TRACE",
  "LABEL",
  "LABELS",
  "STATUS",
  "LEVEL",
  "REJECTION-TRACE",
]) {
  test(`a client that sets :${name} is refused and the key named, wherever it stands`, () => {
    const expected = new RegExp(`:${name}, which is reserved for the daemon: it concerns judgement`);
    for (const text of [
      words(`:${name} T`),
      words(`:META (:${name} T)`),
      `(:TYPE :EVENT :PAYLOAD (:SENSOR :USER-INPUT :TEXT "hi" :${name} T))`,
      `(:TYPE :REQUEST :PAYLOAD (:ACTION :STOP :${name} T))`,
      `(:TYPE :LOG :PAYLOAD (:TEXT "x" :${name} T))`,
      `(:TYPE :STATUS :PAYLOAD (:${name.toLowerCase()} T))`,
    ]) {
      const refusal = refused(text);
      assert.equal(refusal.code, "refused-key", text);
      assert.match(refusal.text, expected, text);
    }
  });
}

for (const sensor of [
  "tool-output",
  "tool-error",
  "loop-error",
  "approval-required",
  "heartbeat",
  "cron",
  "file-changed",
]) {
  test(`the sensor ${sensor} is the daemon's alone`, () => {
    const refusal = refused(`(:TYPE :EVENT :PAYLOAD (:SENSOR :${sensor.toUpperCase()} :TEXT "x"))`);
    assert.equal(refusal.code, "unknown-sensor");
    assert.match(refusal.text, /Accepted are: :USER-INPUT :BUFFER-UPDATE :CHAT-MESSAGE/);
  });
}

test("everything that does not fit is refused with a code, a message and its place", () => {
  const cases: readonly (readonly [text: string, code: string, words: RegExp, at: string])[] = [
    ["(:TYPE", "unreadable", /the list is not closed/, "("],
    ["(:TYPE :EVENT) 7", "unreadable", /there is more text after the form/, "7"],
    ["7", "wrong-value", /The frame is an integer; it must be a property list/, "7"],
    ["NIL", "missing-key", /The message lacks the key :TYPE/, "NIL"],
    ["(:TYPE :STREAM-CHUNK)", "unknown-type", /Accepted are: :HEALTH-CHECK :EVENT :REQUEST/, ":STREAM-CHUNK"],
    ["(:TYPE :EVENT :TYPE :EVENT)", "not-a-plist", /TYPE occurs twice/, "("],
    ["(:TYPE :EVENT :META)", "not-a-plist", /META has no value/, "("],
    ["(:TYPE :EVENT)", "missing-key", /The message lacks the key :PAYLOAD/, "("],
    ["(:TYPE :EVENT :PAYLOAD NIL)", "missing-key", /The payload lacks the key :SENSOR/, "NIL"],
    ["(:TYPE :EVENT :PAYLOAD 7)", "wrong-value", /The value of :PAYLOAD is an integer/, "7"],
    [words(":FOO 7"), "unknown-key", /The message has the unknown key :FOO\. Known are: :TYPE :ID/, "7"],
    [words(":META (:FOO 7)"), "unknown-key", /The meta has the unknown key :FOO/, "7"],
    [words(":META (:SOURCE 7)"), "wrong-value", /The value of :SOURCE is an integer; .* a keyword/, "7"],
    [words(":META (:PROTOCOL 1.5)"), "wrong-value", /a whole number/, "1.5"],
    [words(":META (:CAPABILITIES :STREAM)"), "wrong-value", /must be a list/, ":STREAM"],
    [words(":ID 7"), "wrong-value", /The value of :ID is an integer; it must be a string/, "7"],
    [
      "(:TYPE :EVENT :PAYLOAD (:SENSOR :USER-INPUT :TEXT NIL))",
      "wrong-value",
      /The value of :TEXT is NIL/,
      "NIL",
    ],
    ["(:TYPE :EVENT :PAYLOAD (:SENSOR :USER-INPUT))", "missing-key", /lacks the key :TEXT/, "(:SENSOR"],
    [
      "(:TYPE :REQUEST :PAYLOAD (:ACTION :EVAL))",
      "unknown-action",
      /Accepted are: .*:APPROVE :DENY/,
      ":EVAL",
    ],
    ["(:TYPE :REQUEST :PAYLOAD (:ACTION :APPROVE))", "missing-key", /lacks the key :TOKEN/, "(:ACTION"],
    ["(:TYPE :LOG :PAYLOAD (:A (1 . 2)))", "wrong-value", /dotted pair is not a JSON value/, "(1"],
    ["(:TYPE :LOG :PAYLOAD (:A (:B 1 :C)))", "not-a-plist", /C has no value/, "(:B"],
    ["(:TYPE :LOG :PAYLOAD (:A 1 :|a| 2))", "not-a-plist", /An object has the key "a" twice/, "(:A"],
  ];
  for (const [text, code, expected, at] of cases) {
    const refusal = refused(text);
    assert.equal(refusal.code, code, text);
    assert.match(refusal.text, expected, text);
    assert.equal(refusal.offset, at === "(" ? 0 : text.lastIndexOf(at), text);
  }
});

test("an offset counts code points", () => {
  assert.equal(refused('(:TYPE :EVENT :ID "😀😀" :FOO 7)').offset, 28);
});

test("a name that a refusal quotes is cut and has no invisible characters", () => {
  const refusal = refused(words(`:|${"x".repeat(5000)}\u202e| 1`));
  assert.ok(refusal.text.length < 200);
  assert.match(refused(words(":|a\u202eb| 1")).text, /:\|a\?b\|/);
  assert.match(refused("(:TYPE :LOG :|type| 1)").text, /unknown key :\|type\|\. Known are: :TYPE/);
  assert.ok(refused(`(:TYPE :EVENT :${"X".repeat(5000)})`).text.length < 250);
});

test("a record is read as JSON: T, :FALSE and :NULL, objects, arrays, and numbers that JSON lacks as strings", () => {
  const value =
    '(:A T :B :FALSE :C (1 (:|d| "x") NIL :NULL) :E 1/3 :F 1.5d0 :G 99999999999999999999 :H cl:car)';
  assert.deepEqual(decoded(`(:TYPE :LOG :PAYLOAD ${value})`)["payload"], {
    a: true,
    b: false,
    c: [1, { d: "x" }, [], null],
    e: "1/3",
    f: 1.5,
    g: "99999999999999999999",
    h: "CL:CAR",
  });
});

test("a key called __proto__ is a key like any other", () => {
  const payload = decoded("(:TYPE :LOG :PAYLOAD (:__PROTO__ (:POLLUTED T)))")["payload"];
  assert.deepEqual(Object.keys(payload ?? {}), ["__proto__"]);
  assert.equal(Object.getPrototypeOf(payload), Object.prototype);
});

test("a command is read with its own keys", () => {
  assert.deepEqual(
    decoded('(:TYPE :REQUEST :META (:SESSION-ID "s1") :PAYLOAD (:ACTION :ROLLBACK :ID NIL))'),
    {
      type: "request",
      meta: { "session-id": "s1" },
      payload: { action: "rollback" },
    },
  );
});

test("no text makes a decoder throw", () => {
  const pieces = fc.constantFrom(
    ..."( ) ' \" . :TYPE :EVENT :PAYLOAD :META :SENSOR :USER-INPUT :TEXT :REQUEST :ACTION :STOP :LOG NIL T 7".split(
      " ",
    ),
    ' "x" ',
  );
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(pieces).map((some) => `(${some.join(" ")})`),
  );
  fc.assert(
    fc.property(texts, (text) => {
      for (const { decode } of [clientCodec, daemonCodec]) {
        const reading = decode(text);
        if (!reading.ok) assert.ok(reading.offset >= 0 && reading.offset <= text.length);
      }
    }),
    { numRuns: 1000 },
  );
});
