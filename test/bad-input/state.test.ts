import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { type AgentWorld, calls, makeWorld, onDatabase, talkTo } from "../agent-world.ts";
import { onSmallDisk } from "../small-disk.ts";

/** A world whose agent has been used and ended, with the rights of its state folder and a copy of it. */
async function useWorld(): Promise<{
  readonly world: AgentWorld;
  readonly rights: number;
  readonly saved: string;
}> {
  const world = await makeWorld({ after }, [
    calls(["write-file", { path: "a.txt", content: "x" }]),
    { text: "Written." },
    { text: "Here again.", repeat: true },
  ]);
  {
    await using daemon = await world.open();
    await (await talkTo(daemon, "past")).say("write it");
  }
  const saved = join(world.home, "saved-state");
  cpSync(world.state, saved, { recursive: true });
  return { world, rights: statSync(world.state).mode & 0o777, saved };
}

const used = await useWorld();

/** The world whose agent was used, in the state that it had after that. */
function usedWorld(): AgentWorld {
  const { world, saved } = used;
  rmSync(world.state, { recursive: true });
  cpSync(saved, world.state, { recursive: true });
  for (const name of [".", "run"]) chmodSync(join(world.state, name), 0o700);
  return world;
}

/** A digest of every file of a folder but the lock; the folder of the socket aside. */
function digests(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map(({ name }) => name).filter((name) => !name.startsWith("lock"));
  return Object.fromEntries(
    files.sort().map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex"),
    ]),
  );
}

