import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  openSampleState,
  sampleObject,
  sampleRecord,
  sampleSignal,
} from "../src/memory/state/samples.fixture.ts";

// Prints medians in milliseconds, beside the disk's own time to flush a small file in the same run. Asserts nothing.
// usage: node bench/memory.bench.ts [folder on the disk to measure]
const folder = mkdtempSync(join(process.argv[2] ?? tmpdir(), "memory-bench-"));
const objects = 100_000;
const author = { turn: "turn", session: "session" };

async function median(times: number, work: (round: number) => unknown): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < times; round += 1) {
    const start = performance.now();
    await work(round);
    taken.push(performance.now() - start);
  }
  return taken.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? 0;
}

function print(what: string, milliseconds: number, target: string): void {
  process.stdout.write(`${what.padEnd(58)} ${milliseconds.toFixed(3).padStart(10)} ms   ${target}\n`);
}

async function flushTime(): Promise<number> {
  const descriptor = openSync(join(folder, "flush"), "w");
  const time = await median(50, () => {
    writeSync(descriptor, Buffer.alloc(4096), 0, 4096, 0);
    fsyncSync(descriptor);
  });
  closeSync(descriptor);
  return time;
}

{
  await using state = await openSampleState(join(folder, "state"));
  print("flush of a small file (the disk itself)", await flushTime(), "");
  const label = { integrity: "user", secrecy: "public", sources: [] } as const;
  const start = performance.now();
  for (let from = 0; from < objects; from += 10_000) {
    const drafts = Array.from({ length: 10_000 }, (_, index) =>
      sampleObject(`object-${from + index}`, `Heading ${from + index} with some words of text`, { label }),
    );
    await state.objects.putAll(drafts, author);
  }
  print(`${objects} objects put, once`, performance.now() - start, "");
  print("snapshot of 100,000 objects", await median(101, () => state.objects.snapshot("bench")), "target 1");
  print(
    "save after one change in 100,000 objects",
    await median(101, (round) => state.objects.put(sampleObject("object-5", `change ${round}`), author)),
    "target 5",
  );
  const rollbacks: number[] = [];
  for (let round = 0; round < 21; round += 1) {
    const { id } = await state.objects.snapshot("bench");
    for (let change = 0; change < 100; change += 1) {
      const draft = sampleObject(`object-${change * 997}`, `round ${round} change ${change}`);
      await state.objects.put(draft, author);
    }
    const began = performance.now();
    await state.objects.rollback(id, author);
    rollbacks.push(performance.now() - began);
  }
  print("rollback of 100 changes in them", rollbacks.toSorted((a, b) => a - b)[10] ?? 0, "target 5");
  print(
    "search for two words, best ten",
    await median(21, () => state.objects.search("heading 777", 10)),
    "",
  );
  print(
    "signal accepted",
    await median(101, (round) => state.accept(sampleSignal({ id: `s${round}` }), 50)),
    "",
  );
  print(
    "journal entry, forced",
    await median(101, () => state.journal.append(sampleRecord(), { forced: true })),
    "",
  );
}
print(
  "state opened and closed",
  await median(11, async () => {
    await using state = await openSampleState(join(folder, "state"));
    return state.reports;
  }),
  "",
);
rmSync(folder, { recursive: true });
