import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultJailLimits } from "../../sandbox/eval-jail.ts";
import { locateJailWorker } from "../../sandbox/jail.ts";
import { openJailThreads } from "../../sandbox/jail-threads.ts";
import { callerAt, codeOf, contentOf, prepareCall } from "../workbench.fixture.ts";
import { makeEvalTool } from "./eval.ts";

const threads = openJailThreads(locateJailWorker());
// Generous where time is not the subject, short where the code never ends.
const limits = { ...defaultJailLimits, milliseconds: 20_000 };
const short = { ...defaultJailLimits, milliseconds: 300 };

async function evaluate(code: string, within = limits) {
  const tool = makeEvalTool({ threads, limits: within });
  return await (await prepareCall(tool, { code }, callerAt(null))).run(new AbortController().signal);
}

test("the last value is returned as JSON, with the output", async () => {
  assert.deepEqual(
    contentOf(await evaluate("console.log('a', {b: 1}); console.error(2); ({x: [1, undefined], y: null})")),
    {
      value: { x: [1, null], y: null },
      logs: ['a {"b":1}', "2"],
    },
  );
});

test("a value that JSON does not know is returned as text, and a promise as its settled value", async () => {
  const values = [];
  for (const code of [
    "10n ** 20n",
    "undefined",
    "Symbol('s')",
    "(() => 1)",
    "let a = {}; a.a = a; a",
    "(async () => 7)()",
  ]) {
    values.push(contentOf(await evaluate(code))["value"]);
  }
  assert.deepEqual(values, ["100000000000000000000", null, "Symbol(s)", "() => 1", "[object Object]", 7]);
});

test("errors are results with the thrown error and the output before it", async () => {
  const outcome = await evaluate("console.log('here'); null.x");
  assert.match(outcome.status === "error" ? outcome.message : "", /^TypeError: .*\nPrinted before: here$/s);
  for (const code of [
    "throw 1",
    "throw null",
    "throw {name: 1}",
    "Promise.reject(new Error('x'))",
    "new Promise(() => {})",
    "}{",
  ]) {
    assert.equal(codeOf(await evaluate(code)), "eval-error", code);
  }
});

test("there is no process, module, file, network or timer in the jail, however it is asked for", async () => {
  const names =
    "process require module fetch XMLHttpRequest WebSocket Worker setTimeout setInterval queueMicrotask std os scriptArgs Deno Bun navigator WebAssembly";
  const found = contentOf(
    await evaluate(
      `${JSON.stringify(names.split(" "))}.filter((name) => typeof globalThis[name] !== "undefined")`,
    ),
  );
  assert.deepEqual(found["value"], []);
  for (const code of [
    "constructor.constructor('return process')()",
    "console.log.constructor('return process')().env",
    "(async () => {}).constructor('return process')().then((p) => p.env)",
    "import('node:fs')",
    "import fs from 'node:fs'",
    "new Function('return require(\"fs\")')()",
    "Error.prepareStackTrace = (_, s) => s; new Error().stack[0].getThis().process.env",
  ]) {
    assert.equal(codeOf(await evaluate(code)), "eval-error", code);
  }
});

test("console gives no access to the host, whatever the code does to its own globals", async () => {
  const code = `
    Array.prototype.map = Array.prototype.join = String.prototype.slice = JSON.stringify = () => { throw new Error("caught"); };
    Function.prototype.call = () => "taken";
    console.log({a: 1});
    Object.getOwnPropertyNames(console).length`;
  assert.deepEqual(contentOf(await evaluate(code)), { value: 5, logs: ['{"a":1}'] });
});

test("endless loops end at the time limit: plain, in a getter, in toJSON, in a promise, in a regular expression, and caught", async () => {
  for (const code of [
    "for (;;) {}",
    "({ get x() { for (;;) {} } })",
    "({ toJSON() { for (;;) {} } })",
    "(async () => { for (;;) await 0; })()",
    "/(a+)+$/.test('a'.repeat(50) + 'b')",
    "for (;;) { try { for (;;) {} } catch {} finally { continue; } }",
  ]) {
    assert.equal(codeOf(await evaluate(code, short)), "time-limit", code);
  }
});

test("memory, stack and print-out bombs stay inside their limits", async () => {
  const within = ["eval-error", "memory-limit", "time-limit"];
  for (const code of [
    "const a = []; for (;;) a.push([1])",
    "const a = []; for (;;) a.push(new Array(1e5).fill('x'))",
    "new Uint8Array(2 ** 30)",
    "let a = 'x'; for (;;) a += a",
  ]) {
    assert.ok(within.includes(codeOf(await evaluate(code, short))), code);
  }
  assert.equal(codeOf(await evaluate("function f() { f(); } f()")), "eval-error");
  const long = contentOf(
    await evaluate("for (let i = 0; i < 1e4; i++) console.log('x'.repeat(1e4)); 'y'.repeat(3e5)"),
  );
  assert.equal(String(long["value"]).length, defaultJailLimits.maxCharacters);
  assert.match(String(long["note"]), /cut/);
  assert.ok(JSON.stringify(long["logs"]).length < 110_000);
});

test("stopping ends the evaluation at once, also one that never started", async () => {
  const controller = new AbortController();
  const tool = makeEvalTool({ threads, limits });
  const running = (await prepareCall(tool, { code: "for (;;) {}" }, callerAt(null))).run(controller.signal);
  setImmediate(() => controller.abort());
  assert.equal(codeOf(await running), "cancelled");
  const never = await prepareCall(tool, { code: "1" }, callerAt(null));
  assert.equal(codeOf(await never.run(AbortSignal.abort())), "cancelled");
});

test("nothing of one evaluation is left for the next", async () => {
  await evaluate("globalThis.left = 1; Object.prototype.left = 1");
  assert.equal(contentOf(await evaluate("typeof left"))["value"], "undefined");
});

test("the effect is an evaluation in the jail and takes its label from the code", async () => {
  const label = { integrity: "untrusted", secrecy: "private", sources: [] } as const;
  const caller = callerAt(null, [["result-1", { value: { code: "1 + 1" }, label }]]);
  const prepared = await prepareCall(makeEvalTool({ threads }), { code: "1 + 1" }, caller);
  const [effect] = prepared.effects;
  assert.deepEqual(effect?.kind === "evaluate" && [effect.jailed, effect.label.secrecy], [true, "private"]);
  assert.equal(prepared.resultLabel.integrity, "untrusted");
});
