import assert from "node:assert/strict";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { repairState } from "../state/repair-state.ts";
import { openSampleState, sampleRecord, sampleSignal } from "../state/samples.fixture.ts";
import type { State } from "../state/state.ts";

const root = mkdtempSync(join(tmpdir(), "rotate-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const folder = (): string => mkdtempSync(join(root, "journal-"));
const forced = { forced: true };
const note = (number: number) => sampleRecord({ kind: "note", detail: { number, text: "x".repeat(300) } });
const small = { journalFileBytes: 3000 };
const filesOf = (place: string): readonly string[] =>
  readdirSync(place)
    .filter((name) => name.startsWith("journal"))
    .sort();

async function write(state: State, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) await state.journal.append(note(number), forced);
}

async function written(place: string, count: number): Promise<void> {
  await using state = await openSampleState(place, small);
  await write(state, count);
}

function setHead(place: string, head: object): void {
  const database = new DatabaseSync(join(place, "state.db"));
  database.prepare("UPDATE meta SET value = ? WHERE key = 'journal-head'").run(JSON.stringify(head));
  database.close();
}

function headOf(place: string): { sequence: number; hash: string; start: number; end: number } {
  const database = new DatabaseSync(join(place, "state.db"));
  const { value } = database.prepare("SELECT value FROM meta WHERE key = 'journal-head'").get() as {
    value: string;
  };
  database.close();
  return JSON.parse(value) as { sequence: number; hash: string; start: number; end: number };
}

test("a full file is set aside under the number of its last entry, and the chain goes on in the next", async () => {
  const place = folder();
  await written(place, 20);
  await written(place, 20);
  const files = filesOf(place);
  assert.ok(files.length >= 4, files.join());
  await using state = await openSampleState(place, small);
  assert.deepEqual(state.reports, []);
  assert.partialDeepStrictEqual(await state.journal.verify(), { ok: true, entries: 40 });
  const entries = await Array.fromAsync(state.journal.entries());
  assert.deepEqual(
    entries.map(({ sequence }) => sequence),
    entries.map((_, index) => index + 1),
  );
  assert.deepEqual(
    (await state.journal.tail(33)).map(({ sequence }) => sequence),
    Array.from({ length: 33 }, (_, index) => 8 + index),
  );
  const last = files.at(0) ?? "";
  const [end = ""] = readFileSync(join(place, last), "utf8").trimEnd().split("\n").slice(-1);
  assert.equal(Number(/journal-(\d+)/.exec(last)?.[1]), Number(/"sequence":(\d+)/.exec(end)?.[1]));
});

test("no file is set aside while an intent is open", async () => {
  const place = folder();
  await using state = await openSampleState(place, small);
  await state.journal.append(sampleRecord({ kind: "intent", turn: "t", digest: "d" }), forced);
  await write(state, 20);
  assert.deepEqual(filesOf(place), ["journal.jsonl"]);
  assert.equal((await state.journal.findIntentWithoutOutcome()).length, 1);
  await state.journal.append(sampleRecord({ kind: "outcome", turn: "t", digest: "d" }), forced);
  assert.equal(filesOf(place).length, 2);
});

test("a rotation that a crash cut off at any point is taken up", async () => {
  const place = folder();
  await written(place, 4);
  const before = headOf(place);
  assert.deepEqual(filesOf(place), ["journal.jsonl"]);
  const rotated = `journal-${String(before.sequence).padStart(10, "0")}.jsonl`;
  for (const [cut, head] of [
    ["after the first rename", before],
    ["after the second rename", before],
    ["after the database", { ...before, start: 0, end: 0 }],
  ] as const) {
    const copy = folder();
    cpSync(place, copy, { recursive: true });
    renameSync(join(copy, "journal.jsonl"), join(copy, rotated));
    if (cut !== "after the first rename") writeFileSync(join(copy, "journal.jsonl"), "", { mode: 0o600 });
    setHead(copy, head);
    await written(copy, 1);
    await using state = await openSampleState(copy);
    assert.partialDeepStrictEqual(await state.journal.verify(), { ok: true, entries: 5 }, cut);
  }
});

test("a rotated file that is missing or changed is damage with a name", async () => {
  const place = folder();
  await written(place, 20);
  const [first = ""] = filesOf(place);
  const text = readFileSync(join(place, first), "utf8");
  writeFileSync(join(place, first), text.replace('"number":1', '"number":7'));
  {
    await using state = await openSampleState(place, { access: "read" });
    const check = await state.journal.verify();
    assert.ok(!check.ok);
    assert.deepEqual(
      [check.problem.file, check.problem.line, check.problem.entry],
      [join(place, first), 2, 2],
    );
  }
  rmSync(join(place, first));
  await using state = await openSampleState(place, { access: "read" });
  assert.match(JSON.stringify(await state.journal.verify()), /where 1 should be/);
});

test("a repair begins a new chain that names the damaged files, and gives up nothing else", async () => {
  const place = folder();
  await written(place, 20);
  const options = { folder: place, clock: () => 0, gates: "g".repeat(64) };
  assert.deepEqual(await repairState(options), { repaired: false, entries: 20 });
  const text = readFileSync(join(place, "journal.jsonl"), "utf8");
  writeFileSync(join(place, "journal.jsonl"), `rubbish\n${text}`);
  const damagedFiles = filesOf(place);
  await assert.rejects(
    openSampleState(place),
    /line 1 of journal\.jsonl, entry \d+: it is not JSON.*journal repair/,
  );
  const result = await repairState(options);
  assert.ok(result.repaired);
  assert.match(result.damage, /^line 1 of journal\.jsonl/);
  assert.deepEqual(readdirSync(result.asideTo).sort(), damagedFiles);
  assert.equal(readFileSync(join(result.asideTo, "journal.jsonl"), "utf8"), `rubbish\n${text}`);
  await written(place, 3);
  await using state = await openSampleState(place);
  assert.partialDeepStrictEqual(await state.journal.verify(), { ok: true, entries: 24 });
  const [begin] = await Array.fromAsync(state.journal.entries());
  assert.equal(begin?.sequence, 21);
  assert.equal(begin?.detail["event"], "journal-repaired");
  assert.match(JSON.stringify(begin?.detail), /"sha256":"[0-9a-f]{64}"/);
});

test("a repair helps where the journal or its head is missing", async () => {
  for (const lose of [
    (place: string) => rmSync(join(place, "journal.jsonl")),
    (place: string) => {
      const database = new DatabaseSync(join(place, "state.db"));
      database.exec("DELETE FROM meta WHERE key = 'journal-head'");
      database.close();
    },
  ]) {
    const place = folder();
    await written(place, 3);
    lose(place);
    await assert.rejects(openSampleState(place), /journal repair/);
    assert.equal(
      (await repairState({ folder: place, clock: () => 0, gates: "g".repeat(64) })).repaired,
      true,
    );
    await using state = await openSampleState(place);
    assert.equal((await state.journal.verify()).ok, true);
  }
});

test("a database that is older than the journal is told", async () => {
  const place = folder();
  await written(place, 3);
  const old = folder();
  cpSync(place, old, { recursive: true });
  {
    await using state = await openSampleState(place);
    const { turn } = await state.accept(sampleSignal(), 50);
    await state.journal.append(sampleRecord({ kind: "intent", turn: turn.id, digest: "d" }), forced);
  }
  {
    await using same = await openSampleState(place);
    assert.deepEqual(same.reports, []);
  }
  cpSync(join(place, "journal.jsonl"), join(old, "journal.jsonl"));
  await using state = await openSampleState(old);
  assert.match(state.reports.join(), /state\.db is older than the journal: .* 1 turn since/);
});

test("a folder in the journal's place is told as one, whatever its size is against the journal's", async () => {
  const place = folder();
  {
    await using state = await openSampleState(place);
    await write(state, 100);
  }
  rmSync(join(place, "journal.jsonl"));
  mkdirSync(join(place, "journal.jsonl"));
  await assert.rejects(openSampleState(place), {
    name: "StateProblem",
    code: "unwritable",
    message: `${join(place, "journal.jsonl")} is a folder, and a file belongs there. Move it aside, then try again.`,
  });
});
