// Sets up a clone: its own Node, the locked dependencies, a build. Runs under Node 20; everything lands inside the clone.
// Each part is made in a folder of its own and put in place by a rename, so that a kill at any point leaves the old or the new.
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { holdLock, isRunning } from "./lock.mjs";
import { isInRange, versionOf } from "./node-version.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const own = join(root, ".passepartout");
const workshop = join(own, `new-${process.pid}`);
const nodeBinary = join(own, "node", "node_modules", ".bin", "node");
/** What a build is made from: if any of it is newer than the stamp, the build is out of date. */
const inputs = ["src", "packages/org/src", "scripts", "package.json", "package-lock.json"].map((name) =>
  join(root, name),
);
/** What checks and tests use and a build does not: `scripts/node` installs it, `./passepartout` does not. */
const checkers = [
  "@biomejs/biome",
  "@modelcontextprotocol/server-everything",
  "@modelcontextprotocol/server-filesystem",
  "@types/node",
  "fast-check",
  "knip",
  "oxlint",
  "oxlint-tsgolint",
  "typescript",
];
/** Its presence says that the checkers are installed too. */
const checkersStamp = join(root, "node_modules", ".checkers");

/** A set-up that cannot go on, in words for the person who started it. */
class SetupProblem extends Error {}

/** @param {string} text */
const tell = (text) => process.stderr.write(`passepartout: ${text}\n`);

/**
 * @param {{ clean: boolean, checks: boolean }} options `clean` builds even where the build is up to date; `checks`
 * installs what checks and tests use, too.
 */
async function setUp({ clean, checks }) {
  mkdirSync(own, { recursive: true });
  const release = await holdLock(join(own, "lock"), tell);
  process.once("exit", release);
  sweepWorkshops();
  mkdirSync(workshop);
  if (!isNodeReady()) await installNode();
  const all = checks || existsSync(checkersStamp);
  if (!areDependenciesReady(all)) await installDependencies(all);
  if (all) writeFileSync(checkersStamp, "");
  if (clean || !isBuildReady()) await build();
  rmSync(workshop, { recursive: true, force: true });
}

function sweepWorkshops() {
  for (const name of readdirSync(own)) {
    const maker = Number(/^new-(\d+)$/.exec(name)?.[1] ?? process.pid);
    if (maker !== process.pid && !isRunning(maker)) rmSync(join(own, name), { recursive: true, force: true });
  }
  rmSync(workshop, { recursive: true, force: true });
}

function platformNode() {
  /** @type {Record<string, { package: string, version: string, integrity: string } | undefined>} */
  const platforms = readJson(join(root, "scripts", "node-platforms.json"));
  return platforms[`${process.platform}-${process.arch}`];
}

function isNodeReady() {
  if (!existsSync(nodeBinary)) return false;
  const wanted = platformNode();
  if (wanted === undefined) return isInRange(engines(), versionOf(nodeBinary));
  const file = join(own, "node", "node_modules", wanted.package, "package.json");
  if (!existsSync(file)) return false;
  /** @type {{ version: string }} */
  const manifest = readJson(file);
  return manifest.version === wanted.version;
}

/** The versions of Node that no known advisory concerns, as package.json names them. */
function engines() {
  /** @type {{ engines: { node: string } }} */
  const manifest = readJson(join(root, "package.json"));
  return manifest.engines.node;
}

/** For a platform without a package: the machine's own Node, the first on PATH that is safe, else the first that can run the program, which is said. */
function findMachineNode() {
  const places = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "node"));
  const found = places
    .filter((place) => existsSync(place) && !place.startsWith(own))
    .map((place) => ({ place, version: versionOf(place) }));
  const safe = found.find(({ version }) => isInRange(engines(), version));
  const known = `no fixed Node is packaged for ${process.platform}-${process.arch}`;
  const help = `install Node ${engines()} and put it first on PATH`;
  if (safe !== undefined) return safe.place;
  const usable = found.find(({ version }) => isInRange(">=24.0.0", version));
  if (usable === undefined) throw new SetupProblem(`${known}: ${help}, and start again`);
  tell(`${known}, and Node ${usable.version} has a known advisory (passepartout doctor names it): ${help}`);
  return usable.place;
}

