import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { BackupProblem } from "./backup-problem.ts";
import { type BackupWorld, makeBackupWorld, openArchive, sayInto } from "./backup-world.fixture.ts";
import { describeExposure } from "./describe-exposure.ts";
import { finishMoves } from "./folder-moves.ts";
import { isRestorePending } from "./pending-restore.ts";
import { planRestore } from "./plan-restore.ts";
import { undoRestore } from "./restore-backup.ts";

const stateOf = ({ policy }: BackupWorld): string => policy.config.places.state;

/** What was said in a world, in order. The state opens without a report, and its journal is whole. */
async function saidIn(world: BackupWorld): Promise<readonly string[]> {
  await using state = await world.open();
  assert.deepEqual(state.reports, []);
  assert.equal((await state.journal.verify()).ok, true);
  return (await state.turns.unfinished()).map(({ signal }) => signal.text);
}

async function say(world: BackupWorld, id: string, text: string): Promise<void> {
  await using state = await world.open();
  await sayInto(state, id, text);
}

/** The files of a world without what restores put aside. */
function present(world: BackupWorld): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(world.tree()).filter(([path]) => !/before-restore-|\/sealing-key$/.test(path)),
  );
}

test("a backup that was made while the state was open is restored, taken back, and restored again", async (t) => {
  const world = makeBackupWorld(t);
  const longName = `memex/${"Überlänge ".repeat(20)}/${"b".repeat(200)}.org`;
  world.write("memex/house.org", "* Call Hansen\n");
  world.write(longName, "");
  world.write(".config/passepartout/.env", "MEMEX_ASSISTANT=Ada\n# mine\n");
  chmodSync(join(world.home, "memex/house.org"), 0o640);
  const state = await world.open();
  await sayInto(state, "one", "the first");
  const manifest = await world.backup();
  await sayInto(state, "two", "the second");
  await state[Symbol.asyncDispose]();
  assert.deepEqual(manifest.omitted, []);
  assert.equal(statSync(world.file).mode & 0o777, 0o600);
  world.write("memex/house.org", "* Changed\n");
  world.write("memex/new.org", "* New\n");
  world.write(".config/passepartout/.env", "MEMEX_ASSISTANT=Bob\n");
  world.write(".config/passepartout/rules.json", "{}");
  const plan = await planRestore(world.policy, world.file, { notes: true, environment: {} });
  assert.deepEqual(plan.settings, [
    { path: ".env", change: "changed" },
    { path: "rules.json", change: "removed" },
  ]);
  await world.restore({ now: new Date("2026-01-02T03:04:05Z") });
  assert.deepEqual(await saidIn(world), ["the first"]);
  const read = (path: string): string => readFileSync(join(world.home, path), "utf8");
  assert.equal(read("memex/house.org"), "* Call Hansen\n");
  assert.equal(statSync(join(world.home, "memex/house.org")).mode & 0o777, 0o640);
  assert.equal(read(longName), "");
  assert.equal(existsSync(join(world.home, "memex/new.org")), false);
  assert.equal(read("memex.before-restore-20260102-030405/new.org"), "* New\n");
  assert.equal(read(".config/passepartout/.env"), "MEMEX_ASSISTANT=Ada\n# mine\n");
  assert.equal(read(".config/passepartout/before-restore-20260102-030405/.env"), "MEMEX_ASSISTANT=Bob\n");
  undoRestore(world.policy, new Date("2026-01-02T03:04:05Z"));
  assert.deepEqual(await saidIn(world), ["the first", "the second"]);
  assert.equal(read("memex/house.org"), "* Changed\n");
  assert.equal(read(".config/passepartout/.env"), "MEMEX_ASSISTANT=Bob\n");
  undoRestore(world.policy, new Date("2026-01-02T03:04:05Z"));
  assert.deepEqual(await saidIn(world), ["the first"]);
  assert.equal(read("memex/house.org"), "* Call Hansen\n");
});

test("a restore brings a state, settings and notes to a home that has none", async (t) => {
  const [from, to] = [makeBackupWorld(t), makeBackupWorld(t)];
  from.write("memex/house.org", "* Call Hansen\n");
  from.write(".config/passepartout/rules.json", "{}");
  await say(from, "one", "the first");
  await from.backup({ file: to.file });
  await to.restore();
  assert.deepEqual(await saidIn(to), ["the first"]);
  assert.equal(readFileSync(join(to.home, "memex/house.org"), "utf8"), "* Call Hansen\n");
  undoRestore(to.policy, new Date(Date.now() + 1000));
  assert.deepEqual(Object.keys(present(to)), []);
});

