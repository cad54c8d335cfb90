import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeOrgText, linksByEntry, parseOrg, printOrg, scanOutline, treeToJson } from "#org";
import { makePlainNotes } from "../test/org/tree-notes.ts";

// How fast Org files are read, in megabytes of UTF-8 a second of the processor: over the corpus beside the checkout, or over made-up notes.
const corpus = join(import.meta.dirname, "../../shared/data/org/corpus");
const here = existsSync(corpus);
const texts = here
  ? readdirSync(corpus).map((name) => decodeOrgText(readFileSync(join(corpus, name))).text)
  : Array.from({ length: 1500 }, (_, seed) => makePlainNotes(seed));
const megabytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6;
const rounds = 12;

process.stdout.write(
  `${texts.length} files, ${megabytes.toFixed(1)} MB ${here ? "of the corpus" : "made up"}\n`,
);
measure("outline", " (target 20 MB/s)", (text) => scanOutline(text).headlines.length);
measure("outline, and the links of all entries", "", (text) => linksByEntry(scanOutline(text)).size);
measure("whole tree", " (target 3 MB/s)", (text) => parseOrg(text).children.length);
measure("whole tree, printed back", "", (text) => printOrg(text, parseOrg(text)).length);
measure("whole tree as JSON", "", (text) => {
  let length = 0;
  for (const piece of treeToJson(text, parseOrg(text))) length += piece.length;
  return length;
});

/** Prints the best and the middle of some rounds over all texts. */
function measure(name: string, target: string, once: (text: string) => number): void {
  const rates: number[] = [];
  let seen = 0;
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    for (const text of texts) seen += once(text);
    const { user, system } = process.cpuUsage(before);
    rates.push(megabytes / ((user + system) / 1e6));
  }
  rates.sort((one, other) => other - one);
  const [best = 0] = rates;
  const middle = rates[rounds >> 1] ?? 0;
  const what = seen > 0 ? "" : " of nothing";
  process.stdout.write(`${name}${what}: ${middle.toFixed(1)} MB/s, at best ${best.toFixed(1)}${target}\n`);
}
