import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { carriers } from "../src/memory/private-text/carriers.fixture.ts";
import { FingerprintSet } from "../src/memory/private-text/fingerprint-set.ts";
import { writeMemex } from "./memex.ts";

// How well private passages are found in a made-up notes folder of which every tenth node is private, and what it costs.

const key = crypto.getRandomValues(new Uint32Array(8));
/** Headings, drawers, keywords, planning lines, list items and dates: none of them is prose. */
const notProse = /^[ ]*(?:[*:#|]|- |CLOCK|SCHEDULED|DEADLINE|CLOSED|.*<\d).*$/gim;

/** The headlines of a memex, each with its own text. */
function nodesOf(count: number): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "passepartout-bench-"));
  try {
    writeMemex(folder, count, 7);
    const files = globSync("**/*.org", { cwd: folder }).sort();
    return files.flatMap((file) => readFileSync(join(folder, file), "utf8").split(/^(?=\*+ )/m));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The paragraphs of a node's prose, as words. A passage stands within one of them. */
function paragraphsOf(node: string): readonly (readonly string[])[] {
  return node
    .split(notProse)
    .map((text) => text.split(/\s+/).filter((word) => /\p{L}/u.test(word)))
    .filter((words) => words.length >= 8);
}

const median = (all: readonly number[]): number =>
  all.toSorted((one, other) => one - other)[all.length >> 1] ?? 0;

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}

const nodes = nodesOf(10_000);
const isPrivate = (index: number): boolean => index % 10 === 0;
const known = new FingerprintSet(key);
const learning = performance.now();
for (const [index, node] of nodes.entries()) if (isPrivate(index)) known.add(known.fingerprints(node));
const learned = performance.now() - learning;

let [carried, missed] = [0, 0];
for (const words of nodes.filter((_, index) => isPrivate(index)).flatMap(paragraphsOf)) {
  for (let from = 0; from + 8 <= words.length; from += 8) {
    const { carry } = carriers[carried % carriers.length] ?? { carry: (text: string) => text };
    const passage = carry(words.slice(from, from + 8).join(" "));
    carried += 1;
    if (known.find(`So: ${passage} - and so on.`).length === 0) missed += 1;
  }
}
const open = nodes.filter((_, index) => !isPrivate(index));
const passages = open
  .flatMap(paragraphsOf)
  .flatMap((words) =>
    Array.from({ length: Math.floor(words.length / 8) }, (_, at) =>
      words.slice(at * 8, at * 8 + 8).join(" "),
    ),
  );
const withheld = passages.filter((passage) => known.find(passage).length > 0).length;
const prompt = open.join("").slice(0, 100_000);
const timesOf = (set: FingerprintSet): readonly number[] =>
  Array.from({ length: 200 }, () => {
    const start = performance.now();
    set.find(prompt);
    return performance.now() - start;
  });
const times = timesOf(known);
/** As many fingerprints as ten times the nodes have. */
const large = new FingerprintSet(key);
while (large.size < 10 * known.size) large.add(crypto.getRandomValues(new Uint8Array(6 * 10_000)));

report(
  `${nodes.length} nodes, ${known.size} fingerprints, learned in ${learned.toFixed(0)} ms, ${known.bytes} bytes in memory`,
);
report(`ways of carrying ${carriers.length}; private passages of 8 words ${carried}, not found ${missed}`);
report(
  `public passages of 8 words ${passages.length}, withheld ${withheld} (${((100 * withheld) / passages.length).toFixed(3)} %)`,
);
report(
  `a prompt of 100 kB: median ${median(times).toFixed(2)} ms, least ${Math.min(...times).toFixed(2)} ms`,
);
report(
  `${10 * nodes.length} nodes: ${large.size} fingerprints, ${large.bytes} bytes in memory; a prompt of 100 kB: median ${median(timesOf(large)).toFixed(2)} ms`,
);
