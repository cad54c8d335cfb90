import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { sha256 } from "../../../machine/digest.ts";
import { defaultJailLimits } from "../../sandbox/eval-jail.ts";
import { locateJailWorker } from "../../sandbox/jail.ts";
import { openJailThreads } from "../../sandbox/jail-threads.ts";
import { openReplSessions } from "../../sandbox/repl-sessions.ts";
import { callerAt, callTool, codeOf, contentOf, openWorkbench, prepareCall } from "../workbench.fixture.ts";
import { makeReplTool } from "./repl.ts";

type Args = Parameters<typeof callTool>[1];

async function openRepl(milliseconds = 20_000, sessions?: { most: number; idleMilliseconds: number }) {
  const bench = await openWorkbench();
  const threads = openJailThreads(locateJailWorker());
  const repls = openReplSessions(threads, { ...defaultJailLimits, milliseconds }, sessions);
  const tool = makeReplTool({ ...bench.ports, repls });
  const caller = callerAt(bench.workspace);
  return {
    bench,
    tool,
    caller,
    ask: (args: Args, session = caller.session) => callTool(tool, args, { ...caller, session }),
    async [Symbol.asyncDispose]() {
      await threads[Symbol.asyncDispose]();
      await bench[Symbol.asyncDispose]();
    },
  };
}

test("a session keeps variables, functions and classes between calls, and lists and inspects them", async () => {
  await using repl = await openRepl();
  const { ask } = repl;
  assert.deepEqual(
    contentOf(await ask({ code: "let a = 1; const b = [1, 2]; function f(x) { return x + a }" })),
    {
      value: null,
      logs: [],
      session: "new",
    },
  );
  assert.deepEqual(contentOf(await ask({ code: "a += 1; console.log(b); f(40)" })), {
    value: 42,
    logs: ["[1,2]"],
  });
  await ask({ code: "class C { d = new Map([[1, 2]]) }; var c = new C()" });
  assert.deepEqual(contentOf(await ask({ list: true })), {
    names: ["a: number", "b: object", "f: function", "C: function", "c: object"],
  });
  const inspected = async (expression: string) => contentOf(await ask({ inspect: expression }))["value"];
  assert.deepEqual(await inspected("b"), { type: "array", length: 2, begins: [1, 2] });
  assert.deepEqual(await inspected("c"), { type: "C", keys: ["d: object"] });
  assert.deepEqual(await inspected("c.d"), { type: "Map", size: 1, begins: [[1, 2]] });
  assert.deepEqual(await inspected("f"), {
    type: "function",
    name: "f",
    source: "function f(x) { return x + a }",
  });
  assert.equal(codeOf(await ask({ code: "nothing.here" })), "eval-error");
  assert.equal(contentOf(await ask({ code: "a" }))["value"], 2);
});

test("a file of the workspace is loaded as a text, with the effects and labels of reading it", async () => {
  await using repl = await openRepl();
  const { bench, ask, tool, caller } = repl;
  const text = `one "two"\n\`three\` $\{4} \u2028`;
  const path = await bench.write("a.txt", text);
  const prepared = await prepareCall(tool, { load: "a.txt", as: "page" }, caller);
  assert.deepEqual(
    prepared.effects.map(({ kind, target }) => [kind, target]),
    [
      ["read-path", path],
      ["evaluate", "JavaScript"],
    ],
  );
  assert.deepEqual(contentOf(await ask({ load: "a.txt", as: "page" })), {
    name: "page",
    characters: text.length,
    session: "new",
  });
  assert.equal(contentOf(await ask({ code: "page" }))["value"], text);
  await bench.write("b.txt", "x".repeat(300_000));
  assert.equal(codeOf(await ask({ load: "b.txt", as: "b" })), "unreadable");
  for (const args of [{ load: "a.txt", as: "a b" }, { load: "a.txt" }, { code: "1", list: true }, {}])
    assert.equal((await tool.prepare(args, caller, () => caller.promptLabel)).ok, false);
});

