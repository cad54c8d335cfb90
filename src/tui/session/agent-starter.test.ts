import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { AgentStarter } from "./agent-starter.ts";
import type { SessionEvent } from "./wire-session.ts";

const lost = (code: string): SessionEvent => ({
  kind: "lost",
  code,
  error: "",
  reason: "nothing listens",
  milliseconds: 50,
});
const ready: SessionEvent = { kind: "ready", version: "0.1.0" };

function openStarter() {
  const told: string[] = [];
  const started: ((said: string) => void)[] = [];
  const words: ((text: string) => void)[] = [];
  const time = { now: 1_000 };
  const failures = { count: 0 };
  const starter = new AgentStarter({
    start: (onWords) => {
      words.push(onWords);
      return new Promise((resolve) => started.push(resolve));
    },
    clock: () => time.now,
    say: (text) => void told.push(text),
    failed: () => {
      failures.count += 1;
    },
  });
  /** The agent that was started last says something, and ends. */
  const end = async (text: string): Promise<void> => {
    words.at(-1)?.(`${text}\n`);
    started.at(-1)?.("");
    await pause(0);
  };
  return { starter, told, started, time, failures, end };
}

test("an agent that cannot start is told once, however often it is tried, and anew after one was reached", async () => {
  const { starter, told, started, time, failures, end } = openStarter();
  for (const _ of [1, 2, 3]) {
    starter.observe(lost("unreachable"));
    starter.observe(lost("no-secret"));
    await end("The state folder cannot be written.");
  }
  assert.deepEqual([told, started.length, failures.count], [["The state folder cannot be written."], 3, 3]);
  starter.observe(ready);
  starter.observe(lost("unreachable"));
  assert.equal(started.length, 3, "a daemon that was there may be starting again");
  time.now += 10_000;
  starter.observe(lost("unreachable"));
  await end("The state folder cannot be written.");
  assert.deepEqual([told.length, started.length], [2, 4]);
});

test("an agent that left since another one serves is no failure, and another program on the socket is none to start for", async () => {
  const { starter, told, started, failures, end } = openStarter();
  starter.observe(lost("unreachable"));
  starter.observe(ready);
  await end("");
  starter.observe(lost("not-our-daemon"));
  starter.observe(lost("other-protocol"));
  assert.deepEqual([told, started.length, failures.count], [[], 1, 0]);
});
