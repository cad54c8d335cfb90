import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEntries } from "../src/memory/org/entries.ts";
import { linksOf } from "../src/memory/org/links.ts";
import { decodeOrgText } from "../src/memory/org/org-text.ts";
import { rescan } from "../src/memory/org/rescan.ts";
import { scanOutline } from "../src/memory/org/scan-outline.ts";
import { parseOrg } from "../src/memory/org/syntax/tree.ts";
import { writeMemex } from "./memex.ts";

// How fast text of Org is read: over made-up notes, and over the corpus of real files where it is there. Targets: outline 20 MB/s, full tree
// 3 MB/s (Emacs 1.6 to 1.9), an edit in a file of 5 MB about 1 ms besides moving what follows it.
const runs = 7;

type Texts = { readonly name: string; readonly texts: readonly string[] };

function orgFilesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".org"))
    .sort()
    .map((name) => decodeOrgText(readFileSync(join(folder, name))).text);
}

function madeUp(): Texts {
  const folder = mkdtempSync(join(tmpdir(), "org-bench-"));
  try {
    const { nodes } = writeMemex(folder, 10_000);
    return { name: `${nodes} made-up nodes`, texts: orgFilesIn(folder) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function corpus(): readonly Texts[] {
  const folder = join(import.meta.dirname, "../../shared/data/org/corpus");
  try {
    const texts = orgFilesIn(folder);
    return [{ name: `${texts.length} real files`, texts }];
  } catch (error) {
    process.stdout.write(`no corpus here: ${error instanceof Error ? error.message : error}\n`);
    return [];
  }
}

/** The least processor time of some runs, in milliseconds: other work on the machine does not count. */
function processorTime(run: () => void): number {
  const times = Array.from({ length: runs }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.max(Math.min(...times), 0.001);
}

function speed(what: string, texts: readonly string[], read: (text: string) => unknown): void {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const ms = processorTime(() => texts.forEach((text) => void read(text)));
  process.stdout.write(`  ${what}: ${(bytes / 1000 / ms).toFixed(1)} MB/s\n`);
}

const all = [madeUp(), ...corpus()];
for (const { name, texts } of all) {
  process.stdout.write(`${name}, ${(texts.join("").length / 1e6).toFixed(1)} MB\n`);
  speed("outline (target 20)", texts, (text) => scanOutline(text));
  speed("outline and entries", texts, (text) => readEntries(scanOutline(text), "file"));
  speed("outline and links", texts, (text) => {
    const outline = scanOutline(text);
    for (const headline of [null, ...outline.headlines]) linksOf(outline, headline);
  });
  speed("full tree (target 3)", texts, (text) => parseOrg(text));
}

const large = scanOutline(all[0]?.texts.join("") ?? "");
process.stdout.write(
  `an edit in a file of ${(large.text.length / 1e6).toFixed(1)} MB with ${large.headlines.length} headlines\n`,
);
for (const share of [0.01, 0.5, 0.999]) {
  const headline = large.headlines[Math.floor(large.headlines.length * share)];
  if (headline === undefined) continue;
  const at = headline.lineEnd - 1;
  const ms = processorTime(() => void rescan(large, { begin: at, end: at, insert: "x" }));
  process.stdout.write(`  at ${100 * share} %: ${ms.toFixed(1)} ms\n`);
}
