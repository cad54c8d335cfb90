import { mkdirSync, mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Step, startLoopbackProvider } from "../test/loopback-provider.ts";
import { type BenchDaemon, connectBench, startBenchDaemon } from "./daemon-world.ts";
import { type TracedCall, traceCalls } from "./traced-calls.ts";
import { cascadeOf, launcher, makeWorld, median } from "./world.ts";

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
const now = (): number => performance.timeOrigin + performance.now();

const warmTurns = 30;
const stepsOfTurn = 40;
const readFile = "todo.txt";
const flushing = new Set(["fsync", "fdatasync"]);
const writing = new Set(["pwrite64", "write", "pwritev", "writev"]);
const reading = new Set(["read", "pread64"]);

/** One stretch of time in which the daemon worked. Unix milliseconds. */
type Stretch = { readonly name: string; readonly from: number; readonly to: number };

await build();
print(
  `each figure: what one turn or step writes and waits for (${warmTurns} warm turns, then one turn of ${stepsOfTurn} steps)`,
);
for (const traced of [false, true]) {
  await turns(traced);
  await steps(traced);
}

/** Builds where that is due, so that no figure has a build in it. */
async function build(): Promise<void> {
  using world = makeWorld();
  await world.run([launcher, "--version"], {});
}

async function turns(traced: boolean): Promise<void> {
  const asked: number[] = [];
  await using provider = await startLoopbackProvider([{ text: "Hello there.", repeat: true }], {
    onRequest: () => asked.push(now()),
  });
  const daemon = await startBenchDaemon(cascadeOf(provider.url));
  const client = await connectBench(daemon);
  for (let turn = 0; turn < 20; turn += 1) await client.say("s", "hi");
  const stretches: Stretch[] = [];
  const sizes = sizesOf(daemon);
  const trace = traced ? await traceCalls(daemon.pid) : null;
  for (let turn = 0; turn < warmTurns; turn += 1) {
    const from = now();
    await client.say("s", "hi");
    await pause(traced ? 120 : 0);
    stretches.push({ name: `turn ${turn + 1}`, from, to: now() });
  }
  const calls = await trace?.stop();
  if (traced && calls === undefined)
    print("strace is not on this machine, so flushes and reads are not counted");
  if (calls !== undefined) report('a warm turn that says "hi"', calls, stretches, "");
  if (!traced) {
    const grown = sizesOf(daemon);
    print(
      `a warm turn that says "hi": ${median(stretches.map(({ from, to }) => to - from)).toFixed(1)} ms, log ${kilobytes((grown.log - sizes.log) / warmTurns)}, journal ${kilobytes((grown.journal - sizes.journal) / warmTurns)} (by the growth of the files)`,
    );
  }
  await client.client.close();
  await daemon.stop();
}

async function steps(traced: boolean): Promise<void> {
  const asked: number[] = [];
  const step = (count: number): Step => ({
    calls: [
      {
        id: `c${count}`,
        name: "read-file",
        arguments: { path: readFile, explanation: "To see what is due" },
      },
    ],
  });
  const script = Array.from({ length: stepsOfTurn }, (_, index) => step(index + 1));
  const home = mkdtempSync(join(tmpdir(), "passepartout-bench-"));
  await using provider = await startLoopbackProvider(
    [{ text: "Hello there." }, ...script, { text: "Done." }],
    {
      onRequest: () => asked.push(now()),
    },
  );
  mkdirSync(join(home, "work"), { recursive: true });
  writeFileSync(join(home, "work", readFile), "Buy milk, then call Anna.\n\n");
  const daemon = await startBenchDaemon(cascadeOf(provider.url), home);
  const client = await connectBench(daemon);
  await client.say("s", "hi");
  asked.length = 0;
  const sizes = sizesOf(daemon);
  const trace = traced ? await traceCalls(daemon.pid) : null;
  await client.say("s", "read it all the time");
  await pause(100);
  const calls = await trace?.stop();
  const stretches = asked
    .slice(1)
    .map((to, index) => ({ name: `step ${index + 1}`, from: asked[index] ?? to, to }));
  if (calls !== undefined) report("a step that reads a file of 27 bytes", calls, stretches, readFile);
  if (!traced) {
    const times = stretches.map(({ from, to }) => to - from);
    const grown = sizesOf(daemon);
    print(
      `a step that reads a file of 27 bytes: ${median(times).toFixed(1)} ms; the first ten ${median(times.slice(0, 10)).toFixed(1)}, the last ten ${median(times.slice(-10)).toFixed(1)}; log ${kilobytes((grown.log - sizes.log) / stepsOfTurn)}, journal ${kilobytes((grown.journal - sizes.journal) / stepsOfTurn)} (by the growth of the files)`,
    );
  }
  await client.client.close();
  await daemon.stop();
}

/** Bytes of the database's log and of the journal. */
function sizesOf({ state }: BenchDaemon): { readonly log: number; readonly journal: number } {
  const sizeOf = (name: string): number => statSync(join(state, name), { throwIfNoEntry: false })?.size ?? 0;
  return { log: sizeOf("state.db-wal"), journal: sizeOf("journal.jsonl") };
}

/** Prints the median of all stretches, the first and the last. */
function report(
  what: string,
  calls: readonly TracedCall[],
  stretches: readonly Stretch[],
  file: string,
): void {
  const figures = stretches.map((stretch) => figuresOf(calls, stretch, file));
  const [first, last] = [figures.at(0), figures.at(-1)];
  print(`${what}:`);
  for (const key of ["log", "journal"] as const) {
    const all = figures.map((figure) => figure[key]);
    print(
      `  ${key}: median ${kilobytes(median(all))}, first ${kilobytes(first?.[key] ?? 0)}, last ${kilobytes(last?.[key] ?? 0)}`,
    );
  }
  for (const key of ["pages", "flushes", "opens", "reads"] as const) {
    if (file === "" && (key === "opens" || key === "reads")) continue;
    const all = figures.map((figure) => figure[key]);
    print(`  ${key}: median ${median(all)}, first ${first?.[key] ?? 0}, last ${last?.[key] ?? 0}`);
  }
}

/** `pages`: writes to the database's log of a page or more. `opens` and `reads` are those of the file that the tool reads. */
function figuresOf(calls: readonly TracedCall[], { from, to }: Stretch, file: string) {
  const inside = calls.filter(({ at }) => at >= from && at < to);
  const written = (end: string): readonly TracedCall[] =>
    inside.filter(({ name, path }) => writing.has(name) && path.endsWith(end));
  const bytes = (all: readonly TracedCall[]): number => all.reduce((sum, { result }) => sum + result, 0);
  const ofFile = inside.filter(({ path }) => file !== "" && path.endsWith(`/${file}`));
  return {
    log: bytes(written("state.db-wal")),
    journal: bytes(written("journal.jsonl")),
    pages: written("state.db-wal").filter(({ result }) => result >= 1024).length,
    flushes: inside.filter(({ name }) => flushing.has(name)).length,
    opens: ofFile.filter(({ name }) => name === "openat").length,
    reads: ofFile.filter(({ name }) => reading.has(name)).length,
  };
}
