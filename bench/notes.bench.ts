import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause, setImmediate } from "node:timers/promises";
import { agendaFor, printAgenda } from "#org";
import { makeContextSource } from "../src/daemon/agent/prompt/notes-context.ts";
import { type Notes, openNotes } from "../src/memory/notes/open-notes.ts";
import { locateIndexWorker } from "../src/memory/notes/sync/run-index-worker.ts";
import { assembleContext } from "../src/reason/prompt/assemble-context.ts";
import { share, type Taken, take, takeOften } from "./measure.ts";
import { unheardWord, writeMemex } from "./memex.ts";

// Prints the times of a made-up notes folder, from 1,000 nodes to 100,000; with `million` to 1,000,000, with a number up to that. Asserts nothing.
// usage: node bench/notes.bench.ts [million | NODES] [folder on the disk to measure]
const words = process.argv.slice(2);
const most = words.includes("million")
  ? 1_000_000
  : Number(words.find((word) => /^\d+$/.test(word)) ?? 100_000);
const place = words.find((word) => word.includes("/")) ?? tmpdir();
const sizes = [1000, 10_000, 100_000, 1_000_000].filter((size) => size <= most);

type Figure = { readonly target: string; readonly taken: Taken | number };
type Figures = ReadonlyMap<string, Figure>;

const questions = [
  "train garden",
  "Anna doctor letter",
  "where did we repair the kitchen window",
  "karo miten",
  "what did Hiro write about the market",
  "school",
  "paint house again",
  "Chloé visit before water",
  "salvero",
  "call the doctor",
  "order window train",
  "2024-05-02",
  "plan plan plan",
  "read letter with Femi",
] as const;

/** What Linux counts the CPU of processes in. */
const ticksOfSecond = 100;

const week = { from: "2026-11-16", days: 7, today: "2026-11-18" };

function open(folder: string, file: string): Notes {
  return openNotes({
    folder,
    variables: [],
    file,
    clock: Date.now,
    worker: locateIndexWorker(),
    progress: () => undefined,
    labels: { privacyTags: ["@personal"], originsOf: async () => new Map() },
    yieldToEventLoop: () => setImmediate(),
    report: (message) => process.stderr.write(`${message}\n`),
  });
}

async function saveAndFind(notes: Notes, path: string, round: number): Promise<void> {
  const word = `${unheardWord}${round}`;
  appendFileSync(path, `* A note that was added: ${word}\n`);
  while ((await notes.index.search(word, 1)).length === 0) await pause(2);
}

async function agenda(notes: Notes): Promise<string> {
  const lines = agendaFor(await notes.index.stampsFor(week.from, "2026-11-22"), week);
  return printAgenda(lines, week, { minutes: 600 });
}

function context(notes: Notes, question: string): Promise<unknown> {
  const source = makeContextSource({ notes, own: async () => null });
  return assembleContext(source, { words: question, focus: null, threshold: 0.25, budget: 4000 });
}

async function measure(nodes: number, world: string): Promise<Figures> {
  const folder = join(world, `memex-${nodes}`);
  const file = join(world, `index-${nodes}.db`);
  const { bytes } = writeMemex(folder, nodes);
  const figures = new Map<string, Figure>([["megabytes of notes", { target: "50", taken: bytes / 1e6 }]]);
  const print = (name: string, taken: Taken | number, target = ""): void =>
    void figures.set(name, { target, taken });
  {
    await using notes = open(folder, file);
    const before = process.cpuUsage();
    const ofChildren = childSeconds();
    const { wall } = await take(() => notes.sync());
    const { user, system } = process.cpuUsage(before);
    const cpu = (user + system) / 1e6 + childSeconds() - ofChildren;
    print("cold index, s (CPU: all of it)", { wall: wall / 1000, cpu }, "12");
    print("resident after it, MB", process.memoryUsage.rss() / 1e6, "300");
    print("index on the disk, MB", statSync(file).size / 1e6);
    print("index, bytes for each byte of notes", statSync(file).size / bytes, "2.5");
    for (const [table, taken] of sizesByTable(file)) print(`  ${table}`, taken / bytes);
  }
  const warm = await takeOften(5, async () => {
    await using again = open(folder, file);
    await again.ready();
  });
  print("warm start: look at all entries, ms", share(warm, 0.5), "400 to listening");
  await using notes = open(folder, file);
  notes.watch();
  await notes.sync();
  print("agenda of a week, first, ms", await take(() => agenda(notes)), "50");
  print("agenda of a week, ms", share(await takeOften(11, () => agenda(notes)), 0.5), "50");
  print("context, first, ms", await take(() => context(notes, questions[2])), "20");
  const contexts = await takeOften(56, (round) => context(notes, questions[round % 14] ?? ""));
  print("context, median, ms", share(contexts, 0.5), "20");
  print("context, 95th percentile, ms", share(contexts, 0.95), "20");
  const searches = await takeOften(210, (round) => notes.index.search(questions[round % 14] ?? "", 10));
  print("search, median, ms", share(searches, 0.5), "15");
  print("search, 95th percentile, ms", share(searches, 0.95), "15");
  const path = join(folder, "notes", "0", "notes-3.org");
  const saved = await takeOften(7, (round) => saveAndFind(notes, path, round));
  print("saved file visible to recall, ms", share(saved, 0.5), "300");
  print("root, ms", share(await takeOften(11, () => notes.index.root()), 0.5), "1");
  print("resident at the end, MB", process.memoryUsage.rss() / 1e6, "300");
  return figures;
}