test("once private text went into a session, every later result is private, whatever the code names, until the session ends", async () => {
  await using repl = await openRepl();
  const { bench, ask, tool, caller } = repl;
  await bench.write("diary.txt", "the door code is 1234");
  bench.origins.set(sha256(Buffer.from("the door code is 1234")), {
    integrity: "user",
    secrecy: "private",
    sources: [{ id: "diary", path: "" }],
  });
  await bench.write("plain.txt", "plain");
  const secrecyOf = async (args: Args, session = caller.session) =>
    (await prepareCall(tool, args, { ...caller, session })).resultLabel.secrecy;
  const probes: readonly Args[] = [
    { code: "1 + 1" },
    { code: "Object.values(globalThis).filter((one) => typeof one === 'string')[0].length" },
    { inspect: "kept" },
    { list: true },
    { load: "plain.txt", as: "x" },
  ];
  await ask({ code: "var n = 1" });
  assert.equal(await secrecyOf({ code: "1 + 1" }), "public");
  assert.equal(await secrecyOf({ load: "diary.txt", as: "kept" }), "private");
  await ask({ load: "diary.txt", as: "kept" });
  await ask({ code: "let copy = [...kept].reverse(); kept = null; var later = () => copy.length" });
  for (const args of probes) assert.equal(await secrecyOf(args), "private", JSON.stringify(args));
  assert.equal(codeOf(await ask({ code: "throw copy.join('')" })), "eval-error");
  assert.equal(await secrecyOf({ code: "throw copy" }), "private");
  assert.equal(await secrecyOf({ code: "1 + 1" }, "another"), "public");
  assert.deepEqual(contentOf(await ask({ end: true })), { ended: true });
  assert.equal(await secrecyOf({ code: "1 + 1" }), "public");
  assert.equal(codeOf(await ask({ code: "copy" })), "eval-error");
});

test("private and foreign words in the code label the session too", async () => {
  await using repl = await openRepl();
  const { tool, caller } = repl;
  const label = { integrity: "untrusted", secrecy: "private", sources: [] } as const;
  const told = { ...caller, known: new Map([["r", { value: { words: "var w = 'of others'" }, label }]]) };
  await callTool(tool, { code: "var w = 'of others'" }, told);
  const later = await prepareCall(tool, { code: "2" }, caller);
  assert.deepEqual([later.resultLabel.integrity, later.resultLabel.secrecy], ["untrusted", "private"]);
  assert.equal(later.effects[0]?.label.secrecy, "private");
});

test("a loop and a heap without end are stopped, end their own session alone, and the next call begins a new one", async () => {
  await using repl = await openRepl(500);
  const { ask } = repl;
  await ask({ code: "var mine = 1" }, "other");
  for (const [code, expected] of [
    ["for (;;) {}", ["time-limit"]],
    ["const a = []; for (;;) a.push(new Uint8Array(1e6))", ["memory-limit", "time-limit", "eval-error"]],
    ["Object.defineProperty(globalThis, 'x', { get() { for (;;) {} } }); x", ["time-limit"]],
  ] as const) {
    await ask({ code: "var kept = 1" });
    const outcome = await ask({ code });
    assert.ok(
      expected.some((one) => one === codeOf(outcome)),
      `${code}: ${codeOf(outcome)}`,
    );
    if (codeOf(outcome) === "eval-error") continue;
    assert.match(outcome.status === "error" ? outcome.message : "", /session ended with all its variables/);
    assert.match(JSON.stringify(await ask({ code: "kept" })), /kept.*The session is new/);
  }
  assert.equal(contentOf(await ask({ code: "mine" }, "other"))["value"], 1);
});

test("sessions see nothing of each other, the one that was used longest ago makes room, and an idle one ends", async () => {
  await using repl = await openRepl(20_000, { most: 2, idleMilliseconds: 600_000 });
  const { ask } = repl;
  await ask({ code: "var a = 1" }, "one");
  await ask({ code: "var a = 2" }, "two");
  assert.equal(contentOf(await ask({ code: "a" }, "one"))["value"], 1);
  await ask({ code: "var a = 3" }, "three");
  assert.equal(codeOf(await ask({ code: "a" }, "two")), "eval-error");
  await using short = await openRepl(20_000, { most: 2, idleMilliseconds: 1 });
  await short.ask({ code: "var a = 1" });
  for (let tries = 0; tries < 500; tries += 1) {
    await setTimeout(10);
    if (contentOf(await short.ask({ code: "typeof a" }))["session"] === "new") return;
  }
  assert.fail("the session did not end");
});

test("a session that cannot be started is an outcome, also where it was stopped", async () => {
  await using repl = await openRepl();
  await repl.ask({ code: "1" });
  const closed = openJailThreads(new URL("./no-such-worker.ts", import.meta.url));
  const broken = openReplSessions(closed);
  const asked = { request: { kind: "list" }, label: repl.caller.promptLabel } as const;
  assert.equal(codeOf(await broken.run("one", asked, new AbortController().signal)), "jail-failed");
  assert.equal(codeOf(await broken.run("one", asked, AbortSignal.abort())), "cancelled");
  await closed[Symbol.asyncDispose]();
});
