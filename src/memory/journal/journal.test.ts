import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { digestOf } from "../../machine/digest.ts";
import type { JournalEntry } from "../../signal/journal-entry.ts";
import { canonicalJson } from "../../text/json.ts";
import { openSampleState, sampleRecord } from "../state/samples.fixture.ts";
import type { State } from "../state/state.ts";
import { StateProblem } from "../storage/state-problem.ts";
import { genesisHash, type PackedEntry, readLine, sealLine } from "./journal-chain.ts";
import { readJournal } from "./journal-reading.ts";
import { EntryPacker } from "./pack-entry.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const folder = (): string => mkdtempSync(join(root, "journal-"));
const file = (place: string): string => join(place, "journal.jsonl");
const linesOf = (place: string): string[] => readFileSync(file(place), "utf8").split("\n").slice(0, -1);
const forced = { forced: true };

async function write(place: string, count: number): Promise<void> {
  await using state = await openSampleState(place);
  for (let number = 0; number < count; number += 1) await state.journal.append(note(number), forced);
}
const note = (number: number) => sampleRecord({ kind: "note", detail: { number, text: "ü\n" } });
const packedOf = (line: string): PackedEntry => {
  const reading = readLine(line);
  assert.ok(reading.ok);
  return reading.packed;
};
const entriesOf = (place: string): Promise<readonly JournalEntry[]> =>
  Array.fromAsync(readJournal(file(place)));
const damaged = (what: RegExp) => (error: unknown) =>
  error instanceof StateProblem && error.code === "damaged-journal" && what.test(error.message);

/** Puts the head in the database back to that of an empty journal, as a power cut can. */
function forgetHead(place: string): void {
  const database = new DatabaseSync(join(place, "state.db"));
  const head = { sequence: 0, hash: genesisHash, start: 0, end: 0 };
  database.prepare("UPDATE meta SET value = ? WHERE key = 'journal-head'").run(JSON.stringify(head));
  database.close();
}

test("each entry is one line of canonical JSON with the hash of the rest and of the entry before", async () => {
  const place = folder();
  await write(place, 3);
  let previous = genesisHash;
  for (const [index, line] of linesOf(place).entries()) {
    const { hash, ...rest } = packedOf(line);
    assert.equal(line, canonicalJson({ ...rest, hash }));
    assert.equal(hash, digestOf(rest));
    assert.equal(rest.previous, previous);
    assert.equal(rest.sequence, index + 1);
    previous = hash;
  }
  for (const { gates } of await entriesOf(place)) assert.equal(gates, "g".repeat(64));
});

test("the chain goes on over openings", async () => {
  const place = folder();
  await write(place, 2);
  await write(place, 2);
  await using state = await openSampleState(place);
  assert.partialDeepStrictEqual(await state.journal.verify(), { ok: true, entries: 4 });
  assert.deepEqual(state.reports, []);
});

test("appends at once keep their order and share the chain", async () => {
  const place = folder();
  await using state = await openSampleState(place);
  const entries = await Promise.all(
    Array.from({ length: 50 }, (_, number) =>
      state.journal.append(note(number), { forced: number % 3 === 0 }),
    ),
  );
  assert.deepEqual(
    entries.map(({ sequence }) => sequence),
    entries.map((_, index) => index + 1),
  );
  assert.deepEqual(
    entries.map(({ detail: { number } }) => number),
    entries.map((_, index) => index),
  );
  assert.partialDeepStrictEqual(await state.journal.verify(), { ok: true, entries: 50 });
});

