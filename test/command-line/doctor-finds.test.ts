import assert from "node:assert/strict";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type AgentWorld, makeWorld, onDatabase } from "../agent-world.ts";
import { startDaemon } from "../daemon/daemon-process.ts";
import { onSmallDisk } from "../small-disk.ts";
import { internals } from "./internals.ts";

/** A world whose agent was used once. */
async function usedWorld(t: TestContext): Promise<AgentWorld> {
  const world = await makeWorld(t, [{ text: "Hello.", repeat: true }]);
  mkdirSync(join(world.home, "memex"));
  writeFileSync(join(world.home, "memex", "house.org"), "* Boiler\n");
  assert.equal((await world.command(["ask", "hello"])).code, 0);
  return world;
}

/** Name, size and mode of all below a folder, without what SQLite keeps for readers. */
function listed(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !/-(shm|wal)$/.test(name))
    .map((name) => {
      const { size, mode } = statSync(join(folder, name));
      return `${name} ${size} ${mode.toString(8)}`;
    })
    .sort();
}

function folderInPlaceOf(path: string): void {
  rmSync(path, { force: true });
  mkdirSync(path);
}

const rubbish = "no database at all ".repeat(500);

const findings: readonly {
  readonly what: string;
  readonly damage: (state: string) => void;
  readonly said: RegExp;
  readonly code: 0 | 1;
}[] = [
  ...[
    "state.db",
    "state.db-wal",
    "index.db",
    "vectors.db",
    "journal.jsonl",
    "lock",
    "lock.pid",
    "reserve",
    "sealing-key",
    "wire-secret",
  ].map((name) => ({
    what: `a folder in the place of ${name}`,
    damage: (state: string) => folderInPlaceOf(join(state, name)),
    said: new RegExp(`BAD +files: \\S+/${name} is a folder, and a file belongs there\\. Move it aside\\.`),
    code: 1 as const,
  })),
  {
    what: "a link in the place of the secret",
    damage: (state) => {
      renameSync(join(state, "wire-secret"), join(state, "elsewhere"));
      symlinkSync(join(state, "elsewhere"), join(state, "wire-secret"));
    },
    said: /BAD +files: \S+\/wire-secret is not a regular file/,
    code: 1,
  },
  {
    what: "a secret that other users can read",
    damage: (state) => chmodSync(join(state, "wire-secret"), 0o644),
    said: /BAD +files: Other users can read .*wire-secret.* Remove it and start the daemon again/,
    code: 1,
  },
  {
    what: "a secret that was cut",
    damage: (state) => writeFileSync(join(state, "wire-secret"), "0123"),
    said: /BAD +files: \S+wire-secret does not consist of 64 .* Remove it/,
    code: 1,
  },
  {
    what: "a damaged index",
    damage: (state) => writeFileSync(join(state, "index.db"), rubbish),
    said: /note +files: \S+index\.db is damaged\. Nothing is lost: .*passepartout memory rebuild/,
    code: 0,
  },
  {
    what: "damaged vectors",
    damage: (state) => writeFileSync(join(state, "vectors.db"), rubbish),
    said: /note +files: \S+vectors\.db is damaged\. Nothing is lost/,
    code: 0,
  },
  {
    what: "a missing database beside a journal",
    damage: (state) => rmSync(join(state, "state.db")),
    said: /BAD +state: The database \S+state\.db is missing or empty, but .*journal\.jsonl.* is there\..* Restore/,
    code: 1,
  },
  {
    what: "a missing journal beside a database",
    damage: (state) => rmSync(join(state, "journal.jsonl")),
    said: /BAD +(state|journal): .*journal\.jsonl.*Restore/,
    code: 1,
  },
  {
    what: "a file in the place of the socket's folder",
    damage: (state) => {
      rmSync(join(state, "run"), { recursive: true });
      writeFileSync(join(state, "run"), "");
    },
    said: /BAD +daemon: no command can reach another process: The socket's folder \S+ cannot be used: it is not a folder/,
    code: 1,
  },
  {
    what: "a socket's folder that other users can enter",
    damage: (state) => chmodSync(join(state, "run"), 0o755),
    said: /BAD +daemon: .*Other users can enter the socket's folder .*chmod 700/,
    code: 1,
  },
  {
    what: "a file in the place of the socket",
    damage: (state) => writeFileSync(join(state, "run", "passepartout.sock"), ""),
    said: /BAD +daemon: .*passepartout\.sock exists and is not a socket\. Move it aside/,
    code: 1,
  },
];

/** A world with a copy of what another one's agent left: what is found depends on the damage, and a start is saved. */
async function copyOf(used: AgentWorld, t: TestContext): Promise<AgentWorld> {
  const world = await makeWorld(t);
  for (const name of [".local", "memex"])
    cpSync(join(used.home, name), join(world.home, name), { recursive: true });
  for (const path of [world.state, join(world.state, "run")]) chmodSync(path, 0o700);
  return world;
}

