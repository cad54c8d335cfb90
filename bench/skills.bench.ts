import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJailThreads, usualMemory } from "../src/act/sandbox/jail-threads.ts";
import { checkSkill } from "../src/skills/check-skill.ts";
import { startLoopbackProvider } from "../test/loopback-provider.ts";
import { connectBench, startBenchDaemon } from "./daemon-world.ts";
import { cascadeOf, launcher } from "./world.ts";

// Skills and their jail: a start, a first call and a hot reload, each with and without a spare thread, a call and back, what a jail holds, and a daemon with 50 skills.

const never = new AbortController().signal;
const limits = { milliseconds: 5000, maxCharacters: 100_000 };
const megabyte = 1024 * 1024;
const module = "export const echo = (value) => value;";
const values = JSON.stringify([{ words: "what is due today", tags: ["work", "home"], n: 7 }]);
const call = { kind: "call", path: ["echo"], values } as const;

const memory = (): number => process.memoryUsage.rss() / megabyte;
// The build's, as users start it: a source would be stripped of its types at each start.
const threads = openJailThreads(new URL("../dist/jail-worker.js", import.meta.url));

async function firstCall(): Promise<number> {
  const begun = performance.now();
  const jail = await threads.take(usualMemory, never);
  await jail.request({ kind: "load", file: "bench.org", code: module }, limits, never);
  await jail.request(call, limits, never);
  const took = performance.now() - begun;
  await jail.end();
  return took;
}

/** Starts a jail and ends it. */
async function startJail(): Promise<number> {
  const begun = performance.now();
  const jail = await threads.take(usualMemory, never);
  const took = performance.now() - begun;
  await jail.end();
  return took;
}

const median = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

await firstCall();
const unused = process.cpuUsage();
const starts: number[] = [];
for (let run = 0; run < 20; run++) starts.push(await startJail());
const used = process.cpuUsage(unused);
console.log(
  `a jail starts in ${median(starts).toFixed(1)} ms, with ${((used.user + used.system) / 20_000).toFixed(1)} ms of CPU`,
);
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

/** A skill with a tool, a trigger, words for the prompt, a gate and a test. */
const taught = (name: string): string => `#+TITLE: ${name}
#+TRIGGER_WORDS: ${name}

#+begin_prompt
What ${name} teaches, in some words.
#+end_prompt

#+begin_src typescript
export const tools = { "${name}": { description: "Count", parameters: { text: { type: "string" } }, run: ({ text }: { text: string }) => text.length } };
export const gates = { "${name}": { effects: ["use-service"], answer: () => null } };
#+end_src

#+begin_src typescript :test counts
equal(skill.tools["${name}"].run({ text: "ab" }), 2);
#+end_src
`;

/** Checks a version of a file, types, exports and tests, as a hot reload does. A turn leaves a spare for a minute. */
async function reload(): Promise<number> {
  const begun = performance.now();
  const checked = await checkSkill({ file: "bench.org", text: taught("bench") }, () =>
    threads.take(usualMemory, never),
  );
  if (!checked.ok) throw new Error(checked.problem);
  return performance.now() - begun;
}

const [reloads, spared]: [number[], number[]] = [[], []];
for (let run = 0; run < 10; run++) {
  reloads.push(await reload());
  threads.warm();
  await new Promise((resolve) => setTimeout(resolve, 300));
  spared.push(await reload());
}
console.log(
  `hot reload: ${median(reloads).toFixed(1)} ms without a spare, ${median(spared).toFixed(1)} ms with one`,
);

/** Starts a daemon with some skills; prints when it listened and loaded, and what it holds when all is quiet. With a provider a model answers, and a spare was started and ended. */
async function measureDaemon(skills: number, settings: Readonly<Record<string, string>> = {}): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), "passepartout-bench-"));
  const folder = join(home, ".config/passepartout/skills");
  await mkdir(folder, { recursive: true });
  for (let index = 0; index < skills; index++)
    await writeFile(join(folder, `s${index}.org`), taught(`s${index}`));
  const environment = { PATH: process.env["PATH"] ?? "", HOME: home };
  const begun = performance.now();
  if (skills > 0) execFileSync(launcher, ["skill", "reload"], { env: environment });
  const accepted = performance.now() - begun;
  const daemon = await startBenchDaemon(settings, home);
  const listened = performance.now();
  const { client, say } = await connectBench(daemon);
  const loaded = (await say("bench", "help")) - listened;
  await client.close();
  await new Promise((resolve) => setTimeout(resolve, 75_000));
  console.log(
    `${skills} skills${"PROVIDER_CASCADE" in settings ? ", after the answer of a model" : ""}: checked and tested in ${accepted.toFixed(0)} ms; the daemon answers ${loaded.toFixed(0)} ms after it listens, and holds ${daemon.resident().toFixed(1)} MB when no skill is called`,
  );
  await daemon.stop();
}

await measureDaemon(0);
await measureDaemon(50);
await using provider = await startLoopbackProvider([{ text: ["Hello", " there"], repeat: true }]);
await measureDaemon(50, cascadeOf(provider.url));
