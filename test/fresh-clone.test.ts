import assert from "node:assert/strict";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import manifest from "../package.json" with { type: "json" };
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
const launch = (onError?: (said: string) => void) =>
  start("./passepartout", ["--version"], { cwd: clone, env: person, ...(onError && { onError }) });
const touch = (file: string) => utimesSync(file, new Date(), new Date());
after(() => rmSync(folder, { recursive: true }));

let first: readonly Ended[] = [];
before(async () => {
  if (!missing) first = await Promise.all([launch().ended, launch().ended]);
});

test("two first starts at once both work, and set up on standard error only", { skip }, () => {
  for (const { code, stdout, stderr } of first) {
    assert.equal(code, 0, stderr);
    assert.equal(stdout, version);
  }
  assert.match(
    first.map(({ stderr }) => stderr).join(""),
    /installing Node 24.*waiting for it|waiting for it.*installing Node 24/s,
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

test("a set-up that reaches no registry ends with what failed", { skip }, async () => {
  const lonely = makeFreshClone();
  after(() => rmSync(lonely.folder, { recursive: true }));
  const env = {
    ...personWith(lonely.home, path),
    npm_config_registry: "http://127.0.0.1:1/",
    PASSEPARTOUT_NPM_CACHE: join(lonely.folder, "cache"),
  };
  const { code, stdout, stderr } = await start("./passepartout", ["--version"], { cwd: lonely.clone, env })
    .ended;
  assert.equal(code, 1);
  assert.equal(stdout, "");
  assert.match(stderr, /installing Node 24.*npm could not install Node 24.*start again/s);
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

test("a changed source is built once, and a changed test is not", { skip }, async () => {
  touch(main);
  assert.match((await launch().ended).stderr, /^passepartout: building\n$/);
  assert.equal((await launch().ended).stderr, "");
  appendFileSync(join(clone, "src", "reason", "reply-stream.test.ts"), "\n");
  assert.equal((await launch().ended).stderr, "");
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
