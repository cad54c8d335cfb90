import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { JsonObject } from "../../src/text/json.ts";
import { type AgentWorld, calls, isMissing, makeWorld, onDatabase } from "../agent-world.ts";
import { type DaemonProcess, startDaemon } from "./daemon-process.ts";
import { listenTo, provedPeer, textOf } from "./wire-client.ts";

const held = "held/part-4.txt";
/** Nine files; the folder of the fifth has a lock of another agent, for which an undo waits. */
const names = Array.from({ length: 9 }, (_, index) => (index === 4 ? held : `part-${index}.txt`));
const wordsOf = (name: string): string => `These are the words of ${name}.\n`;
const source = names.map((name) => `#+begin_src text :tangle ${name}\n${wordsOf(name)}#+end_src\n`).join("");

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
  mkdirSync(dirname(world.path(held)));
  const daemon = await startDaemon(t, world);
  const client = listenTo(t, world, daemon);
  await client.say("s", "make the files");
  await client.client.close();
  assert.equal(there(world), names.length);
  return { world, daemon };
}

/**
 * Sends a command, kills the daemon in the middle of it, and gives the daemon that is started after
 * `meanwhile`.
 */
async function cutOff(
  t: TestContext,
  { world, daemon }: { readonly world: AgentWorld; readonly daemon: DaemonProcess },
  {
    request,
    isMiddle,
    meanwhile,
  }: { readonly request: JsonObject; readonly isMiddle: () => boolean; readonly meanwhile: () => void },
): Promise<DaemonProcess> {
  const peer = await provedPeer(t, world, daemon);
  peer.send(request);
  while (!isMiddle()) await setImmediate();
  daemon.signal("SIGKILL");
  await daemon.end;
  meanwhile();
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
  const lock = join(dirname(world.path(held)), ".passepartout-lock");
  const endsAs = async (action: string, left: number, said: RegExp): Promise<void> => {
    const request = command(action, `${action}-1`);
    const before = there(world);
    symlinkSync("another-machine 1 held", lock);
    running = await cutOff(
      t,
      { world, daemon: running },
      {
        request,
        isMiddle: () => Math.abs(there(world) - before) === 4,
        meanwhile() {
          rmSync(lock);
          // As where the kill comes when the file is changed, and that is not noted yet.
          if (left === 0) rmSync(world.path(held));
          else writeFileSync(world.path(held), wordsOf(held), { mode: 0o640 });
        },
      },
    );
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
  const isMiddle = () => there(world) < names.length;
  const running = await cutOff(t, { world, daemon }, { request, isMiddle, meanwhile: () => {} });
  assert.match(await repeated(t, world, running, request), /^Undone\.\n/);
  assert.equal(there(world), 0);
  assert.match(await repeated(t, world, running, command("redo", "redo-1")), /^Done again\.\n/);
  assert.equal(there(world), names.length);
});
