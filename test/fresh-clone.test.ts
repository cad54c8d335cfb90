import assert from "node:assert/strict";
import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import manifest from "../package.json" with { type: "json" };
import platforms from "../scripts/node-platforms.json" with { type: "json" };
import { type Ended, findOldNode, makeFreshClone, personWith, start } from "./fresh-clone.ts";

const version = `${manifest.version}\n`;
const system = "/usr/bin:/bin";
const oldNode = await findOldNode();
const missing = oldNode === null && process.env["CI"] !== "true";
const skip = missing
  ? "install Node 20 with npm and put it on PATH: set-up and packages are tested under it"
  : false;

const { folder, home, clone } = makeFreshClone();
const path = `${oldNode ?? "no Node older than 24 on PATH"}:${system}`;
const person = personWith(home, path);
const main = join(clone, "src", "main.ts");
/**
 * In the place of scripts/bundle.ts: what a program consists of is nothing to set-up, and to bundle ours
 * takes seconds.
 */
const smallBundle = `import { build } from "rolldown";
export async function bundle(folder) {
  const [input, output] = [{ app: "src/main.ts", main: "src/main.ts" }, { dir: folder, format: "esm" }];
  await build({ cwd: new URL("..", import.meta.url).pathname, input, output, platform: "node", logLevel: "warn" });
}
`;
const launch = (onError?: (said: string) => void) =>
  start("./passepartout", ["--version"], { cwd: clone, env: person, ...(onError && { onError }) });
/** The Node that is pinned for this machine. */
const platform = process.arch === "arm64" ? platforms["linux-arm64"] : platforms["linux-x64"];
const touch = (file: string) => utimesSync(file, new Date(), new Date());
after(() => rmSync(folder, { recursive: true }));

/** Settings with which npm reaches no registry, and has nothing of one. */
const nowhere = {
  npm_config_registry: "http://127.0.0.1:1/",
  PASSEPARTOUT_NPM_CACHE: join(folder, "cache"),
};

let lonely: Ended | null = null;
let first: readonly Ended[] = [];
before(async () => {
  if (missing) return;
  lonely = await start("./passepartout", ["--version"], { cwd: clone, env: { ...person, ...nowhere } }).ended;
  first = await Promise.all([launch().ended, launch().ended]);
});

test("a set-up that reaches no registry ends with what failed", { skip }, () => {
  assert.deepEqual([lonely?.code, lonely?.stdout], [1, ""]);
  assert.match(lonely?.stderr ?? "", /installing Node \d+.*npm could not install Node \d+.*start again/s);
});

test("two first starts at once both work, and set up on standard error only", { skip }, () => {
  for (const { code, stdout, stderr } of first) {
    assert.equal(code, 0, stderr);
    assert.equal(stdout, version);
  }
  assert.match(
    first.map(({ stderr }) => stderr).join(""),
    /installing Node \d+.*waiting for it|waiting for it.*installing Node \d+/s,
  );
});

test("set-up leaves the home as it was and nothing half made", { skip }, () => {
  assert.deepEqual(readdirSync(home), []);
  assert.deepEqual(readdirSync(join(clone, ".passepartout")), ["node"]);
});

test("a start installs what running needs, in at most 300 MB, and announces what it takes", {
  skip,
}, async () => {
  assert.equal(existsSync(join(clone, "node_modules", "typescript")), false);
  const said = first.map(({ stderr }) => stderr).join("");
  let announced = 0;
  for (const [, megabytes = ""] of said.matchAll(/(\d+) MB on the disk/g)) announced += Number(megabytes);
  const { stdout } = await start("du", ["-sm", ".passepartout", "node_modules", "dist"], {
    cwd: clone,
    env: person,
  }).ended;
  const [own = 0, modules = 0, dist = 0] = stdout.split("\n").map((line) => Number.parseInt(line, 10));
  assert.ok(own + modules + dist <= 300, stdout);
  const ratio = (own + modules) / announced;
  assert.ok(ratio > 0.8 && ratio < 1.25, `announced ${announced} MB, took ${own + modules} MB`);
});

