import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../text/json.ts";
import { clientCodec, daemonCodec } from "./codec.ts";

const result = (value: Json): string => {
  const text = daemonCodec.encode({
    type: "event",
    payload: { sensor: "tool-output", tool: "t", result: value },
  });
  return text.slice(text.indexOf(":RESULT ") + 8, -2);
};

test("numbers that Lisp or Emacs would read as something else are sent as strings", () => {
  assert.equal(result(0.5), '"0.5"');
  assert.equal(result(1e21), '"1e+21"');
  assert.equal(result(-0), "0");
  assert.equal(result(2 ** 53), '"9007199254740992"');
  assert.equal(result(Number.MAX_SAFE_INTEGER), "9007199254740991");
});

test("keys of objects are upper case, in bars, or marked if Lisp would read them as another key", () => {
  assert.equal(result({ path: 1, "max-results": 2 }), "(:PATH 1 :MAX-RESULTS 2)");
  assert.equal(result({ maxResults: 1 }), "(:|maxResults| 1)");
  assert.equal(result({ PATH: 1, path: 2 }), "(:=PATH 1 :PATH 2)");
  assert.equal(result({ false: 1, null: 2, "=": 3 }), "(:|=false| 1 :|=null| 2 :== 3)");
  assert.equal(result({ "a b": 1, "": 2, é: 3 }), "(:|A\\ B| 1 :|| 2 :|é| 3)");
});

test("values nested deeper than a peer reads are sent as JSON text", () => {
  let deep: Json = 1;
  for (let level = 0; level < 100; level++) deep = [deep];
  const printed = result(deep);
  assert.match(printed, /^\(+"\[+1\]+"\)+$/);
  const text = daemonCodec.encode({
    type: "event",
    payload: { sensor: "tool-output", tool: "t", result: deep },
  });
  assert.equal(clientCodec.decode(text).ok, true);
});

test("an optional key whose value is null or undefined is left out", () => {
  assert.equal(
    daemonCodec.encode({ type: "response", payload: { action: "message", text: "x", "foveal-id": null } }),
    '(:TYPE :RESPONSE :PAYLOAD (:ACTION :MESSAGE :TEXT "x"))',
  );
});

test("a message or key that no schema has throws and is named", () => {
  const socket = { type: "response", payload: { action: "message", text: "x", socket: 7 } };
  assert.throws(() => daemonCodec.encode(socket), /payload cannot be sent: its schema has no key socket/);
  assert.throws(() => daemonCodec.encode({ type: "request" }), /its type is not one of event, response/);
  assert.throws(() => daemonCodec.encode({ type: "response" }), /its payload is not there/);
  assert.throws(() => daemonCodec.encode({ type: "response", payload: "x" }), /payload is not an object/);
  assert.throws(
    () => daemonCodec.encode({ type: "response", payload: { action: "message", text: 1 } }),
    /its text is not a string/,
  );
  assert.throws(
    () => daemonCodec.encode({ type: "health-response", status: 1, "checked-p": true }),
    /its status is not a word/,
  );
  assert.throws(
    () => daemonCodec.encode({ type: "health-response", status: "healthy", "checked-p": 1 }),
    /its checked-p is not true or false/,
  );
  assert.throws(
    () => clientCodec.encode({ type: "health-check", meta: { protocol: 0.5 } }),
    /its protocol is not a whole number/,
  );
  assert.throws(
    () => clientCodec.encode({ type: "health-check", meta: { capabilities: "stream" } }),
    /its capabilities is not an array/,
  );
});