/** Bytes of the largest tables of an index, with their indexes, and of all that is left. */
function sizesByTable(file: string): ReadonlyMap<string, number> {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database
    .prepare(
      `SELECT coalesce(tbl_name, 'schema') AS owner, sum(pgsize) AS bytes FROM dbstat LEFT JOIN sqlite_schema USING (name) GROUP BY owner`,
    )
    .all()
    .map((row) => [String(row["owner"]), Number(row["bytes"])] as const);
  database.close();
  const all = rows.toSorted(([, one], [, other]) => other - one);
  const rest = all.slice(largestTables).reduce((sum, [, bytes]) => sum + bytes, 0);
  return new Map([...all.slice(0, largestTables), ["others", rest]]);
}

const largestTables = 6;

/** Seconds of CPU that ended processes of this one took, as Linux counts them; elsewhere they are not known. */
function childSeconds(): number {
  if (!existsSync("/proc/self/stat")) return 0;
  const status = readFileSync("/proc/self/stat", "utf8");
  const [user, system] = status
    .slice(status.lastIndexOf(")") + 2)
    .split(" ")
    .slice(13, 15)
    .map(Number);
  return ((user ?? 0) + (system ?? 0)) / ticksOfSecond;
}

function row(name: string, cells: readonly string[], rest: string): string {
  return `${name.padEnd(38)}${cells.map((cell) => cell.padStart(18)).join("")}   ${rest}\n`;
}

function cell(figure: Figure | undefined): string {
  if (figure === undefined) return "";
  if (typeof figure.taken === "number") return figure.taken.toFixed(figure.taken < 10 ? 2 : 1);
  return `${figure.taken.wall.toFixed(1)} (${figure.taken.cpu.toFixed(1)})`;
}

/** How much CPU the last size took, as it would be by the one before and n log n: 1 is n log n, less is better. */
function growth(name: string, columns: readonly Figures[]): string {
  const [before, last] = columns.slice(-2).map((figures) => figures.get(name)?.taken);
  if (typeof before !== "object" || typeof last !== "object" || before.cpu === 0) return "";
  const [fewer = 1, more = 1] = sizes.slice(-2);
  return (last.cpu / before.cpu / ((more * Math.log(more)) / (fewer * Math.log(fewer)))).toFixed(2);
}

const world = mkdtempSync(join(place, "notes-bench-"));
try {
  const load = (): string => (loadavg()[0] ?? 0).toFixed(1);
  process.stdout.write(`by the clock (of CPU); load of this machine ${load()} before`);
  const columns: Figures[] = [];
  for (const nodes of sizes) columns.push(await measure(nodes, world));
  process.stdout.write(`, ${load()} after\n`);
  const heads = sizes.map((nodes) => `${nodes}`);
  process.stdout.write(row("nodes", heads, "target at 100,000 | growth of CPU to n log n"));
  for (const [name, { target }] of columns[0] ?? []) {
    const cells = columns.map((figures) => cell(figures.get(name)));
    process.stdout.write(row(name, cells, `${target.padEnd(16)}  | ${growth(name, columns)}`));
  }
} finally {
  rmSync(world, { recursive: true, force: true });
}