test("a changed source is built once, and a changed test is not", { skip }, async () => {
  writeFileSync(join(clone, "scripts", "bundle.ts"), smallBundle);
  writeFileSync(main, `process.stdout.write(${JSON.stringify(version)});\n`);
  assert.equal((await launch().ended).stdout, version);
  touch(main);
  assert.match((await launch().ended).stderr, /^passepartout: building\n$/);
  assert.equal((await launch().ended).stderr, "");
  appendFileSync(join(clone, "src", "reason", "reply-stream.test.ts"), "\n");
  assert.equal((await launch().ended).stderr, "");
});

test("a build whose main file a power cut left empty is made again", { skip }, async () => {
  writeFileSync(join(clone, "dist", "main.js"), "");
  const { code, stdout } = await launch().ended;
  assert.equal(code, 0);
  assert.equal(stdout, version);
});

test("a second start sets nothing up", { skip }, async () => {
  assert.deepEqual(await launch().ended, { code: 0, stdout: version, stderr: "" });
});

test("a start through a link from elsewhere works", { skip }, async () => {
  symlinkSync(join(clone, "passepartout"), join(folder, "linked"));
  const { ended } = start(join(folder, "linked"), ["--version"], { cwd: home, env: person });
  assert.deepEqual(await ended, { code: 0, stdout: version, stderr: "" });
});

test("a start waits for another that sets up, and says so", { skip }, async () => {
  const lock = join(clone, ".passepartout", "lock");
  mkdirSync(lock);
  writeFileSync(join(lock, "holder"), String(process.pid));
  touch(main);
  const { ended } = launch((said) => {
    if (said.includes("waiting")) rmSync(lock, { recursive: true, force: true });
  });
  const { stdout, stderr } = await ended;
  assert.equal(stdout, version);
  assert.match(stderr, new RegExp(`process ${process.pid}\\) is setting up; waiting for it\n.*building`));
});

test("a set-up killed while it builds leaves the build before it, and the next start repairs", {
  skip,
}, async () => {
  const stale = readFileSync(join(clone, "dist", "app.js"), "utf8");
  appendFileSync(main, '\nexport const added = "by the test";\n');
  let pid = 0;
  const launched = launch((said) => {
    if (said.includes("building")) process.kill(-pid, "SIGKILL");
  });
  pid = launched.pid;
  assert.notEqual((await launched.ended).code, 0);
  assert.equal(readFileSync(join(clone, "dist", "app.js"), "utf8"), stale);
  assert.ok(existsSync(join(clone, ".passepartout", "lock", "holder")));
  const { stdout, stderr } = await launch().ended;
  assert.equal(stdout, version, stderr);
  assert.match(readFileSync(join(clone, "dist", "app.js"), "utf8"), /by the test/);
  assert.deepEqual(readdirSync(join(clone, ".passepartout")), ["node"]);
});

test("a source that does not build stops the start, says where, and leaves the build before it", {
  skip,
}, async () => {
  const source = readFileSync(main, "utf8");
  appendFileSync(main, '\nimport "./gone.ts";\n');
  const { code, stdout, stderr } = await launch().ended;
  assert.equal(code, 1);
  assert.equal(stdout, "");
  assert.match(stderr, /gone\.ts.*set-up stopped: the build failed/s);
  assert.ok(existsSync(join(clone, "dist", "main.js")));
  writeFileSync(main, source);
  assert.equal((await launch().ended).stdout, version);
});

test("npm start is the same command", { skip }, async () => {
  const { code, stdout } = await start("npm", ["start", "--silent", "--", "--version"], {
    cwd: clone,
    env: person,
  }).ended;
  assert.equal(code, 0);
  assert.equal(stdout, version);
});