test("a backup that others can open, as a disk without modes makes each file, is said to be one", (t) => {
  const world = makeBackupWorld(t);
  world.write("a.backup", "");
  chmodSync(world.file, 0o600);
  assert.equal(describeExposure(world.file), null);
  chmodSync(world.file, 0o777);
  assert.match(
    describeExposure(world.file) ?? "",
    /Other users .* mode 777\. Mount that disk with umask=077/,
  );
});

test("no key is in a backup in clear, and each that was left out is named", async (t) => {
  const world = makeBackupWorld(t);
  const keys = ["sk-proj-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c", "house-key-4711-0815", "multi-line-4712"];
  const [openai = "", own = "", multi = ""] = keys;
  await say(world, "one", "the first");
  world.write(
    ".config/passepartout/.env",
    `MEMEX_ASSISTANT=Ada\nOPENAI_API_KEY=${openai}\n# OLD_API_KEY=${own}\nHOUSE_PASSWORD="${multi}\nand ${multi}"\nGROQ_API_KEY=vault:groq\nNOTE_URL=https://me:${own}@example.org/\nHOUSE_TOKEN=${own}\nBUDGET_PER_DAY=3\n`,
  );
  world.write(".config/passepartout/.env~", `OPENAI_API_KEY=${openai}\n`);
  world.write(".config/passepartout/tools.json", JSON.stringify({ header: `Bearer ${own}` }));
  world.write(".config/passepartout/identity.org", "I am Ada.\n");
  world.write(".config/passepartout/vault.json", JSON.stringify({ openai }));
  symlinkSync("nowhere", join(world.home, ".config/passepartout/linked"));
  const { omitted } = await world.backup();
  const bytes = gunzipSync(readFileSync(world.file));
  for (const key of keys) assert.equal(bytes.includes(key), false, key);
  for (const kept of ["MEMEX_ASSISTANT=Ada", "GROQ_API_KEY=vault:groq", "BUDGET_PER_DAY=3", "I am Ada."])
    assert.ok(bytes.includes(kept), kept);
  const secrets = ["wire-secret", "sealing-key"].map((name) => join(stateOf(world), name));
  for (const secret of secrets.filter(existsSync))
    assert.equal(bytes.includes(readFileSync(secret)), false, secret);
  assert.deepEqual(omitted.map(({ path }) => path.replace("configuration/", "")).toSorted(), [
    ".env: HOUSE_PASSWORD",
    ".env: HOUSE_TOKEN",
    ".env: NOTE_URL",
    ".env: OPENAI_API_KEY",
    ".env~",
    "linked",
    "notes/0",
    "tools.json",
    "vault.json",
  ]);
  await world.restore();
  const names = readdirSync(join(world.home, ".config/passepartout"));
  for (const carried of ["linked", "tools.json", "vault.json"]) assert.ok(names.includes(carried), carried);
});

test("a state with sealed contents is restored elsewhere with its key, by the passphrase alone, or without it on request", async (t) => {
  const [from, to] = [makeBackupWorld(t), makeBackupWorld(t)];
  const secret = "the alarm code of the garden house is four seven one one and nobody knows it";
  {
    await using state = await from.open();
    await state.privateTexts.keep([secret]);
  }
  const knowsSecret = async (world: BackupWorld): Promise<boolean> => {
    await using state = await world.open();
    await state.privateTexts.ready();
    return state.privateTexts.find(secret).length > 0;
  };
  await from.backup({ passphrase: "correct horse battery" });
  const sealingKey = readFileSync(join(stateOf(from), "sealing-key"));
  assert.equal(gunzipSync(readFileSync(from.file)).includes(sealingKey), false);
  const before = to.tree();
  await assert.rejects(
    to.restore({ file: from.file, passphrase: "wrong horse" }),
    /passphrase is not that of this backup/,
  );
  assert.deepEqual(to.tree(), before);
  await to.restore({ file: from.file, passphrase: "correct horse battery" });
  assert.equal(await knowsSecret(to), true);
  await from.restore();
  assert.equal(await knowsSecret(from), true, "where the key is, no passphrase is needed");
  const bare = makeBackupWorld(t);
  await bare.restore({ file: from.file });
  assert.equal(await knowsSecret(bare), false);
});

