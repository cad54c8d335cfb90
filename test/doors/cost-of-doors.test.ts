import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { openDoors } from "../../src/daemon/open-doors.ts";
import { type AgentWorld, makeWorld, onDatabase } from "../agent-world.ts";
import { makeChatWorld, until } from "./chat-world.ts";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** The modules that a daemon of the sources loads, from its start to its end, with one turn. */
async function modulesOf(t: TestContext, world: AgentWorld): Promise<readonly string[]> {
  const list = join(world.home, "loaded.txt");
  const hook = join(world.home, "hook.mjs");
  writeFileSync(
    hook,
    `import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(list)}, url + "\\n"); return next(url, context); } });
`,
  );
  const flags = ["--disable-warning=ExperimentalWarning", "--import", pathToFileURL(hook).href];
  const daemon = spawn(process.execPath, [...flags, main, "daemon", "--port", "0"], {
    env: world.environment,
    cwd: world.workspace,
    stdio: ["ignore", "ignore", "pipe"],
  });
  t.after(() => daemon.kill("SIGKILL"));
  const said: string[] = [];
  daemon.stderr.setEncoding("utf8").on("data", (text: string) => void said.push(text));
  await until("it listens", () => said.join("").includes("Listening on"));
  const asked = await world.command(["ask", "hello"]);
  assert.match(asked.out, /Hello\./, asked.err);
  daemon.kill("SIGTERM");
  await once(daemon, "close");
  return readFileSync(list, "utf8").split("\n");
}

const ofDoors = (url: string): boolean => /\/src\/doors\/(?:telegram|signal|chat\/(?!door-status))/.test(url);

test("of a door that is not set up nothing is loaded, at start and in a turn, and its tables are not made", async (t) => {
  const world = await makeWorld(t, [{ text: "Hello.", repeat: true }]);
  const loaded = await modulesOf(t, world);
  assert.ok(loaded.some((url) => url.endsWith("/src/daemon/open-doors.ts")));
  assert.deepEqual(loaded.filter(ofDoors), []);
  assert.deepEqual(onDatabase(world, "SELECT name FROM sqlite_schema WHERE name LIKE 'chat_%'"), []);
  const { world: other } = await makeChatWorld(t, [{ text: "Hello.", repeat: true }]);
  const withDoor = await modulesOf(t, other);
  assert.ok(withDoor.some((url) => url.endsWith("/src/doors/telegram/open-telegram.ts")));
  assert.deepEqual(
    withDoor.filter((url) => url.includes("/src/doors/signal/")),
    [],
  );
});

test("a door that cannot tell what waited is open once, however often it is looked at", async (t) => {
  const { world, fake, open } = await makeChatWorld(t);
  await using opened = await open({ settings: { DEFAULT_ACTUATOR: "telegram" } });
  await opened.doors[Symbol.asyncDispose]();
  fake.calls.length = 0;
  const agent = { ...opened.agent, untold: () => Promise.reject(new Error("the disk is gone")) };
  const { state, policy } = opened;
  await using doors = openDoors({ agent, state, policy, variables: world.environment });
  for (let looks = 0; looks < 3; looks += 1) await doors.look();
  await until("it receives", () => fake.calls.some(({ method }) => method === "getUpdates"));
  assert.equal(fake.calls.filter(({ method }) => method === "getMe").length, 1);
  assert.match(opened.warned.join(), /the disk is gone/);
});

test("an idle door waits in one request, and writes nothing while it waits", async (t) => {
  const { world, fake, open } = await makeChatWorld(t);
  fake.longestWait = 60_000;
  await using _ = await open();
  await until("it waits", () => fake.calls.some(({ method }) => method === "getUpdates"));
  const kept = () =>
    onDatabase(world, "SELECT name FROM sqlite_schema WHERE name LIKE 'chat_%' AND type = 'table'").map(
      ({ name }) => [name, onDatabase(world, `SELECT * FROM ${String(name)}`)],
    );
  const before = kept();
  await pause(1500);
  assert.deepEqual(
    fake.calls.map(({ method, given }) => [method, given["timeout"] ?? null]),
    [
      ["getMe", null],
      ["getUpdates", 50],
    ],
  );
  assert.deepEqual(kept(), before);
});