async function installNode() {
  const folder = join(workshop, "node");
  mkdirSync(folder);
  const wanted = platformNode();
  if (wanted === undefined) {
    mkdirSync(join(folder, "node_modules", ".bin"), { recursive: true });
    symlinkSync(findMachineNode(), join(folder, "node_modules", ".bin", "node"));
  } else {
    tell(
      `installing Node ${wanted.version} into .passepartout/ (only now; 60 MB to load, 145 MB on the disk)`,
    );
    const dependencies = { [wanted.package]: wanted.version };
    const entry = { version: wanted.version, integrity: wanted.integrity, bin: { node: "bin/node" } };
    writeJson(join(folder, "package.json"), { private: true, dependencies });
    writeJson(join(folder, "package-lock.json"), {
      lockfileVersion: 3,
      packages: { "": { dependencies }, [`node_modules/${wanted.package}`]: entry },
    });
    await runNpm(folder, `Node ${wanted.version}`, process.env["PATH"] ?? "");
    // Headers for add-ons in C++, which nothing here has.
    rmSync(join(folder, "node_modules", wanted.package, "include"), { recursive: true, force: true });
  }
  await run(join(folder, "node_modules", ".bin", "node"), ["--version"], {
    failure: "the installed Node does not run on this machine",
    stdout: "ignore",
  });
  swap(folder, join(own, "node"));
}

/** @typedef {{ version: string, integrity: string, optional?: boolean, link?: boolean, dependencies?: Names, devDependencies?: Names, optionalDependencies?: Names, peerDependencies?: Names }} LockEntry */
/** @typedef {Record<string, string>} Names */
/** @typedef {{ packages: Record<string, LockEntry> }} Lock */

/**
 * The part of the lock file that is installed: all of it, or what is left without the checkers and what only they need.
 * @param {boolean} all @returns {Lock}
 */
function readLock(all) {
  /** @type {Lock} */
  const lock = readJson(join(root, "package-lock.json"));
  if (all) return lock;
  const top = lock.packages[""];
  if (top !== undefined) top.devDependencies = without(top.devDependencies ?? {}, checkers);
  const needed = new Set([""]);
  /** @param {string} place */
  const follow = (place) => {
    const entry = lock.packages[place];
    const own = place === "" ? entry?.devDependencies : entry?.peerDependencies;
    for (const name of Object.keys({ ...entry?.dependencies, ...entry?.optionalDependencies, ...own })) {
      const found = findLocked(lock, place, name);
      if (found === null || needed.has(found)) continue;
      needed.add(found);
      follow(found);
    }
  };
  follow("");
  for (const [place, entry] of Object.entries(lock.packages)) {
    const workspace = entry.link === true || !place.includes("node_modules/");
    if (!workspace && !needed.has(place)) delete lock.packages[place];
  }
  return lock;
}

/**
 * Where a package finds another, as Node looks for it: in its own node_modules, then in those above.
 * @param {Lock} lock @param {string} place @param {string} name @returns {string | null}
 */
function findLocked(lock, place, name) {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const candidate = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (lock.packages[candidate] !== undefined) return candidate;
    if (folder === "") return null;
  }
}

/** @param {Names} names @param {readonly string[]} dropped @returns {Names} */
function without(names, dropped) {
  return Object.fromEntries(Object.entries(names).filter(([name]) => !dropped.includes(name)));
}

/** True where npm's own record of what it installed has every package that is wanted. @param {boolean} all */
function areDependenciesReady(all) {
  const record = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(record)) return false;
  /** @type {Lock} */
  const installed = readJson(record);
  const locked = readLock(all);
  const same = Object.entries(locked.packages).every(([name, entry]) => {
    const found = installed.packages[name];
    if (name === "" || (found === undefined && entry.optional)) return true;
    return found !== undefined && found.version === entry.version && found.integrity === entry.integrity;
  });
  return same && Object.keys(installed.packages).every((name) => locked.packages[name] !== undefined);
}

/** @param {boolean} all */
async function installDependencies(all) {
  const size = all ? "325 MB on the disk, with what checks and tests use" : "110 MB on the disk";
  tell(`installing the locked dependencies into node_modules/ (${size})`);
  const folder = join(workshop, "dependencies");
  mkdirSync(folder);
  /** @type {{ devDependencies: Names }} */
  const manifest = readJson(join(root, "package.json"));
  if (!all) manifest.devDependencies = without(manifest.devDependencies, checkers);
  writeJson(join(folder, "package.json"), manifest);
  writeJson(join(folder, "package-lock.json"), readLock(all));
  cpSync(join(root, ".npmrc"), join(folder, ".npmrc"));
  // npm links a workspace only where its manifest is; the link is relative, so that it leads into the clone once it is moved there.
  for (const name of readdirSync(join(root, "packages")))
    cpSync(join(root, "packages", name, "package.json"), join(folder, "packages", name, "package.json"));
  await runNpm(folder, "the dependencies", `${dirname(nodeBinary)}${delimiter}${process.env["PATH"] ?? ""}`);
  swap(join(folder, "node_modules"), join(root, "node_modules"));
}

