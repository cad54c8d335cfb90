import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openVectorStores } from "../src/memory/vectors/vector-store.ts";

// Prints the CPU time of a search among 100,000 made-up vectors of 384 components, all of which are compared. Asserts nothing.
const count = 100_000;
const dimensions = 384;
const searches = 40;

const folder = mkdtempSync(join(tmpdir(), "vectors-bench-"));
const stores = openVectorStores({
  file: join(folder, "vectors.db"),
  model: "made up",
  yieldToEventLoop: () => null,
});
const store = stores.notes;
const seed = { value: 42 };

/** Numbers from -1 to 1, the same in every run. */
function next(): number {
  seed.value = (Math.imul(seed.value, 1_664_525) + 1_013_904_223) | 0;
  return seed.value / 2 ** 31;
}

function vector(): Float32Array {
  return Float32Array.from({ length: dimensions }, next);
}

async function timed(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function print(name: string, value: number, unit: string): void {
  process.stdout.write(`${name.padEnd(48)}${value.toFixed(1).padStart(9)} ${unit}\n`);
}

try {
  const words = Array.from({ length: count }, (_, index) => `words ${index}`);
  const nodes = new Map(words.map((one) => [`node of ${one}`, one]));
  print("100,000 nodes placed", await timed(() => store.setTexts(nodes)), "ms");
  const filled = await timed(() => {
    for (let from = 0; from < count; from += 64) {
      store.put(words.slice(from, from + 64).map((one) => ({ words: one, vector: vector() })));
    }
  });
  print("their vectors kept, 64 at a time", filled / 1000, "s");
  print("first search, which reads them all", await timed(() => store.nearest(vector(), 20)), "ms");
  const times: number[] = [];
  for (let search = 0; search < searches; search += 1) {
    const query = vector();
    times.push(await timed(() => store.nearest(query, 20)));
  }
  const sorted = times.toSorted((one, other) => one - other);
  print("search among 100,000 x 384, median", sorted[Math.floor(searches / 2)] ?? 0, "ms");
  print("search among 100,000 x 384, 95th percentile", sorted[Math.floor(searches * 0.95)] ?? 0, "ms");
  print("resident, with all of it", process.memoryUsage().rss / 1e6, "MB");
} finally {
  stores[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
}