test("a restore that is killed at any boundary leaves all as it was or all as it is in the backup", async (t) => {
  const world = makeBackupWorld(t);
  world.write("memex/house.org", "* Then\n");
  world.write(".config/passepartout/.env", "MEMEX_ASSISTANT=Then\n");
  await say(world, "one", "then");
  await world.backup();
  const then = present(world);
  world.write("memex/house.org", "* Now\n");
  world.write(".config/passepartout/.env", "MEMEX_ASSISTANT=Now\n");
  await say(world, "two", "now");
  const now = present(world);
  const found = new Set<string>();
  for (let at = 0, ended = false; !ended; at += 1) {
    let count = 0;
    const killed = new Error("killed");
    const step = (): void => {
      if (count++ === at) throw killed;
    };
    try {
      await world.restore({ step, now: new Date(Date.UTC(2026, 0, 1, 0, 0, 2 * at)) });
      ended = true;
    } catch (error) {
      if (error !== killed) throw error;
    }
    if (isRestorePending(stateOf(world))) finishMoves(stateOf(world));
    const isNow = readFileSync(join(world.home, "memex/house.org"), "utf8") === "* Now\n";
    found.add(isNow ? "old" : "new");
    const { ".local/state/passepartout/state.db": database, ...files } = present(world);
    const { ".local/state/passepartout/state.db": wasDatabase, ...were } = isNow ? now : then;
    assert.deepEqual(files, were, `at boundary ${at}`);
    if (isNow) assert.equal(database, wasDatabase);
    assert.deepEqual(await saidIn(world), isNow ? ["then", "now"] : ["then"], `at boundary ${at}`);
    if (!isNow) undoRestore(world.policy, new Date(Date.UTC(2026, 0, 1, 0, 0, 2 * at + 1)));
  }
  assert.deepEqual([...found], ["old", "new"]);
});

test("nothing is restored while an agent holds the state, and a folder that cannot be exchanged leaves all as it was", async (t) => {
  const world = makeBackupWorld(t);
  world.write("memex/house.org", "* Then\n");
  await say(world, "one", "then");
  await world.backup();
  const before = world.tree();
  {
    await using _state = await world.open();
    await assert.rejects(
      world.restore(),
      /An agent runs now, so nothing was restored\. Leave all conversations and stop/,
    );
  }
  const now = new Date("2026-01-02T03:04:05Z");
  // The place for what was there is taken at the last moment, so the last rename fails.
  const step = (): void => world.write("memex.before-restore-20260102-030405/mine.org", "* Mine\n");
  await assert.rejects(world.restore({ now, step }), /Nothing was restored: all folders are as they were/);
  assert.equal(isRestorePending(stateOf(world)), false);
  rmSync(join(world.home, "memex.before-restore-20260102-030405"), { recursive: true });
  const { ".local/state/passepartout/state.db": _database, ...files } = world.tree();
  const { ".local/state/passepartout/state.db": _was, ...were } = before;
  assert.deepEqual(files, were);
  assert.deepEqual(await saidIn(world), ["then"]);
});

test("a backup never replaces a file, and refuses a damaged state in words", async (t) => {
  const world = makeBackupWorld(t);
  await say(world, "one", "then");
  await world.backup();
  await assert.rejects(world.backup(), /is there already and stays as it is/);
  const journal = join(stateOf(world), "journal.jsonl");
  world.write(".local/state/passepartout/journal.jsonl", readFileSync(journal, "utf8").replace("one", "eno"));
  const elsewhere = join(world.home, "a.backup2");
  await assert.rejects(world.backup({ file: elsewhere }), (error: unknown) => {
    assert.ok(error instanceof BackupProblem, String(error));
    assert.match(error.message, /journal .* is damaged .* passepartout journal repair/);
    return true;
  });
  assert.deepEqual(
    readdirSync(world.home).filter((name) => name.startsWith("a.backup2")),
    [],
  );
  assert.deepEqual(
    readdirSync(stateOf(world)).filter((name) => name.startsWith("backup-")),
    [],
  );
  assert.equal(openArchive(world.file).manifest.version, 1);
});
