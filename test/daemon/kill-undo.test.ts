import assert from "node:assert/strict";
import { chmodSync, existsSync, statSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { JsonObject } from "../../src/signal/json.ts";
import { type AgentWorld, calls, isMissing, makeWorld, onDatabase } from "../agent-world.ts";
import { type DaemonProcess, startDaemon } from "./daemon-process.ts";
import { listenTo, provedPeer, textOf } from "./wire-client.ts";

const names = Array.from({ length: 30 }, (_, index) => `part-${index}.txt`);
const source = names
  .map((name) => `#+begin_src text :tangle ${name}\nThese are the words of ${name}.\n#+end_src\n`)
  .join("");

const command = (action: string, id: string): JsonObject => ({
  type: "request",
  id,
  meta: { "session-id": "s" },
  payload: { action },
});

const there = (world: AgentWorld): number => names.filter((name) => existsSync(world.path(name))).length;

/** A daemon in whose session one call made all files. */
async function made(t: TestContext, call: readonly [name: string, args: object]) {
  const world = await makeWorld(t, [calls(call), { text: "Made." }], { TRIALS: "true" });
  writeFileSync(world.path("all.org"), source);
  const daemon = await startDaemon(t, world);
  const client = listenTo(t, world, daemon);
  await client.say("s", "make the files");
  await client.client.close();
  assert.equal(there(world), names.length);
  return { world, daemon };
}

/** Sends a command, kills the daemon once some of the files are changed, and not all, and gives the daemon that is started then. */
async function cutOff(
  t: TestContext,
  { world, daemon }: { readonly world: AgentWorld; readonly daemon: DaemonProcess },
  request: JsonObject,
): Promise<DaemonProcess> {
  const before = there(world);
  const peer = await provedPeer(t, world, daemon);
  peer.send(request);
  while (there(world) === before) await setImmediate();
  daemon.signal("SIGKILL");
  await daemon.end;
  const left = there(world);
  assert.ok(left > 0 && left < names.length, `${left} of ${names.length} files were there at the kill`);
  return startDaemon(t, world);
}

/** What a command came to, as the client hears it that repeats its request. */
async function repeated(t: TestContext, world: AgentWorld, daemon: DaemonProcess, request: JsonObject) {
  const peer = await provedPeer(t, world, daemon);
  peer.send(request);
  for (;;) {
    const message = await peer.next();
    if (message["type"] === "response" && message["id"] === request["id"]) return textOf(message);
  }
}

test("an undo, a redo and a rollback that kill -9 cuts off are finished at the next start, told, and answered to who repeats the request", async (t) => {
  const { world, daemon } = await made(t, ["tangle", { path: "all.org" }]);
  for (const name of names) chmodSync(world.path(name), 0o640);
  let running = daemon;
  const endsAs = async (action: string, left: number, said: RegExp): Promise<void> => {
    const request = command(action, `${action}-1`);
    running = await cutOff(t, { world, daemon: running }, request);
    const reply = await repeated(t, world, running, request);
    assert.match(reply, said);
    for (const name of names) assert.equal(reply.split(`/${name} `).length, 2, `${name} is named once`);
    assert.equal(there(world), left, `${action} is done once`);
    const { out } = await world.command(["cli", "--session", "other"], { input: "/exit\n" });
    assert.match(out, new RegExp(`ended in the middle of /${action} in session s, and finished it`), out);
    assert.deepEqual(
      onDatabase(world, "SELECT value FROM meta WHERE key = 'begun-undo' AND value LIKE '%changes%'"),
      [],
    );
  };
  await endsAs("undo", 0, /^Undone\.\n/);
  await endsAs("redo", names.length, /^Done again\.\n/);
  const modes = new Set(names.map((name) => statSync(world.path(name)).mode & 0o777));
  assert.deepEqual([...modes], [0o640], "each has the mode that it had");
  await endsAs("rollback", 0, /^Rolled back to snapshot /);
  assert.match(await repeated(t, world, running, command("undo", "last")), /^Undone\./);
  assert.equal(there(world), names.length, "the rollback is undone as a whole");
});

test("an undo of what a command made that kill -9 cuts off is finished at the next start, and done again as a whole", async (t) => {
  if (isMissing(t, "bwrap", "bubblewrap")) return;
  const cmd = `sh -c 'for name in ${names.join(" ")}; do echo $name > $name; done'`;
  const { world, daemon } = await made(t, ["shell", { cmd }]);
  const request = command("undo", "undo-1");
  const running = await cutOff(t, { world, daemon }, request);
  assert.match(await repeated(t, world, running, request), /^Undone\.\n/);
  assert.equal(there(world), 0);
  assert.match(await repeated(t, world, running, command("redo", "redo-1")), /^Done again\.\n/);
  assert.equal(there(world), names.length);
});
