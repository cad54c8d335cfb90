// Updates the program through versions of its own history, by real packages and npm, while people ask and
// jobs run, and counts what became of the answers. usage: npm run updates -- --rounds 3
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startLoopbackProvider } from "../loopback-provider.ts";
import { removeFolder } from "../remove-folder.ts";
import { countAnswers, type Figures, hasOpenRuns, sumOf } from "./figures.ts";
import { answerTo, type Load, type LoadPlace, runToEnd, type Said, startLoad, wordsOf } from "./load.ts";
import { installPackage } from "./packed-versions.ts";
import { makeVersions, type Version, type Versions } from "./versions.ts";

/** The user whose program is updated. */
type User = LoadPlace & {
  readonly home: string;
  readonly install: (version: Version) => Promise<void>;
  readonly problems: string[];
};

/** The daemon of a user, started again by its owner where it does not give way by itself. */
type Daemon = {
  readonly said: () => string;
  readonly isRunning: () => boolean;
  readonly stop: () => Promise<void>;
};

/** Milliseconds in which a daemon that can give way does. */
const patience = 120_000;

async function makeUser(provider: string): Promise<User> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "passepartout-updates-")));
  const workspace = join(home, "work");
  const prefix = join(home, "prefix");
  mkdirSync(workspace);
  writeFileSync(join(workspace, "made.txt"), "made\n");
  return {
    home,
    workspace,
    state: join(home, ".local/state/passepartout"),
    command: join(prefix, "bin", "passepartout"),
    environment: {
      PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"]}`,
      HOME: home,
      PASSEPARTOUT_NODE: process.execPath,
      PROVIDER_CASCADE: "loop",
      LOOP_BASE_URL: `${provider}/v1`,
      LOOP_API_KEY: "sk-updates-0123456789",
      LOOP_MODEL: "loop",
      HEARTBEAT_INTERVAL: "1",
    },
    problems: [],
    install: async ({ tarball }) => void (await installPackage(tarball, { prefix, home: join(home, "npm") })),
  };
}

async function startDaemon(user: User): Promise<Daemon> {
  const child = spawn(user.command, ["daemon", "--port", "0"], {
    cwd: user.home,
    env: user.environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const kept = { said: "" };
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    kept.said += text;
  });
  const daemon = {
    said: () => kept.said,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop: () => endDaemon(child),
  };
  await until(daemon, () => /Listening on/.test(kept.said));
  return daemon;
}

async function endDaemon(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = once(child, "close");
  child.kill("SIGTERM");
  await end;
}

async function until(daemon: Pick<Daemon, "said" | "isRunning">, condition: () => boolean): Promise<void> {
  const end = performance.now() + patience;
  while (!condition()) {
    if (!daemon.isRunning()) throw new Error(`the daemon ended: ${daemon.said()}`);
    if (performance.now() > end)
      throw new Error(`the daemon did not get there: ${daemon.said().slice(-2000)}`);
    await pause(20);
  }
}

/** Answers that are waited for before and after a change of the version. */
const enough = 6;

type Change = {
  readonly name: string;
  readonly from: Version;
  readonly to: Version;
  /** The running daemon is not to give way. */
  readonly goesOn: boolean;
  /** Brings the other version in. */
  readonly change: () => Promise<unknown>;
};

/** Changes the version under a load; gives the daemon that goes on, and what was said. */
async function changeUnderLoad(user: User, daemon: Daemon, change: Change) {
  const { name, from, to, goesOn } = change;
  const load = startLoad(user, `${name}under`, from.hasJobs ? "think" : null);
  await answersOf(load);
  const starts = startsOf(daemon);
  const begun = performance.now();
  await change.change();
  const installed = performance.now();
  if (from.keepsBuild && !goesOn) await until(daemon, () => startsOf(daemon) > starts);
  const took = performance.now();
  await answersOf(load);
  const said = [...(await load.stop())];
  const next = from.keepsBuild ? daemon : await startAgain(user, daemon);
  if (!from.keepsBuild) {
    const after = startLoad(user, `${name}after`, null);
    await answersOf(after);
    said.push(...(await after.stop()));
  }
  process.stderr.write(
    `${name}: ${from.name} to ${to.name}: installed in ${seconds(installed - begun)}, taken over after ${seconds(took - installed)}, ${said.length} said\n`,
  );
  return { daemon: next, said };
}

/** As the owner of a version does that does not notice another one. */
async function startAgain(user: User, daemon: Daemon): Promise<Daemon> {
  await daemon.stop();
  return startDaemon(user);
}

/** Waits until a load had some more answers. */
async function answersOf(load: Load): Promise<void> {
  const wanted = load.answers() + enough;
  const end = performance.now() + patience;
  while (load.answers() < wanted && performance.now() < end) await pause(20);
}

const startsOf = (daemon: Daemon): number => daemon.said().split("Listening on").length - 1;
const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** What a round came to. */
type Round = { readonly figures: Figures; readonly problems: readonly string[] };

