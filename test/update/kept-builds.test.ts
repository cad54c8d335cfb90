import assert from "node:assert/strict";
import {
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { calls, journalOf, makeWorld } from "../agent-world.ts";
import { startCommand } from "../daemon/live-command.ts";
import type { Step } from "../loopback-provider.ts";
import { removeFolder } from "../remove-folder.ts";
import { installPackage, makeVersion, packWorkingTree, replacePackage } from "./packed-versions.ts";

const folder = mkdtempSync(join(tmpdir(), "passepartout-builds-"));
after(() => removeFolder(folder));
const packed = packWorkingTree(folder);
const place = { prefix: join(folder, "prefix"), home: join(folder, "npm") };
const command = await installPackage(packed, place);
const package_ = join(place.prefix, "lib", "node_modules", "passepartout");
const runtime = join(package_, "runtime", "bin", "node");

/** Someone who has the package, and where the builds that run are kept. */
async function makeUser(
  t: TestContext,
  steps: readonly Step[],
  settings: Readonly<Record<string, string | undefined>> = { PASSEPARTOUT_NODE: process.execPath },
) {
  const world = await makeWorld(t, steps, settings);
  const start = (...args: readonly string[]) => startCommand(t, world, args, [command]);
  return { world, start, builds: join(world.home, ".local/state/passepartout-builds") };
}

test("doctor says that the builds cannot be kept, why, and what to do, and nothing once they can", async (t) => {
  const { world, start, builds } = await makeUser(t, []);
  mkdirSync(world.state, { recursive: true, mode: 0o700 });
  writeFileSync(builds, "");
  const { out } = await start("doctor", "--quick").end;
  const said = out.replaceAll(/\s+/g, " ");
  assert.match(
    said,
    /updates.*cannot be kept in .*passepartout-builds \(.*\)\. Move what is in its place away/,
  );
  assert.match(said, /Until then stop the agent before you update/);
  rmSync(builds);
  assert.doesNotMatch((await start("doctor", "--quick").end).out, /updates/);
});

const isRoot = process.getuid?.() === 0;

if (isRoot)
  test("doctor says that the folder of builds is somebody else's", async (t) => {
    const { world, builds } = await makeUser(t, []);
    for (const path of [folder, place.prefix, world.home, world.workspace]) chownSync(path, 65534, 65534);
    mkdirSync(builds, { recursive: true, mode: 0o755 });
    for (const path of [join(world.home, ".local"), join(world.home, ".local/state")])
      chownSync(path, 65534, 65534);
    const program = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", command];
    const { out } = await startCommand(t, world, ["doctor", "--quick"], program).end;
    assert.match(
      out.replaceAll(/\s+/g, " "),
      /updates.*\(EACCES.*Give this folder, and what is in it, to your user/,
    );
  });

test("purge names the folder of the builds, removes it as its last act, and nothing while a process runs on one", async (t) => {
  const { start, builds } = await makeUser(t, []);
  const daemon = start("daemon", "--port", "0");
  await daemon.printed(/Listening on/);
  const refused = await start("purge", "--yes").end;
  assert.equal(refused.code, 1);
  assert.match(
    refused.err,
    /This program still runs \(process [\d, ]+\), on a build in .* nothing was removed/,
  );
  daemon.signal("SIGTERM");
  await daemon.end;
  assert.match(
    (await start("purge", "--dry-run").end).out,
    /passepartout-builds: builds that the program runs on/,
  );
  const { code, err } = await start("purge", "--yes").end;
  assert.equal(code, 0, err);
  assert.deepEqual([existsSync(builds), readdirSync(dirname(builds))], [false, []]);
});

test("what ran before runs on where a file of the installation is missing, whichever the start does not consist of", async (t) => {
  const { start } = await makeUser(t, []);
  const run = async (): Promise<void> => {
    const { code, err } = await start("completion", "bash").end;
    assert.equal(code, 0, err);
  };
  await run();
  const dist = join(package_, "dist");
  assert.deepEqual(importsOf(join(dist, "boot.js")), [], "the start shares no file with what it starts");
  const base = readdirSync(dist).filter((name) => name.startsWith("base-"));
  assert.equal(base.length, 1);
  const [from, to] = [join(dist, String(base[0])), join(folder, "base")];
  renameSync(from, to);
  await run().finally(() => renameSync(to, from));
});

/** The files beside a module that it imports. */
function importsOf(module: string): readonly string[] {
  return [...readFileSync(module, "utf8").matchAll(/^import .* from "(\.[^"]*)";$/gm)].map(
    ([, file = ""]) => file,
  );
}

test("what runs keeps the Node that its package brought, and the next one brings its own", async (t) => {
  const bringNode = (): void => {
    mkdirSync(dirname(runtime), { recursive: true });
    linkOrCopy(realpathSync(process.execPath), runtime);
  };
  bringNode();
  const updated = Promise.withResolvers<void>();
  const work = calls(["shell", { cmd: "ls | head -1" }], ["eval", { code: "6 * 7" }]);
  const { world, start, builds } = await makeUser(
    t,
    [{ ...work, after: updated.promise }, { text: "Both." }],
    {
      PATH: "/usr/bin:/bin",
    },
  );
  const daemon = start("daemon", "--port", "0");
  await daemon.printed(/Listening on/);
  const nodes = (): readonly string[] =>
    readdirSync(builds)
      .filter((name) => existsSync(join(builds, name, "runtime/bin/node")))
      .map((name) => name.replace(/^\w+-/, ""));
  assert.equal(nodes().length, 1);
  const asked = start("ask", "do", "both");
  await world.provider.reached(1);
  replacePackage(makeVersion(packed, "0.2.0"), place.prefix);
  assert.equal(existsSync(runtime), false);
  bringNode();
  updated.resolve();
  const { code, err } = await asked.end;
  assert.equal(code, 0, err);
  const outcomes = journalOf(world).filter(
    ({ kind, detail }) => kind === "outcome" && detail["event"] === undefined,
  );
  assert.deepEqual(
    outcomes.map(({ detail }) => detail["status"]),
    ["success", "success"],
  );
  await daemon.printed(/Listening on[\s\S]+Listening on/);
  assert.deepEqual(
    nodes()
      .toSorted()
      .map((name) => name.slice(0, 5)),
    ["0.1.0", "0.2.0"],
  );
  daemon.signal("SIGTERM");
  assert.equal((await daemon.end).code, 0);
});

test("a daemon that is told to end while it hands over ends", async (t) => {
  const { start } = await makeUser(t, []);
  const daemon = start("daemon", "--port", "0");
  await daemon.printed(/Listening on/);
  replacePackage(makeVersion(packed, "0.3.0"), place.prefix);
  const asked = start("ask", "/status");
  await daemon.printed(/gives way/);
  daemon.signal("SIGTERM");
  const again = daemon.printed(/Listening on[\s\S]+Listening on/);
  const ended = await Promise.race([daemon.end, again.then(() => null)]);
  assert.equal(ended?.code, 0, "it went on as the version that was installed");
  await asked.end;
});

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EXDEV")) throw error;
    copyFileSync(from, to);
  }
}
