import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { tendGarden } from "../src/memory/notes/garden/tend-garden.ts";
import { openNotes } from "../src/memory/notes/open-notes.ts";
import { locateIndexWorker } from "../src/memory/notes/sync/run-index-worker.ts";
import { share, takeOften } from "./measure.ts";
import { writeMemex } from "./memex.ts";

// Prints how long the gardener takes for a made-up notes folder of 100,000 nodes, or of as many as are named. Asserts nothing.
// usage: node bench/garden.bench.ts [NODES]
const nodes = Number(process.argv[2] ?? 100_000);
const world = mkdtempSync(join(tmpdir(), "garden-bench-"));
try {
  const folder = join(world, "memex");
  const { bytes, files } = writeMemex(folder, nodes);
  await using notes = openNotes({
    folder,
    variables: [],
    file: join(world, "index.db"),
    clock: Date.now,
    worker: locateIndexWorker(),
    progress: () => undefined,
    labels: { privacyTags: [], originsOf: async () => new Map() },
    yieldToEventLoop: () => setImmediate(),
    report: (message) => process.stderr.write(`${message}\n`),
  });
  await notes.sync();
  const counts = { findings: 0, repairs: 0 };
  const taken = await takeOften(3, async () => {
    const garden = await tendGarden({
      place: notes.place,
      index: notes.index,
      now: Date.now(),
      staleAfter: 180,
    });
    Object.assign(counts, { findings: garden.findings.length, repairs: garden.repairs.length });
  });
  const { wall, cpu } = share(taken, 0.5);
  process.stdout.write(
    `gardener, ${nodes} nodes in ${files} files, ${(bytes / 1e6).toFixed(0)} MB: ${(wall / 1000).toFixed(2)} s (CPU ${(cpu / 1000).toFixed(2)} s), target 5 s; ${counts.findings} findings, ${counts.repairs} repairs, no request\n`,
  );
} finally {
  rmSync(world, { recursive: true, force: true });
}
