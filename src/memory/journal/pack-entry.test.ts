import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Effect } from "../../signal/effect.ts";
import type { JournalRecord } from "../../signal/journal-entry.ts";
import { openSampleState, sampleRecord } from "../state/samples.fixture.ts";
import { StateProblem } from "../storage/state-problem.ts";
import { readLine } from "./journal-chain.ts";
import { JournalLines } from "./journal-lines.ts";

const root = mkdtempSync(join(tmpdir(), "memory-test-"));
after(() => rmSync(root, { recursive: true, force: true }));

const source = (number: number) => ({ id: `00000000-0000-4000-8000-${number}`, path: "/text" });

/** A model call of the turn of that number, in a conversation that names its 32 latest turns. */
function callOf(turn: number): JournalRecord {
  const sources = Array.from({ length: 32 }, (_, index) => source(turn + index));
  const effect: Effect = {
    kind: "call-model",
    target: "p1",
    label: { integrity: "agent", secrecy: "public", sources },
    reversal: "final",
    model: "m",
    local: false,
    reservedMicrodollars: 0,
  };
  const trace = [{ gate: "paths", result: "passed", reason: "inside the workspace", effects: [0] }] as const;
  return sampleRecord({
    turn: `turn-${turn}`,
    effects: [effect],
    trace,
    digest: String(turn).repeat(64).slice(0, 64),
  });
}

async function writeCalls(place: string, turns: number): Promise<readonly JournalRecord[]> {
  await using state = await openSampleState(place);
  const records = Array.from({ length: turns }, (_, turn) => callOf(turn)).flatMap((intent) => [
    intent,
    { ...intent, kind: "outcome" as const, detail: { status: "success" } },
  ]);
  for (const record of records) await state.journal.append(record, { forced: false });
  return records;
}

const linesOf = (place: string): string[] =>
  readFileSync(join(place, "journal.jsonl"), "utf8").split("\n").slice(0, -1);

test("an outcome does not say again what its intent says, nor an intent the sources of the one before", async () => {
  const place = join(root, "short");
  await writeCalls(place, 100);
  const lines = linesOf(place);
  assert.ok((lines[0]?.length ?? 0) > 2000);
  const turns = lines.slice(2).join("").length / 99;
  assert.ok(turns < 1500, `${turns} bytes a turn`);
  for (const [index, line] of lines.entries()) if (index % 2 === 1) assert.ok(line.length < 600, line);
});

test("every entry is read as it was appended: in a walk, from the end, and as an open intent", async () => {
  const place = join(root, "whole");
  const records = await writeCalls(place, 70);
  await using state = await openSampleState(place);
  const open = callOf(70);
  await state.journal.append(open, { forced: true });
  const entries = await Array.fromAsync(state.journal.entries());
  for (const [index, record] of [...records, open].entries()) {
    assert.deepEqual({ ...entries[index], ...record }, entries[index]);
  }
  assert.deepEqual(await state.journal.tail(3), entries.slice(-3));
  assert.deepEqual(await state.journal.findIntentWithoutOutcome(), entries.slice(-1));
  assert.partialDeepStrictEqual(await state.journal.verify(), { ok: true, entries: 141 });
});

test("a line that names a line which is not there is damage", async () => {
  const place = join(root, "lost");
  await writeCalls(place, 1);
  const [first = "", last = ""] = linesOf(place);
  const reading = readLine(last);
  assert.ok(reading.ok);
  const start = first.length + 1;
  for (const line of [7, start, 1_000_000]) {
    const packed = { ...reading.packed, same: { [line]: ["effects"] } };
    assert.throws(
      () => new JournalLines(join(place, "journal.jsonl")).unpack(packed, start),
      (error) =>
        error instanceof StateProblem &&
        error.code === "damaged-journal" &&
        error.message.includes(`no line of the journal begins at byte ${line}`),
    );
  }
});