test("the tail is the last entries, oldest first, however long they are", async () => {
  const place = folder();
  await using state = await openSampleState(place);
  assert.deepEqual(await state.journal.tail(5), []);
  for (let number = 0; number < 6; number += 1) {
    const detail = { number, text: "é".repeat(40_000) };
    await state.journal.append(sampleRecord({ kind: "note", detail }), { forced: false });
  }
  const numbers = async (count: number) =>
    (await state.journal.tail(count)).map(({ detail: { number } }) => number);
  assert.deepEqual(await numbers(2), [4, 5]);
  assert.deepEqual(await numbers(100), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(await numbers(0), []);
});

test("all entries can be walked from the first", async () => {
  const place = folder();
  await write(place, 3);
  await using state = await openSampleState(place);
  const seen: number[] = [];
  for await (const { sequence } of state.journal.entries()) seen.push(sequence);
  assert.deepEqual(seen, [1, 2, 3]);
  assert.ok((await state.journal.size()) > 0);
});

test("an intent is open until its outcome, also over an opening", async () => {
  const place = folder();
  const intents = async (state: State) =>
    (await state.journal.findIntentWithoutOutcome()).map(({ sequence }) => sequence);
  {
    await using state = await openSampleState(place);
    await state.journal.append(sampleRecord({ digest: "a" }), forced);
    await state.journal.append(sampleRecord({ digest: "b" }), { forced: false });
    await state.journal.append(sampleRecord({ digest: "b", turn: "other" }), forced);
    assert.deepEqual(await intents(state), [1, 2, 3]);
    await state.journal.append(sampleRecord({ kind: "outcome", digest: "b" }), { forced: false });
    assert.deepEqual(await intents(state), [1, 3]);
  }
  await using again = await openSampleState(place);
  assert.deepEqual(await intents(again), [1, 3]);
  await again.journal.append(sampleRecord({ kind: "outcome", digest: "a" }), forced);
  assert.deepEqual(await intents(again), [3]);
});

test("a journal that is ahead of the database is caught up, its intents included", async () => {
  const place = folder();
  {
    await using state = await openSampleState(place);
    await state.journal.append(sampleRecord({ digest: "a" }), forced);
    await state.journal.append(sampleRecord({ digest: "b" }), forced);
    await state.journal.append(sampleRecord({ kind: "outcome", digest: "a" }), forced);
  }
  forgetHead(place);
  const database = new DatabaseSync(join(place, "state.db"));
  database.exec("DELETE FROM intents");
  database.close();
  await using state = await openSampleState(place);
  assert.partialDeepStrictEqual(await state.journal.verify(), { ok: true, entries: 3 });
  assert.deepEqual(
    (await state.journal.findIntentWithoutOutcome()).map(({ digest }) => digest),
    ["b"],
  );
});

test("a torn last line is moved aside and reported, and the chain goes on before it", async () => {
  const place = folder();
  await write(place, 2);
  writeFileSync(file(place), '{"at":17369', { flag: "a" });
  {
    await using state = await openSampleState(place);
    assert.match(state.reports.join(), /last line was not whole after a crash .*journal\.torn-1/);
    await state.journal.append(note(3), forced);
    assert.partialDeepStrictEqual(await state.journal.verify(), { ok: true, entries: 3 });
  }
  assert.equal(readFileSync(join(place, "journal.torn-1"), "utf8"), '{"at":17369');
  writeFileSync(file(place), "\u0000\u0000", { flag: "a" });
  await using state = await openSampleState(place);
  assert.match(state.reports.join(), /journal\.torn-2/);
});

test("a journal behind the database is damage, and is left as it is", async () => {
  const place = folder();
  await write(place, 3);
  const whole = readFileSync(file(place));
  truncateSync(file(place), whole.byteLength - 20);
  await assert.rejects(
    openSampleState(place),
    damaged(/the file ends at byte \d+, before the end of entry 3/),
  );
  assert.equal(readFileSync(file(place)).byteLength, whole.byteLength - 20);
  assert.equal(readdirSync(place).includes("journal.torn-1"), false);
});

test("a removed line is damage", async () => {
  const place = folder();
  await write(place, 4);
  const lines = linesOf(place);
  writeFileSync(file(place), `${lines.toSpliced(1, 1).join("\n")}\n`);
  await assert.rejects(
    openSampleState(place),
    damaged(
      /line 2 of journal\.jsonl, entry 2: it is entry 3 where 2 should be\. Nothing was changed\. Restore it/,
    ),
  );
});

test("a missing journal is damage", async () => {
  const place = folder();
  await write(place, 1);
  rmSync(file(place));
  await assert.rejects(openSampleState(place), damaged(/the file is missing/));
  assert.equal(readdirSync(place).includes("journal.jsonl"), false);
});

test("another entry where the head was is damage", async () => {
  const place = folder();
  await write(place, 2);
  const [first = "", last = ""] = linesOf(place);
  const { hash: _, ...rest } = packedOf(last);
  const other = { ...rest, detail: { number: 7, text: "ü\n" } };
  const forged = sealLine(
    new Map(Object.entries(other).map(([name, value]) => [name, canonicalJson(value)])),
  ).line;
  assert.equal(forged.length, last.length + 1);
  writeFileSync(file(place), `${first}\n${forged}`);
  await assert.rejects(
    openSampleState(place),
    damaged(/line 2 of journal\.jsonl, entry 2: the database has another entry/),
  );
});

test("a database without a head is damage", async () => {
  const place = folder();
  await write(place, 1);
  const database = new DatabaseSync(join(place, "state.db"));
  database.exec("DELETE FROM meta WHERE key = 'journal-head'");
  database.close();
  await assert.rejects(openSampleState(place), damaged(/does not know where it ends/));
});

test("a changed line in the middle is found by the check, with its number", async () => {
  const place = folder();
  await write(place, 4);
  const changed = linesOf(place).map((line, index) =>
    index === 1 ? line.replace('"number":1', '"number":7') : line,
  );
  writeFileSync(file(place), `${changed.join("\n")}\n`);
  await using state = await openSampleState(place, { access: "read" });
  assert.deepEqual(await state.journal.verify(), {
    ok: false,
    entries: 1,
    problem: { file: file(place), line: 2, entry: 2, what: "it does not have the content of its hash" },
  });
  await assert.rejects(
    async () => {
      for await (const entry of state.journal.entries()) assert.equal(entry.sequence, 1);
    },
    damaged(/entry 2/),
  );
});

test("whole lines after the head that do not continue the chain are damage", async () => {
  const place = folder();
  await write(place, 2);
  writeFileSync(file(place), "rubbish\n", { flag: "a" });
  await assert.rejects(openSampleState(place), damaged(/entry 3: it is not JSON/));
  assert.ok(readFileSync(file(place), "utf8").endsWith("rubbish\n"));
});

test("a line of a newer program is refused in words", async () => {
  const place = folder();
  await write(place, 1);
  writeFileSync(file(place), '{"version":3}\n', { flag: "a" });
  await assert.rejects(
    openSampleState(place),
    (error) => error instanceof StateProblem && error.code === "newer-version",
  );
});

test("a line reads only as the very bytes that were written", () => {
  const link = { sequence: 1, at: 0, gates: "g", previous: genesisHash };
  const { line } = new EntryPacker().seal(note(1), link, 0);
  assert.equal(readLine(line.slice(0, -1)).ok, true);
  assert.equal(readLine(` ${line.slice(0, -1)}`).ok, false);
  assert.equal(readLine(line.replace(":", ": ").slice(0, -1)).ok, false);
  assert.equal(readLine("[]").ok, false);
});

test("a reader cannot append", async () => {
  const place = folder();
  await write(place, 1);
  await using state = await openSampleState(place, { access: "read" });
  await assert.rejects(state.journal.append(note(1), forced), /for reading only/);
});