test("a second process on the same state talks to the first, and both are answered", async (t) => {
  const world = await makeWorld(t, [{ text: "One." }, { text: "Two." }, { text: "Three." }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("one");
  const second = await world.run(["ask", "me too"]);
  assert.deepEqual([second.code, second.out], [0, "Two.\n"]);
  assert.equal((await talk.say("three")).text, "Three.");
});

test("a second process that cannot reach the first is refused with its number, and nothing is harmed", async (t) => {
  const world = await makeWorld(t, [{ text: "One." }, { text: "Two." }]);
  await using daemon = await world.open();
  const talk = await talkTo(daemon);
  await talk.say("one");
  rmSync(join(world.state, "run", "passepartout.sock"));
  const second = await world.run(["ask", "me too"]);
  assert.deepEqual([second.code, second.out], [1, ""]);
  assert.match(
    second.err,
    new RegExp(
      `The state folder .* is in use by process ${process.pid}, which listens at .*passepartout\\.sock\\. Talk to that one`,
    ),
  );
  assert.equal((await talk.say("two")).text, "Two.");
  assert.equal(world.provider.requests.length, 2);
});

for (const [what, damage] of [
  ["whose beginning is overwritten", (bytes: Buffer) => bytes.fill("not a database ", 0, 100)],
  ["whose middle is overwritten", (bytes: Buffer) => bytes.fill(0xff, 4096, bytes.length)],
  ["that is cut in half", (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2))],
] as const) {
  test(`a database ${what} is explained, and never overwritten`, async () => {
    const world = usedWorld();
    const file = join(world.state, "state.db");
    writeFileSync(file, damage(readFileSync(file)));
    const [before, asked] = [digests(world.state), world.provider.requests.length];
    const done = await world.run(["ask", "are you well?"]);
    assert.equal(done.code, 1);
    assert.match(done.err, /state\.db.* (is|are) damaged[\s\S]*Restore/);
    assert.deepEqual(digests(world.state), before);
    assert.equal(world.provider.requests.length, asked);
  });
}

for (const [what, damage] of [
  ["that is missing", (file: string) => rmSync(file)],
  ["that lost its last entries", (file: string) => cutLines(file, -2)],
  ["that is empty", (file: string) => writeFileSync(file, "")],
  ["whose last entry was changed", (file: string) => changeLast(file)],
] as const) {
  test(`a journal ${what} is explained, and never overwritten`, async () => {
    const world = usedWorld();
    const file = join(world.state, "journal.jsonl");
    damage(file);
    const before = existsSync(file) ? readFileSync(file, "utf8") : null;
    const done = await world.command(["ask", "are you well?"]);
    assert.equal(done.code, 1);
    assert.match(done.err, /journal.*(damaged|missing|does not|is not)/i);
    assert.match(done.err, /Restore|backup|aside/);
    assert.equal(existsSync(file) ? readFileSync(file, "utf8") : null, before);
  });
}

function cutLines(file: string, end: number): void {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  writeFileSync(file, `${lines.slice(0, end).join("\n")}\n`);
}

function changeLast(file: string): void {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const last = lines.pop() ?? "";
  writeFileSync(file, `${[...lines, last.replace('"at":1', '"at":2')].join("\n")}\n`);
}

test("a torn last line of the journal is set aside and reported, and the agent continues", async () => {
  const world = usedWorld();
  appendFileSync(join(world.state, "journal.jsonl"), '{"version":1,"sequ');
  const done = await world.command(["ask", "are you well?"]);
  assert.deepEqual([done.code, done.out], [0, "Here again.\n"]);
  assert.match(done.err, /journal/);
  assert.equal((await world.command(["journal", "verify"])).code, 0);
  const aside = readdirSync(world.state).filter((name) => /torn/.test(name));
  assert.equal(aside.length, 1, readdirSync(world.state).join());
});

test("a missing database beside an existing journal is explained, and no new database is created", async () => {
  const world = usedWorld();
  rmSync(join(world.state, "state.db"));
  const done = await world.command(["ask", "are you well?"]);
  assert.equal(done.code, 1);
  assert.match(done.err, /is missing or empty, but .*journal\.jsonl is there/);
  assert.equal(existsSync(join(world.state, "state.db")), false);
});

test("a state of a newer version is refused with a message, and left as it is", async () => {
  const world = usedWorld();
  onDatabase(world, "PRAGMA user_version = 99");
  const before = digests(world.state);
  const done = await world.command(["ask", "are you well?"]);
  assert.equal(done.code, 1);
  assert.match(done.err, /newer/);
  assert.deepEqual(digests(world.state), before);
});

test("a state folder that cannot be created is explained, and the exit code is 1", async (t) => {
  const world = await makeWorld(t, [{ text: "never" }]);
  writeFileSync(join(world.home, "file"), "in the way");
  const done = await world.command(["ask", "hi"], { settings: { XDG_STATE_HOME: join(world.home, "file") } });
  assert.deepEqual([done.code, done.out], [1, ""]);
  assert.match(done.err, /cannot be written\. Give your user the right to write there/);
  assert.equal(world.provider.requests.length, 0);
});

test("a state folder is created for its owner alone", () => {
  assert.equal(used.rights, 0o700);
});

test("on a full disk nothing is started, the person is told, and work continues once there is space", async (t) => {
  const world = await makeWorld(t, [{ text: "One." }, { text: "Three." }]);
  const output = await onSmallDisk(
    t,
    { world, place: ".local/state", options: "size=4m" },
    `agent ask --session a one
     cat /dev/zero > "$HOME/.local/state/filler" 2>/dev/null
     agent ask --session a two
     rm "$HOME/.local/state/filler"
     agent ask --session a three
     agent journal verify
     agent memory verify`,
  );
  if (output === null) return;
  assert.match(output, /^│ One\.\ncode 0\n/);
  assert.match(output, /No room is left on the disk of .*Free \d+ kB or more, then try again\.\ncode 1\n/);
  assert.match(output, /Three\.\ncode 0\nThe journal is intact: .*\ncode 0\n/);
  assert.match(output, /There is no notes folder at .* yet\..*\nMemory is intact\.\ncode 0\n$/);
  assert.equal(world.provider.requests.length, 2);
});

test("on a read-only disk nothing is started, and the person is told", async (t) => {
  const world = await makeWorld(t, [{ text: "never" }]);
  const output = await onSmallDisk(t, { world, place: ".local/state", options: "ro" }, "agent ask one");
  if (output === null) return;
  assert.match(
    output,
    /cannot be written: its disk is read-only\. Mount it writable, or name another state folder\.[\s\S]*\ncode 1\n$/,
  );
  assert.equal(world.provider.requests.length, 0);
});
