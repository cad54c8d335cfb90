import assert from "node:assert/strict";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { type AgentWorld, makeWorld } from "../agent-world.ts";
import { startDaemon } from "./daemon-process.ts";

function runtimeOf(world: AgentWorld): Readonly<Record<string, string>> {
  const folder = join(world.home, "runtime");
  mkdirSync(folder, { mode: 0o700 });
  return { XDG_RUNTIME_DIR: folder };
}

for (const [who, daemonHas] of [
  ["a service and a command of cron", true],
  ["a daemon of cron and a command of the desktop", false],
] as const)
  test(`${who} find each other, though one of them has no XDG_RUNTIME_DIR`, async (t) => {
    const world = await makeWorld(t, [{ text: "Found.", repeat: true }]);
    const runtime = runtimeOf(world);
    const daemon = await startDaemon(t, world, daemonHas ? { settings: runtime } : {});
    const settings = daemonHas ? {} : runtime;
    assert.equal((await world.command(["ask", "hello"], { settings })).out, "Found.\n");
    const sessions = await world.command(["sessions", "--json"], { settings });
    assert.equal(sessions.code, 0, sessions.err);
    const vault = await world.command(["vault", "status"], { settings });
    assert.match(vault.out, /In the running agent/);
    const doctor = await world.command(["doctor", "--quick"], { settings });
    assert.ok(doctor.out.includes(`answers at ${daemon.socketPath}`), doctor.out);
  });

test("a holder of the state that cannot be reached is named with its socket, and nobody calls it absent", async (t) => {
  const world = await makeWorld(t, [{ text: "Never.", repeat: true }]);
  const runtime = runtimeOf(world);
  const daemon = await startDaemon(t, world, { settings: runtime });
  renameSync(daemon.socketPath, `${daemon.socketPath}-away`);
  const asked = await world.command(["ask", "hello"]);
  assert.equal(asked.code, 1);
  assert.match(
    asked.err,
    new RegExp(`in use by process ${daemon.pid}, which listens at ${daemon.socketPath}`),
  );
  const vault = await world.command(["vault", "status"]);
  assert.match(vault.out, new RegExp(`process ${daemon.pid} uses the state .* does not answer`));
  assert.doesNotMatch(vault.out, /No agent is running/);
  const doctor = await world.command(["doctor", "--quick"]);
  assert.match(doctor.out, new RegExp(`process ${daemon.pid} .* nothing answers at ${daemon.socketPath}`));
});

test("a socket that the state names and another program listens on gets no words", async (t) => {
  const world = await makeWorld(t, [{ text: "Answered here.", repeat: true }]);
  assert.equal((await world.command(["ask", "hello"])).code, 0);
  const path = join(world.home, "other.sock");
  const heard: string[] = [];
  const server = createServer((socket) =>
    socket.on("error", () => undefined).on("data", (bytes) => heard.push(bytes.toString())),
  );
  await new Promise<void>((resolve) => server.listen(path, resolve));
  t.after(() => server.close());
  writeFileSync(join(world.state, "lock.socket"), `${path}\n`);
  const doctor = await world.command(["doctor", "--quick"]);
  assert.match(doctor.out, /does not answer/);
  assert.doesNotMatch(heard.join(""), /hello/);
  const daemon = await startDaemon(t, world);
  assert.equal(readFileSync(join(world.state, "lock.socket"), "utf8"), `${daemon.socketPath}\n`);
  assert.equal((await world.command(["ask", "hello"])).out, "Answered here.\n");
});
