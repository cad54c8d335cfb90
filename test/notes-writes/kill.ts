import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { lockPathOf } from "../../src/act/files/locks/lock-file.ts";
import { openOwnNotes } from "../../src/memory/notes/open-own-notes.ts";
import { loadPolicy } from "../../src/settings/policy.ts";
import { compileCache } from "../compile-cache.ts";
import { startLoopbackProvider } from "../loopback-provider.ts";
import { makeRandom } from "../make-random.ts";
import { removeFolder } from "../remove-folder.ts";
import { editAsTold } from "./editing-process.ts";
import { brokenFiles, makeNotes, mixedEdit, modelFor } from "./mixed-edits.ts";

/** How many edits, how many kills at least while they last, and from which seed the moments of the kills are drawn. */
export type KillPlan = { readonly edits: number; readonly kills: number; readonly seed: number };

/** What the edits under kills came to. */
export type KillReport = {
  readonly edits: number;
  readonly kills: number;
  /** Edits that were said to be made, or to wait, before a kill could come. */
  readonly acknowledged: number;
  /** Edits that a kill cut off before that, and that were made all the same. */
  readonly takenUp: number;
  /** The root of the index after the kills, and after a rebuild. */
  readonly roots: readonly [string, string];
  readonly problems: readonly string[];
};

/** Makes mixed edits in a process that is killed with SIGKILL again and again, one file held by an editor half of the time, and holds what is left against what was acknowledged. */
export async function killWhileEditing({ edits, kills: wanted, seed }: KillPlan): Promise<KillReport> {
  const random = makeRandom(seed);
  const home = realpathSync(mkdtempSync(join(tmpdir(), "notes-kill-")));
  const notes = join(home, "notes");
  makeNotes(notes, edits);
  const all = Array.from({ length: edits }, (_, at) => mixedEdit(notes, at));
  await using provider = await startLoopbackProvider(modelFor(all));
  const environment = {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: home,
    WORK: home,
    MEMEX_DIR: notes,
    PROVIDER_CASCADE: "loop",
    LOOP_BASE_URL: `${provider.url}/v1`,
    LOOP_API_KEY: "none",
    NODE_COMPILE_CACHE: compileCache,
  };
  const held = join(notes, "garden.org");
  const acknowledged = new Set<string>();
  const problems: string[] = [];
  let [next, kills] = [0, 0];
  while (next < edits) {
    holdOrLetGo(held, kills % 2 === 0);
    const names = all.slice(next).map(({ name }) => name);
    const life = await liveOnce(environment, names, momentOf(random, (2 * edits) / wanted));
    for (const name of life.made) acknowledged.add(name);
    for (const line of life.left) problems.push(line);
    next += life.began;
    if (life.killed) kills += 1;
    else if (life.exit !== 0) throw new Error(`the process ended by itself (${life.exit}); see ${home}`);
    problems.push(...brokenFiles(notes).filter((what) => !what.includes(".passepartout-")));
  }
  holdOrLetGo(held, false);
  await settle(environment, home);
  problems.push(...brokenFiles(notes));
  let takenUp = 0;
  for (const { name, count } of all) {
    const times = count(notes);
    if (acknowledged.has(name) && times !== 1)
      problems.push(`${name} was acknowledged, and is there ${times} times`);
    if (times > 1) problems.push(`${name} is there ${times} times`);
    if (!acknowledged.has(name) && times === 1) takenUp += 1;
  }
  const roots = await rootsOf(environment);
  if (roots[0] !== roots[1]) problems.push(`the root is ${roots[0]}, and after a rebuild ${roots[1]}`);
  if (problems.length === 0) removeFolder(home);
  else problems.push(`what is left is in ${home}`);
  return { edits, kills, acknowledged: acknowledged.size, takenUp, roots, problems: [...new Set(problems)] };
}

type Life = {
  readonly made: readonly string[];
  readonly left: readonly string[];
  readonly began: number;
  readonly killed: boolean;
  readonly exit: number | null;
};

/** When a kill comes: so many milliseconds after the process has begun so many edits; after none, while it takes up what the last kill left. */
type Moment = { readonly begun: number; readonly later: number };