test("a clone that has an older Node gets the pinned one at its next start, and a process on the old one keeps its file", {
  skip,
}, async () => {
  const folder = join(clone, ".passepartout", "node", "node_modules", platform.package);
  const [binary, record] = [join(folder, "bin", "node"), join(folder, "package.json")];
  const held = openSync(binary, "r");
  after(() => closeSync(held));
  const before = fstatSync(held);
  writeFileSync(record, JSON.stringify({ ...JSON.parse(readFileSync(record, "utf8")), version: "24.21.0" }));
  touch(join(clone, "scripts", "node-platforms.json"));
  const { stdout, stderr } = await launch().ended;
  assert.equal(stdout, version, stderr);
  assert.match(stderr, new RegExp(`installing Node ${platform.version} `));
  assert.notEqual(statSync(binary).ino, before.ino);
  const kept = fstatSync(held);
  assert.deepEqual([kept.size, kept.mtimeMs, kept.nlink], [before.size, before.mtimeMs, 0]);
  const run = await start(binary, ["--version"], { cwd: clone, env: person }).ended;
  assert.equal(run.stdout, `v${platform.version}\n`);
});

test("where no Node is packaged for a platform, the first safe one on PATH is used, else the first usable one, which is said", {
  skip,
}, async () => {
  const own = join(clone, ".passepartout", "node");
  const real = join(folder, "real-node");
  symlinkSync(realpathSync(process.execPath), real);
  const [safe, open] = [join(folder, "safe"), join(folder, "open")];
  const startWith = async (...folders: readonly string[]) => {
    rmSync(own, { recursive: true, force: true });
    touch(join(clone, "scripts", "node-platforms.json"));
    const env = { ...person, PATH: [...folders, path].join(delimiter) };
    const ended = await start("./passepartout", ["--version"], { cwd: clone, env }).ended;
    const linked = join(own, "node_modules", ".bin", "node");
    return { ...ended, node: existsSync(linked) ? readlinkSync(linked) : null };
  };
  for (const [place, said] of [
    [safe, `v${platform.version}`],
    [open, "v24.18.0"],
  ] as const) {
    mkdirSync(place);
    const script = `#!/bin/sh\n[ "$1" = --version ] && echo ${said} || exec "${real}" "$@"\n`;
    writeFileSync(join(place, "node"), script, { mode: 0o755 });
  }
  const table = join(clone, "scripts", "node-platforms.json");
  const packaged = readFileSync(table, "utf8");
  writeFileSync(table, "{}");
  const both = await startWith(open, safe);
  assert.deepEqual([both.stdout, both.node], [version, join(safe, "node")], both.stderr);
  assert.doesNotMatch(both.stderr, /advisory/);
  const onlyOpen = await startWith(open);
  assert.deepEqual([onlyOpen.stdout, onlyOpen.node], [version, join(open, "node")], onlyOpen.stderr);
  assert.match(onlyOpen.stderr, /no fixed Node is packaged for .*Node 24\.18\.0 has a known advisory/);
  const none = await startWith();
  assert.deepEqual([none.code, none.stdout, none.node], [1, "", null]);
  assert.match(none.stderr, /set-up stopped: no fixed Node is packaged for .*: install Node .*24\.22\.1/);
  writeFileSync(table, packaged);
});

const root = dirname(dirname(fileURLToPath(import.meta.url)));

test("the lock file names no download address, and every dependency has an exact version", () => {
  // npm names the folder of a workspace where it links to it; such a path leads to no other machine.
  const locked = readFileSync(join(root, "package-lock.json"), "utf8").replace(
    '"resolved": "packages/org",\n      "link": true',
    "",
  );
  assert.doesNotMatch(locked, /"resolved"|\.tgz/);
  for (const wanted of Object.values({ ...manifest.dependencies, ...manifest.devDependencies })) {
    assert.match(wanted, /^\d+\.\d+\.\d+$/);
  }
});
