import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openAgent } from "../../src/daemon/open-agent.ts";
import { compileCache } from "../compile-cache.ts";
import { makeRandom } from "../make-random.ts";
import { removeFolder } from "../remove-folder.ts";

/**
 * How many times the process is killed while several sessions write notes at once, and from which seed the
 * moments are drawn.
 */
export type SessionKillPlan = { readonly kills: number; readonly seed: number };

/** What the kills came to. */
export type SessionKillReport = {
  readonly kills: number;
  /** Notes that were accepted, and of these how many were made only after the kill. */
  readonly accepted: number;
  readonly takenUp: number;
  readonly missing: readonly string[];
  readonly doubled: readonly string[];
  /** What became of a note that nobody can tell, by the program's own words. */
  readonly unknown: readonly string[];
};

/** The sessions that write at the same moment. */
const sessions = ["one", "two", "three", "four"];

/**
 * Has four sessions say `/note …` at once, again and again, and kills the process around the moment when the
 * first of them stands in the inbox.
 */
export async function killSessions({ kills: wanted, seed }: SessionKillPlan): Promise<SessionKillReport> {
  const random = makeRandom(seed);
  const home = realpathSync(mkdtempSync(join(tmpdir(), "sessions-kill-")));
  const inbox = join(home, "notes", "inbox.org");
  mkdirSync(join(home, "notes"));
  const accepted = new Set<string>();
  const unknown: string[] = [];
  let [kills, takenUp, round] = [0, 0, 0];
  while (kills < wanted) {
    const life = await liveOnce({ home, inbox, round, random });
    for (const name of life.accepted) accepted.add(name);
    unknown.push(...life.unknown);
    takenUp += life.lacking.length;
    if (life.killed) kills += 1;
    round += 1;
  }
  await liveOnce({ home, inbox, round: null, random });
  const noted = notesIn(inbox);
  const missing = [...accepted].filter((name) => !noted.includes(name));
  const doubled = noted.filter((name, index) => noted.indexOf(name) !== index);
  const isWhole = missing.length + doubled.length + unknown.length === 0;
  if (isWhole) removeFolder(home);
  else unknown.push(`what is left is in ${home}`);
  return { kills, accepted: accepted.size, takenUp, missing, doubled, unknown };
}

type Life = {
  readonly accepted: readonly string[];
  /** Accepted, and not in the inbox at the kill. */
  readonly lacking: readonly string[];
  readonly unknown: readonly string[];
  readonly killed: boolean;
};

type LifeParts = {
  readonly home: string;
  readonly inbox: string;
  /** Null for a life that only takes up what is left. */
  readonly round: number | null;
  readonly random: () => number;
};

/**
 * Milliseconds between the first note of a round and the kill, at most; and the share of kills that come
 * while the process takes up what the kill before left.
 */
const longestWait = 60;
const early = 0.15;

async function liveOnce({ home, inbox, round, random }: LifeParts): Promise<Life> {
  const child = start(home);
  const ended = once(child, "exit");
  const names = round === null ? [] : sessions.map((session) => `Round ${round} of ${session}`);
  const atStart = round !== null && random() < early;
  const [accepted, unknown]: [string[], string[]] = [[], []];
  const kill = async (wait: number): Promise<void> => {
    await sleep(wait);
    child.kill("SIGKILL");
  };
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  child.stdin?.on("error", () => child.stdin?.destroy());
  for await (const line of lines) {
    const [word = "", rest = ""] = line.split(/ (.*)/s);
    if (word === "opened" && atStart) void kill(random() * longestWait);
    if (word === "ready") {
      child.stdin?.end(names.map((name) => `${name}\n`).join(""));
      if (names.length > 0) void whenNoted(inbox, names).then(() => kill(random() * longestWait));
    }
    if (word === "accepted") accepted.push(rest);
    if (word === "unknown") unknown.push(rest);
  }
  await ended;
  const killed = child.signalCode === "SIGKILL";
  if (!killed && child.exitCode !== 0)
    throw new Error(`the process ended by itself (${child.exitCode}); see ${home}`);
  const noted = notesIn(inbox);
  return { accepted, lacking: accepted.filter((name) => !noted.includes(name)), unknown, killed };
}

async function whenNoted(inbox: string, names: readonly string[]): Promise<void> {
  const until = performance.now() + 10_000;
  while (performance.now() < until && !notesIn(inbox).some((note) => names.includes(note))) await sleep(1);
}

function notesIn(inbox: string): readonly string[] {
  if (!existsSync(inbox)) return [];
  return [...readFileSync(inbox, "utf8").matchAll(/^\* (.*)$/gm)].map(([, title = ""]) => title);
}

function start(home: string): ChildProcess {
  return spawn(process.execPath, ["--disable-warning=ExperimentalWarning", import.meta.filename, "--write"], {
    env: {
      PATH: process.env["PATH"] ?? "/usr/bin:/bin",
      HOME: home,
      WORK: home,
      MEMEX_DIR: join(home, "notes"),
      NODE_COMPILE_CACHE: compileCache,
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
}

/**
 * Writes a note for each line of standard input, all at once, in a session each. It is there to be killed.
 */
async function writeAsTold(): Promise<void> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  await using agent = await openAgent({
    environment: process.env,
    cwd: process.env["WORK"] ?? "/",
    version: "0.0.0-kill",
    warn: () => undefined,
  });
  say("opened");
  for (const notice of await agent.untold(""))
    if (/may have been done/.test(notice)) say(`unknown ${notice}`);
  await agent.whenIdle();
  for (const name of sessions) {
    const session = await agent.openSession({ name, latest: false, source: "cli" });
    for (const { turn, text } of await agent.undelivered(session)) {
      if (!/^(Created|Changed|Done\.) /.test(text)) say(`unknown ${text}`);
      await agent.markDelivered(turn);
    }
  }
  say("ready");
  const writing: Promise<void>[] = [];
  for await (const line of createInterface({ input: process.stdin }))
    writing.push(writeNote(agent, line, say));
  await Promise.all(writing);
}

async function writeNote(
  agent: Awaited<ReturnType<typeof openAgent>>,
  line: string,
  say: (line: string) => void,
): Promise<void> {
  const session = await agent.openSession({
    name: line.replace(/^.* of /, ""),
    latest: false,
    source: "cli",
  });
  const said = await agent.say({ session, text: `/note ${line}`, source: "cli" });
  if (said.kind !== "turn") throw new Error(`not accepted: ${JSON.stringify(said)}`);
  say(`accepted ${line}`);
  await agent.whenSettled(said.turn);
}

/** A report as a person reads it. */
export function describeSessionKills({ kills, accepted, takenUp, ...found }: SessionKillReport): string {
  return [
    `${kills} kills with ${sessions.length} sessions at once: ${accepted} notes were accepted, ${takenUp} of them made after the kill.`,
    ...Object.entries(found).map(
      ([what, names]) => `${what}: ${names.length}${names.map((name) => `\n  ${name}`).join("")}`,
    ),
  ].join("\n");
}

async function killAsAsked(): Promise<void> {
  const { values } = parseArgs({
    options: { kills: { type: "string", default: "1000" }, seed: { type: "string", default: "1" } },
  });
  const report = await killSessions({ kills: Number(values.kills), seed: Number(values.seed) });
  process.stdout.write(`${describeSessionKills(report)}\n`);
  process.exitCode = report.missing.length + report.doubled.length + report.unknown.length === 0 ? 0 : 1;
}

if (import.meta.main) await (process.argv.includes("--write") ? writeAsTold() : killAsAsked());