function isBuildReady() {
  const stamp = join(root, "dist", ".built");
  const main = statSync(join(root, "dist", "main.js"), { throwIfNoEntry: false });
  // A power cut can leave an empty file.
  if (main === undefined || main.size === 0 || !existsSync(stamp)) return false;
  return newest(inputs) <= statSync(stamp).mtimeMs;
}

async function build() {
  tell("building");
  const folder = join(workshop, "dist");
  const started = new Date(Math.max(Date.now(), newest(inputs) + 1));
  await run(nodeBinary, [join(root, "scripts", "build.ts"), folder], { failure: "the build failed" });
  const dist = join(root, "dist");
  writeFileSync(join(folder, ".built"), "");
  utimesSync(join(folder, ".built"), started, started);
  swap(folder, dist);
  await run(nodeBinary, [join(dist, "main.js"), "--version"], {
    failure: "the build does not start",
    stdout: "ignore",
  });
}

/** @param {readonly string[]} paths @returns {number} the newest modification, in milliseconds; tests are not built */
function newest(paths) {
  const times = paths.map((path) => {
    if (path.endsWith(".test.ts")) return 0;
    const entry = statSync(path);
    const below = entry.isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [];
    return Math.max(entry.mtimeMs, newest(below));
  });
  return Math.max(0, ...times);
}

/** @param {string} fresh @param {string} place */
function swap(fresh, place) {
  const old = `${fresh}-old`;
  if (existsSync(place)) renameSync(place, old);
  renameSync(fresh, place);
  rmSync(old, { recursive: true, force: true });
}

/** @param {string} cwd @param {string} what @param {string} path */
async function runNpm(cwd, what, path) {
  const cache = process.env["PASSEPARTOUT_NPM_CACHE"] ?? join(workshop, "npm-cache");
  const options = [
    "--ignore-scripts",
    "--include=dev",
    "--include=optional",
    "--no-dry-run",
    "--global=false",
  ];
  const quiet = [
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--no-progress",
    "--loglevel=error",
    "--logs-max=0",
    "--fetch-timeout=60000",
    "--fetch-retries=2",
    "--fetch-retry-mintimeout=1000",
    "--fetch-retry-maxtimeout=4000",
  ];
  const started = Date.now();
  const progress = setInterval(() => {
    tell(`npm still installs ${what} (${Math.round((Date.now() - started) / 1000)} s)`);
  }, 5000);
  await run("npm", ["ci", ...options, ...quiet, `--cache=${cache}`, `--prefix=${cwd}`], {
    failure: `npm could not install ${what}`,
    cwd,
    env: { ...process.env, PATH: path },
  }).finally(() => clearInterval(progress));
}

/**
 * Runs a program to its end with everything it prints on standard error; a signal that ends set-up ends it first.
 * @param {string} program @param {readonly string[]} args
 * @param {{ failure: string, stdout?: "ignore", cwd?: string, env?: NodeJS.ProcessEnv }} options
 */
async function run(program, args, { failure, stdout, cwd = root, env = process.env }) {
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", stdout ?? 2, 2] });
  const end = () => child.kill();
  process.once("exit", end);
  try {
    await new Promise((done, fail) => {
      child.once("error", (cause) => {
        fail(new SetupProblem(`${failure}: ${program} could not be started (${cause.message})`));
      });
      child.once("exit", (code, signal) => {
        if (code === 0) done(undefined);
        else fail(new SetupProblem(`${failure} (${signal ?? `exit code ${code}`}); what it said is above`));
      });
    });
  } finally {
    process.off("exit", end);
  }
}

/** @template T @param {string} file @returns {T} */
function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** @param {string} file @param {unknown} value */
function writeJson(file, value) {
  writeFileSync(file, JSON.stringify(value));
}

for (const [signal, code] of /** @type {const} */ ([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
])) {
  process.once(signal, () => process.exit(code));
}
try {
  await setUp({ clean: process.argv.includes("--clean"), checks: process.argv.includes("--checks") });
} catch (error) {
  tell(
    `set-up stopped: ${error instanceof SetupProblem ? error.message : String(error)}; mend that and start again`,
  );
  process.exitCode = 1;
}
