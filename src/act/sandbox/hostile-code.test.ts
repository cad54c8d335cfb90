import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { JailWork } from "../../signal/jail-work.ts";
import { hostileModules } from "./hostile.fixture.ts";
import { type Jail, locateJailWorker } from "./jail.ts";
import { openJailThreads, usualMemory } from "./jail-threads.ts";

const limits = { milliseconds: 300, maxCharacters: 100_000 };
const patient = { ...limits, milliseconds: 20_000 };
const never = new AbortController().signal;
const megabyte = 1024 * 1024;
const threads = openJailThreads(locateJailWorker());
after(() => threads[Symbol.asyncDispose]());

/** The most memory that this process ever held, in bytes, since the last reset. */
const mostMemory = (): number =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1024;
const resetMostMemory = (): void => writeFileSync("/proc/self/clear_refs", "5");

/** Asks a jail again and again until it is told to stop: its right answers, and the longest wait for one. */
function keepAsking(jail: Jail) {
  const asked = { over: false, answers: 0, longest: 0 };
  const done = (async () => {
    while (!asked.over) {
      const begun = performance.now();
      const reply = await jail.request({ kind: "call", path: ["next"], values: "[]" }, patient, never);
      asked.longest = Math.max(asked.longest, performance.now() - begun);
      assert.deepEqual(reply, { ok: true, json: String(++asked.answers), logs: [] });
      await sleep(5);
    }
  })();
  return async () => {
    asked.over = true;
    await done;
    return asked;
  };
}

/** Loads and calls a module: how it ended, the longest request in ms, and the growth of the process at its most, in MB. */
async function attack(code: string) {
  const jail = await threads.take(usualMemory, never);
  resetMostMemory();
  const before = mostMemory();
  const spent = { longest: 0 };
  const timed = async (work: JailWork) => {
    const begun = performance.now();
    const reply = await jail.request(work, limits, never);
    spent.longest = Math.max(spent.longest, performance.now() - begun);
    return reply;
  };
  const loaded = await timed({ kind: "load", file: "bad.org", code });
  const reply = loaded.ok ? await timed({ kind: "call", path: ["run"], values: "[]" }) : loaded;
  const grown = (mostMemory() - before) / megabyte;
  await jail.end();
  return { end: reply.ok ? "answered" : reply.code, took: spent.longest, grown };
}

/** The attack beside a neighbour that keeps answering; of three, if the first takes too long, the quickest: the machine may have been busy, and what does not end never does. */
async function quietestAttack(neighbour: Parameters<typeof keepAsking>[0], code: string) {
  const attempts = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    // Each attempt counts from 1 again.
    const counter = "let n = 0; export const next = () => ++n;";
    assert.ok(
      (await neighbour.request({ kind: "load", file: "good.org", code: counter }, patient, never)).ok,
    );
    const stop = keepAsking(neighbour);
    const done = { ...(await attack(code)), ...(await stop()) };
    attempts.push(done);
    if (done.took <= limits.milliseconds + 250) break;
  }
  return attempts.reduce((best, one) => (one.took < best.took ? one : best));
}

test("no hostile module takes more than its 64 MB and 32 MB, or its time and 250 ms, and its neighbour answers all the while", async (context) => {
  const neighbour = await threads.take(usualMemory, never);
  for (const [name, code] of hostileModules) {
    const { end, took, grown, answers, longest } = await quietestAttack(neighbour, code);
    context.diagnostic(
      `${name}: ${end}, ${Math.round(took)} ms, ${Math.round(grown)} MB; neighbour ${answers} answers, the slowest ${Math.round(longest)} ms`,
    );
    assert.ok(grown <= usualMemory / megabyte + 32, `${Math.round(grown)} MB: ${name}`);
    // What the neighbour waits for is the machine's own load.
    assert.ok(took <= limits.milliseconds + 250 + longest, `${Math.round(took)} ms: ${name}`);
    assert.ok(answers > 0, `the neighbour was disturbed: ${name}`);
  }
  await neighbour.end();
});

test("a gate's budget of instructions ends the same code at the same place, however fast the machine is", async () => {
  const counts = [];
  for (let run = 0; run < 3; run++) {
    const jail = await threads.take(usualMemory, never);
    const code =
      "let n = 0; export const count = () => { for (;;) { n++; if (n % 1e5 === 0) console.log(n); } };";
    assert.ok((await jail.request({ kind: "load", file: "count.org", code }, patient, never)).ok);
    const work = { kind: "call", path: ["count"], values: "[]" } as const;
    const reply = await jail.request(work, { ...patient, interrupts: 100 }, never);
    counts.push([reply.ok || reply.code, reply.logs.at(-1)]);
    assert.ok(jail.ended);
  }
  assert.deepEqual(counts[1], counts[0]);
  assert.deepEqual(counts[2], counts[0]);
  assert.equal(counts[0]?.[0], "time-limit");
});

test("a request that waits behind one that was ended is told so, and a stopped one ends at once", async () => {
  const jail = await threads.take(usualMemory, never);
  const stop = new AbortController();
  const first = jail.request({ kind: "evaluate", code: "for (;;) {}" }, patient, stop.signal);
  const second = jail.request({ kind: "evaluate", code: "1" }, patient, never);
  setImmediate(() => stop.abort());
  assert.deepEqual(
    [await first, await second].map((reply) => reply.ok || reply.code),
    ["cancelled", "jail-failed"],
  );
});

