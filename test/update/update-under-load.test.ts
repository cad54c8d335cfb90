import assert from "node:assert/strict";
import { cpSync, existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type AgentWorld, calls, journalOf, makeWorld } from "../agent-world.ts";
import { startCommand } from "../daemon/live-command.ts";
import { removeFolder } from "../remove-folder.ts";
import { installPackage, makeVersion, packWorkingTree, replacePackage } from "./packed-versions.ts";

const folder = mkdtempSync(join(tmpdir(), "passepartout-update-"));
after(() => removeFolder(folder));
const packed = packWorkingTree(folder);
const next = makeVersion(packed, "0.2.0");
const installedOnce = join(folder, "prefix");
await installPackage(packed, { prefix: installedOnce, home: join(folder, "npm") });
let count = 0;

/** The package of the working tree, installed in a place of its own. */
function installed() {
  count += 1;
  const prefix = `${installedOnce}-${count}`;
  cpSync(installedOnce, prefix, { recursive: true, verbatimSymlinks: true });
  return { prefix, command: join(prefix, "bin", "passepartout") };
}

/** Calls of which each loads a part of the program, or starts one in a process or thread of its own. */
const work = [
  ["shell", { cmd: "ls -l | head -1" }],
  ["eval", { code: "6 * 7" }],
  ["write-file", { path: "made.txt", content: "made\n" }],
  ["search-files", { pattern: "made" }],
] as const;

test("a turn, an open client and a new one are answered while npm replaces the program under its daemon", async (t) => {
  const updated = Promise.withResolvers<void>();
  const world = await makeWorld(
    t,
    [
      { ...calls(...work), after: updated.promise },
      { text: "All four were done." },
      { text: "Still here." },
      { text: "And for the new one." },
    ],
    { PASSEPARTOUT_NODE: process.execPath, TOOL_PERMISSIONS: "write-file=allow" },
  );
  const { command, prefix } = installed();
  const daemon = startCommand(t, world, ["daemon", "--port", "0"], [command]);
  await daemon.printed(/Listening on/);
  const asked = startCommand(t, world, ["ask", "--json", "do", "all", "four"], [command]);
  const open = startCommand(t, world, ["cli"], [command]);
  await open.printed(/\/help lists/);
  await world.provider.reached(1);
  await installPackage(next, { prefix, home: join(folder, "npm") });
  updated.resolve();
  const { code, out, err } = await asked.end;
  assert.equal(code, 0, `${out}${err}`);
  assert.match(out, /All four were done\./);
  assert.deepEqual(outcomesIn(world), ["success", "success", "success", "success"]);
  open.type("are you there?\n");
  await open.printed(/Still here\./);
  const fresh = startCommand(t, world, ["ask", "hello"], [command]);
  assert.match((await fresh.end).out, /And for the new one\./);
  assert.ok(existsSync(world.path("made.txt")));
  daemon.signal("SIGTERM");
  const end = await daemon.end;
  assert.doesNotMatch(end.err, /Cannot find|undone/);
});

test("a daemon says that a version is installed, and gives way to it in the same process when nothing runs", async (t) => {
  const updated = Promise.withResolvers<void>();
  const world = await makeWorld(
    t,
    [{ text: "Said by the old one.", after: updated.promise }, { text: "Said by the new one." }],
    { PASSEPARTOUT_NODE: process.execPath },
  );
  const { command, prefix } = installed();
  const daemon = startCommand(t, world, ["daemon", "--port", "0"], [command]);
  await daemon.printed(/Listening on/);
  const open = startCommand(t, world, ["cli"], [command]);
  await open.printed(/with the daemon 0\.1\.0/);
  open.type("hello\n");
  await world.provider.reached(1);
  replacePackage(next, prefix);
  const fresh = startCommand(t, world, ["cli"], [command]);
  await fresh.printed(/The daemon is version 0\.1\.0 and this program 0\.2\.0/);
  await fresh.printed(
    /Version 0\.2\.0 is installed\. The agent \(version 0\.1\.0\) gives way to it when nothing runs/,
  );
  updated.resolve();
  await open.printed(/Said by the old one\./);
  await daemon.printed(/Listening on[\s\S]+Listening on/);
  open.type("and now?\n");
  await open.printed(/Said by the new one\./);
  await open.printed(/The daemon is version 0\.2\.0, newer than this program \(0\.1\.0\)/);
  const last = startCommand(t, world, ["cli"], [command]);
  await last.printed(/with the daemon 0\.2\.0/);
  daemon.signal("SIGTERM");
  assert.equal((await daemon.end).code, 0);
});

test("update back uses the version before again, in every start and in the daemon, until forward or the next update", async (t) => {
  const world = await makeWorld(t, [], { PASSEPARTOUT_NODE: process.execPath });
  const { command, prefix } = installed();
  const run = async (...args: readonly string[]) => startCommand(t, world, args, [command]).end;
  assert.equal((await run("update", "back")).code, 1);
  replacePackage(next, prefix);
  const daemon = startCommand(t, world, ["daemon", "--port", "0"], [command]);
  await daemon.printed(/Listening on/);
  assert.match((await run("update")).out, /Used: 0\.2\.0-made[\s\S]*Before: 0\.1\.0-/);
  assert.match((await run("update", "back")).out, /Version 0\.1\.0 \(.*\) is used from the next start on/);
  const status = (await run("update")).out;
  assert.match(status, /Used: 0\.1\.0-.*\nTo use the installed version again: passepartout update forward/);
  assert.doesNotMatch(status, /update back/);
  const first = startCommand(t, world, ["cli"], [command]);
  // The daemon may have noticed before, when its own check of its health connected.
  await first.printed(/^Passepartout 0\.1\.0, with the daemon 0\.[12]\.0/m);
  await daemon.printed(/Version 0\.1\.0 is to be used again[\s\S]+Listening on/);
  const second = startCommand(t, world, ["cli"], [command]);
  await second.printed(/with the daemon 0\.1\.0/);
  assert.equal((await run("update", "forward")).code, 0);
  assert.match((await run("update", "--json")).out, /"used":"0\.2\.0-made"/);
});

test("a version that does not start takes nothing over, and update back leaves it", async (t) => {
  const world = await makeWorld(t, [{ text: "Still answered." }, { text: "Answered after it." }], {
    PASSEPARTOUT_NODE: process.execPath,
    HEARTBEAT_INTERVAL: "1",
  });
  const { command, prefix } = installed();
  const daemon = startCommand(t, world, ["daemon", "--port", "0"], [command]);
  await daemon.printed(/Listening on/);
  const open = startCommand(t, world, ["cli"], [command]);
  await open.printed(/\/help lists/);
  replacePackage(
    makeVersion(packed, "0.3.0", (dist) => writeFileSync(join(dist, "app.js"), 'import "./no.js";')),
    prefix,
  );
  const run = async (...args: readonly string[]) => startCommand(t, world, args, [command]).end;
  assert.match(
    (await run("ask", "hello")).err,
    /To use the version before it again: passepartout update back/,
  );
  open.type("are you there?\n");
  await open.printed(/Still answered\./);
  await daemon.printed(/Version 0\.3\.0 is installed, and cannot take over/);
  assert.match((await run("update", "back")).out, /Version 0\.1\.0 \(.*\) is used from the next start on/);
  assert.match((await run("ask", "hello")).out, /Answered after it\./);
});

/** How the calls of a world ended. */
function outcomesIn(world: AgentWorld): readonly unknown[] {
  return journalOf(world)
    .filter(({ kind, detail }) => kind === "outcome" && detail["event"] === undefined)
    .map(({ detail }) => detail["status"]);
}
