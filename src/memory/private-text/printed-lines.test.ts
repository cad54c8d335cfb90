import assert from "node:assert/strict";
import { test } from "node:test";
import { FingerprintSet } from "./fingerprint-set.ts";

const key = Uint32Array.from([0x1234567, 0x89abcdef, 0x13579bdf, 0x2468ace1, 0x5bd1e995, 0x27d4eb2f]);
/** Lines that are too short to be passages of their own, as in most notes. */
const lines = [
  "the doctor found a lump",
  "in my left lung today",
  "it has grown since spring",
  "nobody at work may know",
  "Anna drives me on Tuesday",
  "my insurance pays for half",
];
const note = `* Health\n${lines.map((line) => `- ${line}\n`).join("")}`;

const each = (show: (line: string, number: number) => string): string =>
  lines.map((line, index) => show(line, index + 1)).join("\n");

/** What programs print before and between the lines of a text. */
const printed: Readonly<Record<string, string>> = {
  "git blame -s": each((line, number) => `^9bb665d ${number}) - ${line}`),
  "git blame -sfn": each((line, number) => `${number}bb665da p.org ${number} ${number}) - ${line}`),
  "git blame with relative dates": each(
    (line, number) => `9bb665da (Ada ${number} days ago   ${number}) ${line}`,
  ),
  "git blame with raw dates": each(
    (line, number) => `9bb665da (Ada 17953625${number} +0000 ${number}) ${line}`,
  ),
  "git blame --line-porcelain": each(
    (line, number) =>
      `9bb665da4711 ${number} ${number} 1\nauthor Ada\nauthor-time 17953625${number}\nsummary one\nfilename p.org\n\t${line}`,
  ),
  "uniq -c": each((line) => `      1 - ${line}`),
  "awk with numbers": each((line, number) => `${number} ${line}`),
  "sed =": each((line, number) => `${number}\n${line}`),
  "grep -H of standard input": each((line) => `(standard input):- ${line}`),
  "grep --label": each((line) => `x:- ${line}`),
  "git grep with columns": each((line, number) => `HEAD:p.org:${number}:1:- ${line}`),
  "git diff with another mark": each((line) => `X- ${line}`),
  "git diff with a prefix": each((line) => `abc +- ${line}`),
  "a log": each((line, number) => `[2026-11-22 15:00:0${number}] INFO ${line}`),
  "JSON, a record a line": each((line, number) => JSON.stringify({ n: number, text: line })),
  YAML: each((line) => `  - text: ${line}`),
  "a table with numbers": each((line, number) => `| ${number} | ${line} |`),
  "Python's bytes": each((line) => `b'- ${line}\\n'`),
  subtitles: each((line, number) => `${number}\n00:00:0${number},000 --> 00:00:0${number},900\n${line}\n`),
  colours: each(
    (line) => `\u001b[31m-\u001b[m\u001b[31m${line.replaceAll(" ", "\u001b[m \u001b[31m")}\u001b[m`,
  ),
  "UTF-16": Buffer.from(note, "utf16le").toString("utf8"),
};

test("short lines of a private text are found behind whatever a program prints before each of them", () => {
  const known = new FingerprintSet(key);
  known.add(known.fingerprints(note));
  const around = "The quick brown fox\njumps over lazy dogs\nand so it goes\n";
  for (const [name, text] of Object.entries(printed)) {
    const whole = `${around}${text}\n${around}`;
    const found = known.find(whole);
    const shown = found.reduceRight((left, { begin, end }) => left.slice(0, begin) + left.slice(end), whole);
    assert.doesNotMatch(shown.replaceAll("\0", ""), /grown since|at work|Anna drives/, name);
    assert.match(shown, /quick brown fox/, name);
    assert.match(shown, /so it goes\n$/, name);
  }
});

test("lines of others that begin alike, and many of them, are told apart in little time", () => {
  const known = new FingerprintSet(key);
  known.add(known.fingerprints(note));
  for (const line of ["x: ", "1 ", `${"a ".repeat(100)}\n`, "author 7\n", "\n", "a1 b2 c3 \t \n"]) {
    const text = line.repeat(1_000_000 / line.length);
    const begun = process.threadCpuUsage().user;
    assert.deepEqual(known.find(text), []);
    assert.deepEqual(known.find(text.replaceAll(" ", "\n")), []);
    assert.ok((process.threadCpuUsage().user - begun) / 1000 < 2000, JSON.stringify(line.slice(0, 20)));
  }
});
