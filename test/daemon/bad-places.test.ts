import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { suite, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeWorld } from "../agent-world.ts";
import { serveDaemon } from "./serve-daemon.ts";

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const beating = { settings: { HEARTBEAT_INTERVAL: "1" } };
const noStack = /\n\s+at |node:internal/;

/** Waits until the condition holds, two minutes at most. */
async function until(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 1200; tries += 1) {
    if (await holds()) return true;
    await wait(100);
  }
  return false;
}

/** What the notes folder becomes, and what is found in a note that is written once it is back. */
const losses: readonly [what: string, plant: string, lose: (notes: string) => void][] = [
  ["a link to itself", "Pergola", (notes) => symlinkSync(notes, notes)],
  ["a file", "Wisteria", (notes) => writeFileSync(notes, "")],
  ["a link that leads nowhere", "Medlar", (notes) => symlinkSync(join(notes, "..", "not-mounted"), notes)],
  [
    "a folder that nobody can read",
    "Quince",
    (notes) => {
      mkdirSync(notes);
      chmodSync(notes, 0);
    },
  ],
];

// Most of a test is waiting for heartbeats.
suite("a daemon in bad places", { concurrency: true }, () => {
  test("a daemon whose notes folder becomes something else answers as before, and reads the notes when they are back", async (t) => {
    const world = await makeWorld(t, [{ text: "Still here.", repeat: true }]);
    const notes = join(world.home, "memex");
    mkdirSync(join(notes, "deep"), { recursive: true });
    writeFileSync(join(notes, "house.org"), "* Boiler\n");
    const daemon = await serveDaemon(world, beating);
    assert.match((await world.command(["ask", "hello"])).out, /Still here\./);
    t.after(() => rmSync(notes, { recursive: true, force: true }));
    for (const [what, plant, lose] of losses) {
      renameSync(notes, `${notes}-away`);
      lose(notes);
      await wait(1500);
      const asked = await world.command(["ask", "hello"]);
      assert.match(asked.out, /Still here\./, `${what}: ${asked.err}\n${daemon.said()}`);
      if (lstatSync(notes).isDirectory()) chmodSync(notes, 0o700);
      rmSync(notes, { recursive: true, force: true });
      renameSync(`${notes}-away`, notes);
      writeFileSync(join(notes, `${plant}.org`), `* ${plant}\n`);
      const found = await until(async () =>
        (await world.command(["memory", "search", plant.toLowerCase()])).out.includes(plant),
      );
      assert.ok(found, `${what}: ${daemon.said()}`);
    }
    assert.doesNotMatch(daemon.said(), noStack);
  });

  test("a daemon whose socket was removed can be reached again after its next heartbeat", async (t) => {
    const world = await makeWorld(t, [{ text: "Here again.", repeat: true }]);
    const daemon = await serveDaemon(world, beating);
    for (const lose of [
      () => unlinkSync(daemon.socketPath),
      () => rmSync(dirname(daemon.socketPath), { recursive: true }),
    ]) {
      lose();
      const between = await world.command(["ask", "hello"]);
      assert.doesNotMatch(`${between.out}${between.err}`, noStack);
      assert.ok(await until(() => existsSync(daemon.socketPath)), daemon.said());
      assert.match((await world.command(["ask", "hello"])).out, /Here again\./);
    }
    assert.match(daemon.said(), /socket .* was removed/);
  });

  test("a socket of another process in the place of the daemon's is left alone and told", async (t) => {
    const world = await makeWorld(t, [{ text: "Here.", repeat: true }]);
    const daemon = await serveDaemon(world, beating);
    renameSync(daemon.socketPath, `${daemon.socketPath}-old`);
    writeFileSync(daemon.socketPath, "not ours");
    assert.ok(await until(() => /passepartout\.sock .*not/.test(daemon.said())), daemon.said());
    await wait(2200);
    assert.equal(daemon.said().match(/is not this daemon's socket any more/g)?.length, 1, "told once");
    unlinkSync(daemon.socketPath);
    assert.ok(await until(() => existsSync(daemon.socketPath)), daemon.said());
    assert.match((await world.command(["ask", "hello"])).out, /Here\./);
  });

  test("a daemon whose log cannot be written goes on", async (t) => {
    const world = await makeWorld(t, [{ text: "Without a log.", repeat: true }]);
    const child = spawn(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", main, "daemon", "--port", "0"],
      {
        env: { ...world.environment, HEARTBEAT_INTERVAL: "1" },
        cwd: world.workspace,
        stdio: ["ignore", "ignore", openSync("/dev/full", "w")],
      },
    );
    t.after(() => child.kill("SIGKILL"));
    const socket = join(world.state, "run", "passepartout.sock");
    assert.ok(await until(() => existsSync(socket) || child.exitCode !== null));
    await wait(1500);
    assert.equal(child.exitCode, null);
    assert.match((await world.command(["ask", "hello"])).out, /Without a log\./);
  });

  test("a command whose output cannot be written says so and fails", async (t) => {
    const world = await makeWorld(t, [{ text: "Not to be read.", repeat: true }]);
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, "ask", "hello"], {
      env: world.environment,
      cwd: world.workspace,
      stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
    });
    let said = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    await once(child, "close");
    assert.equal(child.exitCode, 1, said);
    assert.match(said, /The output could not be written: .*ENOSPC/);
    assert.doesNotMatch(said, noStack);
  });
});