/** One user through all versions, there and back, with versions that cannot take over. */
async function playRound(round: number, versions: Versions, provider: string): Promise<Round> {
  const user = await makeUser(provider);
  const [first, ...later] = versions.history;
  const [before, last] = versions.history.slice(-2);
  if (first === undefined || before === undefined || last === undefined) throw new Error("no versions");
  await user.install(first);
  const now = { daemon: await startDaemon(user), version: first };
  const said: Said[] = [];
  const change = async (to: Version, how: () => Promise<unknown>, goesOn = false): Promise<void> => {
    const name = `r${round}c${said.length}`;
    const wanted = { name, from: now.version, to, goesOn, change: how };
    const changed = await changeUnderLoad(user, now.daemon, wanted);
    if (to.hasJobs && !now.version.hasJobs) await addJobs(user);
    now.daemon = changed.daemon;
    if (!goesOn) now.version = to;
    said.push(...changed.said);
  };
  for (const to of later) await change(to, () => user.install(to));
  await change(before, () => expectDone(user, ["update", "back"]));
  await change(last, () => expectDone(user, ["update", "forward"]));
  await change(versions.newer, () => user.install(versions.newer));
  await change(versions.broken, () => user.install(versions.broken), true);
  await until(now.daemon, () => /is installed, and cannot take over/.test(now.daemon.said()));
  await until(now.daemon, () => !hasOpenRuns(user.state));
  await now.daemon.stop();
  const figures = countAnswers(said, { state: user.state, notes: join(user.home, "memex", "inbox.org") });
  await goBackFromDead(user, versions);
  await goBackOverMigration(user, { newer: versions.newer, older: last });
  await refuseOlder(user, [first, ...later.slice(0, 1)]);
  await user.install(versions.newer);
  for (const words of ["journal verify", "journal replay", "memory verify"])
    await expectDone(user, words.split(" "));
  if (user.problems.length === 0) removeFolder(user.home);
  else user.problems.push(`what is left is in ${user.home}`);
  return { figures, problems: user.problems };
}

/** Two jobs: one that asks the model when it is told to, and one that writes a note after turns. */
async function addJobs(user: User): Promise<void> {
  await expectDone(user, ["jobs", "add", "think", "--cron", "0 0 1 1 *", "say-the-job 1"]);
  await expectDone(user, ["jobs", "add", "tick", "--hook", "turn-ended", "--tier", "reflex", "note ticked"]);
}

/** Runs a command that must succeed, and gives what it printed. */
async function expectDone(user: User, args: readonly string[]): Promise<string> {
  const { code, text } = await runToEnd(user, args);
  if (code !== 0) user.problems.push(`${args.join(" ")} (${code}): ${text.trim()}`);
  return text;
}

/** An installed version that does not start is left by one command, too. */
async function goBackFromDead(user: User, { newer, dead }: Versions): Promise<void> {
  await user.install(newer);
  await expectAnswer(user, "say-before-dead 1");
  await user.install(dead);
  await expectDone(user, ["update", "back"]);
  await expectAnswer(user, "say-after-dead 1");
}

/** The state that a newer version migrated is put back, and migrated again. */
async function goBackOverMigration(
  user: User,
  { newer, older }: { newer: Version; older: Version },
): Promise<void> {
  await user.install(older);
  const { code, text } = await runToEnd(user, ["ask", "say-over-newer 1"]);
  if (code === 0 || !/has version \d+; this program knows versions up to \d+/.test(text))
    user.problems.push(`an older version on a newer state (${code}): ${text}`);
  await user.install(newer);
  await expectAnswer(user, "say-newer-again 1");
  const said = await expectDone(user, ["update", "back"]);
  if (!/turns? since then (?:are|is) in .* alone/.test(said)) user.problems.push(`update back said: ${said}`);
  await expectAnswer(user, "say-on-older 1");
  await expectDone(user, ["journal", "verify"]);
  await expectDone(user, ["update", "forward"]);
  await expectAnswer(user, "say-newer-after 1");
}

async function expectAnswer(user: User, words: string): Promise<void> {
  const text = await expectDone(user, ["ask", words]);
  if (!text.includes(`Answer to ${words}.`)) user.problems.push(`no answer to ${words}: ${text}`);
}

/** A version that is older than the state says so before it writes anything. */
async function refuseOlder(user: User, versions: readonly Version[]): Promise<void> {
  const digest = (): string =>
    createHash("sha256")
      .update(readFileSync(join(user.state, "state.db")))
      .digest("hex");
  const whole = digest();
  for (const version of versions) {
    await user.install(version);
    const { code, text } = await runToEnd(user, ["ask", "say-too-old 1"]);
    if (code === 0 || !/has version \d+/.test(text))
      user.problems.push(`${version.name} on a newer state: ${text}`);
    if (digest() !== whole) user.problems.push(`${version.name} changed a newer state`);
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { rounds: { type: "string", default: "3" } } });
  const folder = mkdtempSync(join(tmpdir(), "passepartout-versions-"));
  const versions = makeVersions(folder);
  const broken = new Set<string>();
  await using provider = await startLoopbackProvider([], {
    answer(body) {
      if (/Cannot find (?:module|package)/.test(body)) broken.add(wordsOf(body));
      return answerTo(body);
    },
  });
  const rounds: Round[] = [];
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    const done = await playRound(round, versions, provider.url);
    rounds.push(done);
    process.stdout.write(`${describe(done)}\n`);
  }
  removeFolder(folder);
  process.stdout.write(
    `all: ${describe({ figures: sumOf(rounds.map(({ figures }) => figures)), problems: [] })}\n`,
  );
  process.stdout.write(
    `turns that were told of a missing part of the program: ${broken.size}\n${[...broken].join("\n")}\n`,
  );
  process.exitCode = rounds.some(
    ({ problems, figures }) => problems.length + figures.lost + figures.doubled > 0,
  )
    ? 1
    : 0;
}

function describe({ figures, problems }: Round): string {
  const { troubles, ...counts } = figures;
  const told = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  return [told.join(", "), ...troubles, ...problems].join("\n  ");
}

if (import.meta.main) await main();
