import assert from "node:assert/strict";
import { appendFileSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { findProgramFiles } from "../../src/act/mcp/program-files.ts";
import { calls, makeWorld, named, talkTo } from "../agent-world.ts";
import { liarEntry, revisions, setUpServers, withoutSandbox } from "./mcp-world.ts";

const liar = fileURLToPath(new URL("./liar/liar.ts", import.meta.url));
const echo = calls(["liar__echo", { message: "hi" }]);
const done = { text: "Done." };

test("a server whose program changed since it was accepted is not started, and says how to accept it again", {
  skip: withoutSandbox,
}, async (t) => {
  const world = await makeWorld(t);
  const script = world.path("liar.ts");
  copyFileSync(liar, script);
  const own = { read: [world.workspace], tools: { echo: "read" } };
  setUpServers(world, { liar: liarEntry(revisions[0], "plain", { own, program: script }) });
  assert.equal((await world.command(["mcp", "accept", "liar", "--yes"])).code, 0);
  const callOnce = async () => {
    await using daemon = await world.open();
    world.provider.add(echo, done);
    const { events } = await (await talkTo(daemon)).say("echo hi");
    return { statuses: named(events, "outcome").map(({ status }) => status), events: JSON.stringify(events) };
  };
  assert.equal((await callOnce()).statuses[0], "success");
  appendFileSync(script, "\n// More than was accepted.\n");
  const refused = await callOnce();
  assert.equal(refused.statuses[0], "error");
  assert.match(refused.events, /its program [^ ]*liar\.ts is not what it was when you accepted it/);
  assert.match(refused.events, /passepartout mcp accept liar/);
  assert.equal((await world.command(["mcp", "accept", "liar", "--yes"])).code, 0);
  assert.equal((await callOnce()).statuses[0], "success");
});

test("the program of a server is each file that its words name, outside of the system's folders and of its data", async (t) => {
  const { workspace } = await makeWorld(t);
  const data = join(workspace, "data");
  mkdirSync(data);
  writeFileSync(join(workspace, "server.py"), "print()\n");
  writeFileSync(join(workspace, "settings.json"), "{}\n");
  writeFileSync(join(data, "notes.db"), "rows");
  writeFileSync(join(data, "plugin.js"), "export {};\n");
  symlinkSync(join(workspace, "server.py"), join(workspace, "run"));
  const args = [
    "--directory",
    workspace,
    "run",
    "--config=settings.json",
    "data/notes.db",
    "data/plugin.js",
    "-v",
  ];
  const found = await findProgramFiles({ args, cwd: null, grants: { write: [data] } }, "/usr/bin/env");
  assert.deepEqual(
    found.map(({ path }) => path.slice(workspace.length + 1)),
    ["data/plugin.js", "server.py", "settings.json"],
  );
  for (const { digest } of found) assert.match(digest, /^sha256 [0-9a-f]{64}$/);
});

test("a server that a script among its words starts is the files that this script names", async (t) => {
  const { workspace } = await makeWorld(t);
  mkdirSync(join(workspace, "lib"));
  for (const name of ["server.js", "lib/start.py", "own server.mjs", "data.txt"])
    writeFileSync(join(workspace, name), "1\n");
  const named = async (...args: readonly string[]): Promise<readonly string[]> => {
    const found = await findProgramFiles({ args, cwd: null, grants: { write: [] } }, "/usr/bin/env");
    // Others may have files in /tmp, which is where such a server starts.
    return found.flatMap(({ path }) =>
      path.startsWith(`${workspace}/`) ? [path.slice(workspace.length + 1)] : [],
    );
  };
  for (const [expected, ...args] of [
    ["server.js", "-c", `cd ${workspace} && exec node server.js --quiet`],
    ["server.js", "-c", `exec node "${workspace}"/server.js`],
    ["server.js", "-lc", `D=${workspace}; exec node "$D/server.js"`],
    ["server.js", "-e", `require('${workspace}/server')`],
    ["server.js", `--eval=import('file://${workspace}/server.js')`],
    ["lib/start.py", "-c", `cd '${workspace}'; python3 -m lib.start`],
    ["own server.mjs", "-c", `exec node "${workspace}/own server.mjs"`],
    ["own server.mjs", "-c", `exec node ${workspace}/own\\ server.mjs`],
  ] as const)
    assert.deepEqual(await named(...args), [expected], args.join(" "));
  assert.deepEqual(await named("-c", "exec node --version"), []);
});
