import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { StateProblem, type StateProblemCode } from "../storage/state-problem.ts";
import { openSampleState, sampleObject, sampleRecord, sampleSignal } from "./samples.fixture.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const folder = (): string => mkdtempSync(join(root, "open-"));
const problem = (code: StateProblemCode, words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof StateProblem, String(error));
  assert.equal(error.code, code);
  assert.match(error.message, words);
  return true;
};
const me = { turn: null, session: null };

/** A process that opens the folder, says `open` or why not, and then stays. */
function holder(place: string) {
  const url = new URL("./samples.fixture.ts", import.meta.url).href;
  const code = `
    import { openSampleState } from ${JSON.stringify(url)};
    try {
      const state = await openSampleState(${JSON.stringify(place)});
      console.log("open");
      setInterval(() => state, 1000);
    } catch (error) {
      console.log(error.code + " " + error.message);
    }`;
  return spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function said(child: ReturnType<typeof holder>): Promise<string> {
  for await (const line of createInterface({ input: child.stdout })) return line;
  return "";
}

async function used(place: string): Promise<void> {
  await using state = await openSampleState(place);
  await state.accept(sampleSignal(), 50);
  await state.objects.putAll(
    Array.from({ length: 200 }, (_, number) => sampleObject(`o${number}`, "words ".repeat(50))),
    me,
  );
  await state.journal.append(sampleRecord(), { forced: true });
}

test("a new state folder and its files are open to their owner alone", async () => {
  const place = join(folder(), "deep", "state");
  await using state = await openSampleState(place);
  await state.accept(sampleSignal(), 50);
  await state.journal.append(sampleRecord(), { forced: true });
  assert.equal(statSync(place).mode & 0o777, 0o700);
  const names = readdirSync(place);
  assert.ok(["journal.jsonl", "lock", "state.db", "state.db-wal"].every((name) => names.includes(name)));
  for (const name of names) assert.equal(statSync(join(place, name)).mode & 0o777, 0o600, name);
});

test("a folder that others could enter is closed to them", async () => {
  const place = folder();
  chmodSync(place, 0o755);
  await using state = await openSampleState(place);
  assert.equal(state.reports.length, 0);
  assert.equal(statSync(place).mode & 0o777, 0o700);
});

test("a second opening in the same process is refused until the first is closed", async () => {
  const place = folder();
  {
    await using state = await openSampleState(place);
    await assert.rejects(openSampleState(place), problem("locked", new RegExp(`process ${process.pid}\\b`)));
    await state.accept(sampleSignal(), 50);
  }
  await using again = await openSampleState(place);
  assert.equal((await again.turns.unfinished()).length, 1);
});

test("two processes exclude each other, and one that is killed lets go", async () => {
  const place = folder();
  const first = holder(place);
  assert.equal(await said(first), "open");
  await assert.rejects(
    openSampleState(place),
    problem("locked", new RegExp(`process ${first.pid}\\b.*stop it`, "s")),
  );
  const second = holder(place);
  assert.match(await said(second), /^locked /);
  await once(second, "exit");
  first.kill("SIGKILL");
  await once(first, "exit");
  await using state = await openSampleState(place);
  await assert.rejects(openSampleState(place), problem("locked", new RegExp(`process ${process.pid}\\b`)));
  assert.deepEqual(state.reports, []);
});

test("a reader needs no lock and sees what is committed beside it", async () => {
  const place = folder();
  await using state = await openSampleState(place);
  await using reader = await openSampleState(place, { access: "read" });
  const { turn } = await state.accept(sampleSignal(), 50);
  await state.journal.append(sampleRecord(), { forced: true });
  assert.equal((await reader.turns.get(turn.id))?.state, "queued");
  assert.partialDeepStrictEqual(await reader.journal.verify(), { ok: true, entries: 1 });
});

test("a reader changes nothing", async () => {
  const place = folder();
  await used(place);
  const contents = () =>
    ["state.db", "journal.jsonl"].map((name) => readFileSync(join(place, name)).toString("hex"));
  const before = contents();
  {
    await using reader = await openSampleState(place, { access: "read" });
    await assert.rejects(reader.accept(sampleSignal(), 50), problem("unwritable", /for reading only/));
    await assert.rejects(reader.objects.put(sampleObject("x", "y"), me), problem("unwritable", /reading/));
    await assert.rejects(reader.prune(), problem("unwritable", /reading/));
    assert.equal((await reader.objects.search("words", 3)).length, 3);
  }
  assert.deepEqual(contents(), before);
});

test("reading where there is no state says so and makes none", async () => {
  const place = join(folder(), "nothing");
  await assert.rejects(
    openSampleState(place, { access: "read" }),
    problem("missing", /no state in .*nothing/),
  );
  assert.equal(existsSync(place), false);
});

test("a database of a newer program is refused in words and left as it is", async () => {
  const place = folder();
  await used(place);
  const database = new DatabaseSync(join(place, "state.db"));
  database.exec("PRAGMA user_version = 18");
  database.close();
  const before = readFileSync(join(place, "state.db"));
  for (const access of ["write", "read"] as const) {
    await assert.rejects(
      openSampleState(place, { access }),
      problem("newer-version", /version 18; this program knows versions up to 17/),
    );
  }
  assert.ok(readFileSync(join(place, "state.db")).equals(before));
});

test("flipped bytes in the database are explained and not overwritten", async () => {
  for (const at of [0, 20, 4096, 8192, 40_960]) {
    const place = folder();
    await used(place);
    const file = join(place, "state.db");
    const descriptor = openSync(file, "r+");
    writeSync(descriptor, Buffer.alloc(64, 0xa5), 0, 64, at);
    closeSync(descriptor);
    const before = readFileSync(file);
    await assert.rejects(openSampleState(place), problem("damaged-database", /left as it is/));
    await assert.rejects(
      openSampleState(place, { access: "read" }),
      problem("damaged-database", /left as it is/),
    );
    assert.ok(readFileSync(file).equals(before), `byte ${at}`);
  }
});

test("a cut-off database is explained", async () => {
  const place = folder();
  await used(place);
  truncateSync(join(place, "state.db"), 20_000);
  await assert.rejects(openSampleState(place), problem("damaged-database", /damaged/));
});

test("a database that is gone or empty beside a journal is damage, not a new beginning", async () => {
  const place = folder();
  await used(place);
  writeFileSync(join(place, "state.db"), "");
  await assert.rejects(openSampleState(place), problem("damaged-database", /missing or empty/));
  rmSync(join(place, "state.db"));
  await assert.rejects(openSampleState(place), problem("damaged-database", /Restore state\.db/));
  assert.equal(existsSync(join(place, "state.db")), false);
});

test("a database of another program is not touched", async () => {
  const place = folder();
  const other = new DatabaseSync(join(place, "state.db"));
  other.exec("CREATE TABLE t (a); PRAGMA user_version = 1");
  other.close();
  const before = readFileSync(join(place, "state.db"));
  await assert.rejects(openSampleState(place), problem("damaged-database", /not a database of this program/));
  assert.ok(readFileSync(join(place, "state.db")).equals(before));
});

test("a refused opening lets go of the folder", async () => {
  const place = folder();
  await used(place);
  const journal = readFileSync(join(place, "journal.jsonl"));
  rmSync(join(place, "journal.jsonl"));
  await assert.rejects(openSampleState(place), problem("damaged-journal", /missing/));
  writeFileSync(join(place, "journal.jsonl"), journal);
  await using state = await openSampleState(place);
  assert.partialDeepStrictEqual(await state.journal.verify(), { ok: true, entries: 1 });
});

test("a folder that cannot be made is explained", async () => {
  const place = folder();
  writeFileSync(join(place, "file"), "");
  for (const wrong of [join(place, "file"), join(place, "file", "state")]) {
    await assert.rejects(openSampleState(wrong), problem("unwritable", /cannot be written|is not a/));
  }
});

for (const version of ["1", "6"]) {
  test(`a state of version ${version} opens with all that is in it`, async () => {
    const place = folder();
    cpSync(join(import.meta.dirname, `../../../test/fixtures/state-v${version}/state`), place, {
      recursive: true,
    });
    await using state = await openSampleState(place);
    assert.deepEqual(await state.verify(), []);
    assert.partialDeepStrictEqual(await state.journal.verify(), { ok: true, entries: 3 });
    assert.equal((await state.journal.findIntentWithoutOutcome()).length, 1);
    const session = await state.sessions.byName("work");
    assert.equal(session?.workspace, "/home/me/work");
    const [answer] = await state.outbox.undelivered(session?.id ?? "");
    assert.equal(answer?.text, "nothing");
    const repeated = await state.accept(
      sampleSignal({ clientId: "client-1", session: session?.id ?? "" }),
      50,
    );
    assert.deepEqual([repeated.fresh, repeated.turn.id], [false, answer?.turn]);
    assert.deepEqual(
      (await state.turns.unfinished()).map((turn) => turn.state),
      ["suspended"],
    );
    assert.equal((await state.approvals.open()).length, 1);
    assert.equal((await state.approvals.suspendedPastExpiry(Number.MAX_SAFE_INTEGER)).length, 1);
    const known = { provider: "ollama", calls: 1, inputTokens: 10, outputTokens: 5, microdollars: 42 };
    const unknown = { cacheReadTokens: 0, cacheWriteTokens: 0, thinkingTokens: 0 };
    const [booked] = await state.ledger.totals({});
    assert.partialDeepStrictEqual(booked, { ...known, ...unknown, price: { from: "unrecorded", day: null } });
    assert.equal((await state.results.get("result-1"))?.tool, "read-file");
    const [change] = await state.changes.ofTurn(answer?.turn ?? "");
    assert.equal((await state.changes.preImage(change?.preImage ?? "")).status, "kept");
    assert.equal((await state.objects.search("minka", 1))[0]?.id, "note-1");
    const [snapshot] = await state.objects.snapshots();
    await state.objects.rollback(snapshot?.id ?? 0, me);
    assert.equal(await state.objects.get("own", "note-2"), null);
  });
}
