import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTime, paid, requestOf, says } from "../../../test/door-world.ts";
import { wait } from "../../machine/wait.ts";
import type { ModelRequest } from "../model/model-port.ts";
import { makeScriptedProvider, parseScript } from "./scripted.ts";

const never = new AbortController().signal;
const asking = (text: string): ModelRequest => ({ ...requestOf(says(text)), model: "script" });

test("a script is answered in order, each answer once, and the requests are recorded", async () => {
  const provider = makeScriptedProvider(
    { answers: [{ text: "one" }, { text: ["t", "wo"] }] },
    makeTime().wait,
  );
  const said: unknown[] = [];
  for (const text of ["a", "b", "c"]) {
    const parts = await Array.fromAsync(provider.stream(asking(text), paid, never));
    said.push(parts.map((part) => (part.kind === "text" ? part.text : part.kind)));
  }
  assert.deepEqual(said, [["one", "finish"], ["t", "wo", "finish"], ["failed"]]);
  assert.equal(provider.requests.length, 3);
});

test("an answer with a condition waits for the request that meets it", async () => {
  const answers = [
    { when: "weather", text: "sunny" },
    { text: "other", repeat: true },
  ];
  const provider = makeScriptedProvider({ answers }, makeTime().wait);
  const said: string[] = [];
  for (const text of ["hi", "the weather", "the weather"]) {
    for await (const part of provider.stream(asking(text), paid, never))
      if (part.kind === "text") said.push(part.text);
  }
  assert.deepEqual(said, ["other", "sunny", "other"]);
});

test("a script can have calls, thinking, delays and failures", async () => {
  const time = makeTime();
  const calls = [
    { name: "shell", arguments: { cmd: "ls" } },
    { name: "shell", arguments: "{broken" },
  ];
  const answers = [
    { thinking: "hm", calls, delayMs: 20 },
    { text: "half", failure: { code: "rate-limited" as const, retryAfterMs: 5 } },
  ];
  const provider = makeScriptedProvider({ answers }, time.wait);
  const first = await Array.fromAsync(provider.stream(asking("a"), paid, never));
  const second = await Array.fromAsync(provider.stream(asking("b"), paid, never));
  assert.deepEqual(
    first.map((part) => (part.kind === "call" ? part.call.argumentsText : part.kind)),
    ["thinking", '{"cmd":"ls"}', "{broken", "finish"],
  );
  assert.deepEqual(time.pauses, [20, 20, 20]);
  const last = second.at(-1);
  assert.deepEqual(
    last?.kind === "failed" && [last.failure.code, last.failure.retryAfterMs, last.failure.begun],
    ["rate-limited", 5, true],
  );
});

test("a script that is stopped sends nothing more", async () => {
  const provider = makeScriptedProvider({ answers: [{ text: ["a", "b"] }] }, makeTime().wait);
  const parts = await Array.fromAsync(provider.stream(asking("a"), paid, AbortSignal.abort()));
  assert.deepEqual(
    parts.map((part) => part.kind === "failed" && part.failure.code),
    ["cancelled"],
  );
});

test("a script is read from JSON, and an invalid script is explained", () => {
  const read = parseScript('{"answers":[{"text":"hi"}]}');
  assert.ok(read.ok);
  assert.equal(makeScriptedProvider(read.script, makeTime().wait).name, "scripted");
  const notJson = parseScript("{");
  assert.match(notJson.ok ? "" : notJson.message, /not JSON/);
  const unknownKey = parseScript('{"answers":[{"txt":"hi"}]}');
  assert.match(unknownKey.ok ? "" : unknownKey.message, /txt/);
});

test("a real wait ends when its time has passed or when it is cancelled, and never rejects", async () => {
  await wait(1, never);
  const stop = new AbortController();
  const long = wait(3_600_000, stop.signal);
  stop.abort();
  await long;
  await wait(3_600_000, stop.signal);
});
