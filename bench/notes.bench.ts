import { appendFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause, setImmediate } from "node:timers/promises";
import { type Notes, openNotes } from "../src/memory/notes/open-notes.ts";
import { locateIndexWorker } from "../src/memory/notes/run-indexing.ts";
import { unheardWord, writeMemex } from "./memex.ts";

// Prints the times of a made-up notes folder, from 1,000 nodes to 100,000, with `million` to 1,000,000. Asserts nothing.
// usage: node bench/notes.bench.ts [million] [folder on the disk to measure]
const million = process.argv.includes("million");
const place = process.argv.slice(2).find((word) => word !== "million") ?? tmpdir();
const sizes = million ? [1000, 10_000, 100_000, 1_000_000] : [1000, 10_000, 100_000];

type Figures = Readonly<Record<string, number>>;

const targets: Readonly<Record<string, string>> = {
  "cold index, s": "12 at 100,000",
  "warm start: look at all entries, ms": "400",
  "saved file visible to recall, ms": "300",
  "search, median, ms": "",
  "search, 95th percentile, ms": "15",
  "stamps of a week, ms": "50 with the agenda",
  "open projects, ms": "",
  "root, ms": "1",
  "index on the disk, MB": "",
  "resident after a cold index in a thread, MB": "300",
};

const questions = [
  ...["train garden", "Anna doctor letter", "where did we repair the kitchen window", "karo miten"],
  ...["what did Hiro write about the market", "school", "paint house again", "Chloé visit before water"],
  ...[
    "salvero",
    "call the doctor",
    "order window train",
    "2024-05-02",
    "plan plan plan",
    "read letter with Femi",
  ],
] as const;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function share(times: readonly number[], part: number): number {
  return times.toSorted((one, other) => one - other)[Math.floor((times.length - 1) * part)] ?? 0;
}

function open(folder: string, file: string, worker: URL | null): Notes {
  return openNotes({
    ...{ folder, file, clock: Date.now, worker, progress: () => undefined },
    labels: { privacyTags: ["@personal"], originsOf: async () => new Map() },
    breathe: () => setImmediate(),
    report: (message) => process.stderr.write(`${message}\n`),
  });
}

async function visibleAfter(notes: Notes, path: string): Promise<number> {
  const words = `${unheardWord}${Math.floor(performance.now())}`;
  appendFileSync(path, `* A note that was added: ${words}\n`);
  return timed(async () => {
    while ((await notes.index.search(words, 1)).length === 0) await pause(2);
  });
}

async function measure(nodes: number, world: string): Promise<Figures> {
  const folder = join(world, `memex-${nodes}`);
  const file = join(world, `index-${nodes}.db`);
  writeMemex(folder, nodes);
  await using notes = open(folder, file, locateIndexWorker());
  const cold = await timed(() => notes.sync());
  const resident = process.memoryUsage.rss() / 1e6;
  const warm: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    await using again = open(folder, file, locateIndexWorker());
    warm.push(await timed(() => again.ready()));
  }
  notes.watch();
  await notes.sync();
  const saved: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    saved.push(await visibleAfter(notes, join(folder, "notes", "0", "notes-3.org")));
  }
  const searches: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    for (const question of questions) {
      searches.push(await timed(() => notes.index.search(question, 10)));
    }
  }
  const agenda: number[] = [];
  const projects: number[] = [];
  const roots: number[] = [];
  for (let round = 0; round < 11; round += 1) {
    agenda.push(await timed(() => notes.index.stampsFor("2026-11-16", "2026-11-22")));
    projects.push(await timed(() => notes.index.openWithTag("project")));
    roots.push(await timed(() => notes.index.root()));
  }
  return {
    "cold index, s": cold / 1000,
    "warm start: look at all entries, ms": share(warm, 0.5),
    "saved file visible to recall, ms": share(saved, 0.5),
    "search, median, ms": share(searches, 0.5),
    "search, 95th percentile, ms": share(searches, 0.95),
    "stamps of a week, ms": share(agenda, 0.5),
    "open projects, ms": share(projects, 0.5),
    "root, ms": share(roots, 0.5),
    "index on the disk, MB": statSync(file).size / 1e6,
    "resident after a cold index in a thread, MB": resident,
  };
}

const world = mkdtempSync(join(place, "notes-bench-"));
try {
  const columns: Figures[] = [];
  for (const nodes of sizes) columns.push(await measure(nodes, world));
  process.stdout.write(
    `${"nodes".padEnd(46)}${sizes.map((nodes) => `${nodes}`.padStart(12)).join("")}   target\n`,
  );
  for (const [name, target] of Object.entries(targets)) {
    const cells = columns.map((figures) => (figures[name] ?? 0).toFixed(2).padStart(12));
    process.stdout.write(`${name.padEnd(46)}${cells.join("")}   ${target}\n`);
  }
} finally {
  rmSync(world, { recursive: true, force: true });
}
