import { locateJailWorker } from "../src/act/sandbox/jail.ts";
import { openJailThreads, usualMemory } from "../src/act/sandbox/jail-threads.ts";

// The jail: a first call with and without a spare thread, a call and back, and what a spare and a used jail hold.

const never = new AbortController().signal;
const limits = { milliseconds: 5000, maxCharacters: 100_000 };
const megabyte = 1024 * 1024;
const module = "export const echo = (value) => value;";
const values = JSON.stringify([{ words: "what is due today", tags: ["work", "home"], n: 7 }]);
const call = { kind: "call", path: ["echo"], values } as const;

const memory = (): number => process.memoryUsage.rss() / megabyte;
const threads = openJailThreads(locateJailWorker());

async function firstCall(): Promise<number> {
  const begun = performance.now();
  const jail = await threads.take(usualMemory, never);
  await jail.request({ kind: "load", file: "bench.org", code: module }, limits, never);
  await jail.request(call, limits, never);
  const took = performance.now() - begun;
  await jail.end();
  return took;
}

const median = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

await firstCall();
const [cold, warm]: [number[], number[]] = [[], []];
for (let run = 0; run < 10; run++) {
  cold.push(await firstCall());
  threads.warm();
  await new Promise((resolve) => setTimeout(resolve, 300));
  warm.push(await firstCall());
}
console.log(
  `first call: ${median(cold).toFixed(1)} ms without a spare, ${median(warm).toFixed(1)} ms with one`,
);

const before = memory();
const jail = await threads.take(usualMemory, never);
await jail.request({ kind: "load", file: "bench.org", code: module }, limits, never);
console.log(`a jail in use holds ${(memory() - before).toFixed(1)} MB`);
for (let run = 0; run < 2000; run++) await jail.request(call, limits, never);
const times: number[] = [];
for (let run = 0; run < 5000; run++) {
  const begun = performance.now();
  await jail.request(call, limits, never);
  times.push(performance.now() - begun);
}
times.sort((a, b) => a - b);
console.log(
  `a call and back: median ${median(times).toFixed(3)} ms, 99th of 100 ${(times[4950] ?? 0).toFixed(3)} ms`,
);
await jail.end();