// Most of a test is starting processes.
test("doctor finds damage", { concurrency: 2 }, async (context) => {
  const used = await usedWorld(context);
  const found = findings.map(({ what, damage, said, code }) =>
    context.test(`doctor finds ${what}, says what to do, and changes nothing`, async (t) => {
      const world = await copyOf(used, t);
      damage(world.state);
      const before = listed(world.state);
      const done = await world.command(["doctor"]);
      assert.match(done.out, said);
      assert.equal(done.code, code);
      assert.equal(done.err, "");
      assert.doesNotMatch(done.out, internals);
      assert.deepEqual(listed(world.state), before);
    }),
  );
  await Promise.all(found);
});

suite("doctor finds", { concurrency: 2 }, () => {
  test("doctor finds files that its user may not read", async (t) => {
    if (process.getuid?.() === 0)
      return t.skip("root may read every file: run the tests as an ordinary user");
    const world = await usedWorld(t);
    chmodSync(join(world.state, "sealing-key"), 0);
    const done = await world.command(["doctor"]);
    assert.match(
      done.out,
      /BAD +files: \S+sealing-key cannot be read and written by your user\. .*chmod 600/,
    );
  });

  test("doctor finds notes that cannot be watched because the system's limit is reached", async (t) => {
    const world = await usedWorld(t);
    const output = await onSmallDisk(
      t,
      { world, place: "unused", options: "size=1m" },
      "echo 0 > /proc/sys/user/max_inotify_instances; agent doctor",
    );
    if (output === null) return;
    assert.match(output, /note +notes: \S+\/memex cannot be watched \(EMFILE\), so .*: raise fs\.inotify/);
    assert.match(output, /is degraded[\s\S]*code 0\n$/);
  });

  test("doctor finds a path of the socket that is too long", async (t) => {
    const world = await makeWorld(t);
    const settings = { XDG_STATE_HOME: join(world.home, "x".repeat(100)) };
    const { out, code } = await world.command(["doctor"], { settings });
    assert.match(
      out,
      /BAD +daemon: .*The path of the socket, \S+, has \d+ bytes; at most 107 are possible\. Choose/,
    );
    assert.equal(code, 1);
  });

  test("doctor says whether a daemon runs, and in --json as well", async (t) => {
    const world = await makeWorld(t);
    assert.match(
      (await world.command(["doctor"])).out,
      /ok +daemon: none runs, so each command runs the agent itself\n/,
    );
    const daemon = await startDaemon(t, world);
    const { out } = await world.command(["doctor", "--json"]);
    const check = { name: "daemon", result: "ok", text: `answers at ${daemon.socketPath}` };
    assert.ok(out.includes(JSON.stringify(check)), out);
  });

  test("doctor finds a daemon that takes connections and does not answer, and what to do about it", async (t) => {
    const world = await makeWorld(t);
    const daemon = await startDaemon(t, world);
    process.kill(daemon.pid, "SIGSTOP");
    const { out, code } = await world.command(["doctor"]);
    process.kill(daemon.pid, "SIGCONT");
    assert.match(
      out,
      new RegExp(
        `BAD +daemon: .*does not answer within 5 s: process ${daemon.pid} is stopped\\. Let it go on with: kill -CONT ${daemon.pid}\\.`,
      ),
    );
    assert.equal(code, 1);
  });

  test("doctor finds a daemon whose socket was removed, with its process", async (t) => {
    const world = await makeWorld(t);
    const daemon = await startDaemon(t, world, { settings: { HEARTBEAT_INTERVAL: "600" } });
    rmSync(daemon.socketPath);
    const { out, code } = await world.command(["doctor"]);
    assert.match(out, new RegExp(`BAD +daemon: process ${daemon.pid} uses the state, and nothing answers`));
    assert.equal(code, 1);
  });

  test("doctor finds an agent of another version", async (t) => {
    const world = await makeWorld(t, [{ text: "Hello.", repeat: true }]);
    await using _agent = await world.open();
    const { out, code } = await world.command(["doctor"]);
    assert.match(
      out,
      /note +daemon: The daemon is version 0\.0\.0-test and this program \S+: .* start this again/,
    );
    assert.equal(code, 0);
    onDatabase(world, "PRAGMA user_version = 16");
    const older = await world.command(["doctor"]);
    assert.match(
      older.out,
      new RegExp(`BAD +state: .*process ${process.pid}, an older program, works with it\\. Stop that one: `),
    );
    assert.doesNotMatch(older.out, /Start a conversation or the daemon once/);
  });

  test("doctor finds another program on the socket, and sends it nothing of use", async (t) => {
    const world = await usedWorld(t);
    const heard: Buffer[] = [];
    const server = createServer((socket) => {
      socket.on("data", (bytes) => heard.push(bytes));
      socket.write("HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    t.after(() => server.close());
    server.listen(join(world.state, "run", "passepartout.sock"));
    await pause(50);
    const { out, code } = await world.command(["doctor"]);
    assert.match(out, /BAD +daemon: what listens at \S+ is not your daemon: /);
    assert.equal(code, 1);
    const secret = readFileSync(join(world.state, "wire-secret"), "utf8").trim();
    assert.ok(!Buffer.concat(heard).toString().includes(secret));
  });

  test("the socket of a dead daemon is no problem", async (t) => {
    const world = await makeWorld(t);
    const daemon = await startDaemon(t, world);
    daemon.signal("SIGKILL");
    await daemon.end;
    const { out } = await world.command(["doctor"]);
    assert.match(out, /ok +daemon: none runs/);
  });
});