/** Milliseconds after the start of an edit in which a kill comes: about as long as an edit takes. */
const longestEdit = 80;

/** One kill in five meets the process while it takes up what the one before left. */
function momentOf(random: () => number, mostEdits: number): Moment {
  const begun = random() < 0.2 ? 0 : 1 + Math.floor(random() * mostEdits);
  return { begun, later: random() * longestEdit };
}

/** Starts the process, gives it edits, and kills it at the moment. */
async function liveOnce(
  environment: Readonly<Record<string, string>>,
  names: readonly string[],
  moment: Moment,
): Promise<Life> {
  const child = start(environment);
  const [made, left]: [string[], string[]] = [[], []];
  let began = 0;
  child.stdin?.on("error", () => child.stdin?.destroy());
  child.stdin?.end(names.map((name) => `${name}\n`).join(""));
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  for await (const line of lines) {
    const [word = "", ...rest] = line.split(" ");
    if (word === "began") began += 1;
    const due = moment.begun === 0 ? word === "opened" : word === "began" && began === moment.begun;
    if (due) void sleep(moment.later).then(() => child.kill("SIGKILL"));
    if (word === "opened" || word === "ready" || word === "began") continue;
    if (word === "made") made.push(rest.join(" "));
    else left.push(line);
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return { made, left, began, killed: child.signalCode === "SIGKILL", exit: child.exitCode };
}

/** Starts the process once more, with nothing to do but to take up what was left, until no edit waits. */
async function settle(environment: Readonly<Record<string, string>>, home: string): Promise<void> {
  const child = start(environment);
  const ended = once(child, "exit");
  while (child.exitCode === null && waiting(home) > 0) await sleep(50);
  child.stdin?.end();
  await ended;
  if (child.exitCode !== 0) throw new Error(`the process ended by itself (${child.exitCode}); see ${home}`);
}

function start(environment: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, ["--disable-warning=ExperimentalWarning", import.meta.filename, "--edit"], {
    env: environment,
    stdio: ["pipe", "pipe", "inherit"],
  });
}

function waiting(home: string): number {
  const file = join(home, ".local/state/passepartout/state.db");
  using database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  return database.prepare("SELECT id FROM pending_edits").all().length;
}

function holdOrLetGo(path: string, hold: boolean): void {
  const lock = lockPathOf(path);
  rmSync(lock, { force: true });
  if (hold && existsSync(path)) symlinkSync(`me@${hostname()}.${process.pid}:1`, lock);
}

async function rootsOf(environment: Readonly<Record<string, string>>): Promise<readonly [string, string]> {
  const { folders, config } = loadPolicy(environment);
  await using notes = openOwnNotes({
    folder: folders.notes,
    variables: config.org,
    stateFolder: config.places.state,
    privacyTags: config.privacyTags,
    originsOf: async () => new Map(),
    report: () => undefined,
    serving: false,
  });
  await notes.sync();
  const before = await notes.index.root();
  await notes.rebuild();
  return [before, await notes.index.root()];
}

/** A report as a person reads it. */
export function describeKills(report: KillReport): string {
  const { edits, kills, acknowledged, takenUp, roots, problems } = report;
  return [
    `${kills} kills during ${edits} mixed edits: ${acknowledged} were acknowledged, ${takenUp} more were taken up after the kill that cut them off.`,
    `Root after the kills ${roots[0].slice(0, 16)}…, after a rebuild ${roots[1].slice(0, 16)}….`,
    ...(problems.length === 0
      ? ["No file is half-written, no acknowledged edit is lost or made twice."]
      : problems),
  ].join("\n");
}

async function killAsAsked(): Promise<void> {
  const { values } = parseArgs({
    options: {
      edits: { type: "string", default: "300" },
      kills: { type: "string", default: "60" },
      seed: { type: "string", default: "1" },
    },
  });
  const [edits, kills, seed] = [Number(values.edits), Number(values.kills), Number(values.seed)];
  const report = await killWhileEditing({ edits, kills, seed });
  process.stdout.write(`${describeKills(report)}\n`);
  process.exitCode = report.problems.length === 0 ? 0 : 1;
}

if (import.meta.main) await (process.argv.includes("--edit") ? editAsTold() : killAsAsked());