test("what a call that throws leaves to be done is done in its own time, and the next call begins with none of it", async () => {
  const jail = await threads.take(usualMemory, never);
  const code = `let n = 0; export const count = () => n;
    const later = (left) => { n += 1; if (left > 0) Promise.resolve().then(() => later(left - 1)); };
    export const fail = () => { later(1000); throw new Error("at once"); };
    export const flood = () => { const more = () => { n += 1; Promise.resolve().then(more); }; more(); throw new Error("at once"); };`;
  assert.ok((await jail.request({ kind: "load", file: "bad.org", code }, patient, never)).ok);
  const call = (name: string) => jail.request({ kind: "call", path: [name], values: "[]" }, limits, never);
  const failed = await call("fail");
  assert.match(failed.ok ? "" : failed.message, /^Error: at once/);
  // A request that runs the queue would count on.
  assert.deepEqual(await call("count"), { ok: true, json: "1001", logs: [] });
  const flooded = await call("flood");
  assert.equal(flooded.ok || flooded.code, "time-limit");
  assert.ok(jail.ended);
});

test("what is thrown without a name and a message is shown as it is", async () => {
  const jail = await threads.take(usualMemory, never);
  for (const [code, message] of [
    ["throw { code: 7 }", 'Thrown: {"code":7}'],
    ["Promise.reject({ code: 7 })", 'Thrown: {"code":7}'],
    ["throw { get name() { throw 1; } }", 'Thrown: "[object Object]"'],
    ["throw 'words'", "Thrown: words"],
    ["'\\uFDFA'.repeat(2e6).normalize('NFKD')", "Thrown: null; this also happens when memory runs out"],
  ] as const) {
    const reply = await jail.request({ kind: "evaluate", code }, patient, never);
    assert.equal(reply.ok || reply.message, message, code);
  }
  await jail.end();
});

test("a spare jail is handed out once, unused, and the next one is another", async () => {
  const own = openJailThreads(locateJailWorker());
  own.warm();
  own.warm();
  const [first, second] = [await own.take(usualMemory, never), await own.take(usualMemory, never)];
  assert.notEqual(first, second);
  await first.request({ kind: "evaluate", code: "globalThis.left = 1" }, patient, never);
  const seen = await second.request({ kind: "evaluate", code: "typeof left" }, patient, never);
  assert.equal(seen.ok && seen.json, '"undefined"');
  await Promise.all([first.end(), second.end(), own[Symbol.asyncDispose]()]);
});

test("code of a skill changes nothing that the language brings, however it reaches it, and usual code still runs", async () => {
  const attacks = [
    "Array.prototype.includes = () => true",
    "Object.defineProperty(String.prototype, 'endsWith', { value: () => false })",
    "[]['con' + 'structor']['proto' + 'type'].push = () => 0",
    "globalThis.JSON = null",
    "JSON.parse = () => null",
    "Object.prototype.toString = () => 'x'",
    "Object.prototype.polluted = 1",
    "Object.prototype.hasOwnProperty.call = () => true",
    "Object.setPrototypeOf(Array.prototype, null)",
    "Object.getPrototypeOf([].values()).next = () => ({ done: true })",
    "Object.getPrototypeOf(function* () {}).prototype.next = () => 1",
    "RegExp.prototype.exec = () => null",
    "Promise.prototype.then = () => 1",
    "Error.prototype.name = 'x'",
    "(async () => {})['con' + 'structor'].prototype.x = 1",
    "globalThis.undeclared = 1",
  ];
  const code = `
    const before = [Array.prototype.includes, String.prototype.endsWith, Array.prototype.push, JSON, JSON.parse, RegExp.prototype.exec, Promise.prototype.then];
    const did = [];
    for (const attack of [${attacks.map((attack) => `() => { ${attack}; }`).join(", ")}])
      try { attack(); did.push(String(attack)); } catch {}
    class Mine extends Error { constructor() { super(); this.name = "Mine"; this.message = "own"; } }
    export const run = () => {
      const counts = { toString: 1 };
      counts.constructor = 2;
      function Thing() {}
      Thing.prototype.toString = () => "thing";
      const now = [Array.prototype.includes, String.prototype.endsWith, Array.prototype.push, JSON, JSON.parse, RegExp.prototype.exec, Promise.prototype.then];
      return [did, now.every((one, at) => one === before[at]), String(new Mine()), counts.constructor, String(new Thing()), [...new Set([1])], typeof undeclared];
    };`;
  const jail = await threads.take(usualMemory, never);
  const loaded = await jail.request({ kind: "load", file: "bad.org", code }, patient, never);
  assert.ok(loaded.ok, loaded.ok ? "" : loaded.message);
  const reply = await jail.request({ kind: "call", path: ["run"], values: "[]" }, patient, never);
  assert.deepEqual(reply.ok && JSON.parse(reply.json), [[], true, "Mine: own", 2, "thing", [1], "undefined"]);
  await jail.end();
});
