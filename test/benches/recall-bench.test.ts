import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { after, test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { recallBenchCommand } from "../../bench/recall/recall-bench.ts";
import type { Io } from "../../src/kernel/io.ts";
import { exitCodes, UsageError } from "../../src/program/io.ts";

const root = mkdtempSync(join(tmpdir(), "recall-bench-"));
after(() => rmSync(root, { recursive: true, force: true }));

const said = (id: string, speaker: string, text: string) => ({
  id,
  session: 1,
  date: "1:56 pm on 8 May, 2023",
  speaker,
  text,
});
const conversation = {
  id: "c",
  turns: [
    said("1", "Ann", "I have bought a kayak!"),
    said("2", "Ben", "Nice. I am learning to bake bread."),
    said("3", "Ann", "What did you bake first?"),
    said("4", "Ben", "A loaf of rye."),
  ],
  questions: [
    { question: "What did Ann buy?", evidence: ["1"] },
    { question: "What did Ben bake first?", evidence: ["2", "4"] },
    { question: "Who has a unicorn?", evidence: ["gone"] },
    { question: "What is not in it?", evidence: [] },
  ],
};

async function run(...args: readonly string[]) {
  const printed: { out: string[]; err: string[] } = { out: [], err: [] };
  const io: Io = {
    args,
    environment: {},
    cwd: root,
    version: "0",
    outIsTerminal: false,
    outputsAreOne: false,
    inputIsPipe: false,
    errIsTerminal: false,
    input: new PassThrough(),
    output: new PassThrough(),
    onInterrupt: () => () => undefined,
    out: (text) => void printed.out.push(text),
    err: (text) => void printed.err.push(text),
  };
  const code = await recallBenchCommand(io);
  return { code, err: printed.err.join(""), lines: printed.out.join("").trimEnd().split("\n") };
}

const lineSchema = z.object({
  conversation: z.string().optional(),
  question: z.string().optional(),
  ids: z.array(z.string()).default([]),
});
const shareSchema = z.object({ ofEachQuestion: z.number(), ofAll: z.number() });
const sharesSchema = z.object({
  questions: z.number(),
  evidence: z.number(),
  first: z.record(z.string(), shareSchema),
});

function sharesIn(lines: readonly string[]): z.infer<typeof sharesSchema> {
  return z.object({ shares: sharesSchema }).parse(JSON.parse(lines.at(-1) ?? "")).shares;
}

test("each question has a line with its results, best first, and the shares are counted both ways", async () => {
  writeFileSync(join(root, "talk.json"), JSON.stringify([conversation]));
  const { code, lines } = await run("talk.json", "--json");
  assert.equal(code, exitCodes.done);
  const [first, second, third] = lines.map((line) => lineSchema.parse(JSON.parse(line)));
  const last = sharesIn(lines);
  assert.equal(first?.conversation, "c");
  assert.equal(first?.question, "What did Ann buy?");
  assert.equal(first?.ids[0], "1");
  assert.deepEqual(second?.ids.slice(0, 2).toSorted(), ["2", "4"]);
  assert.deepEqual(third?.ids, []);
  assert.deepEqual([last.questions, last.evidence], [3, 4]);
  assert.deepEqual(last.first["5"], { ofEachQuestion: 2 / 3, ofAll: 3 / 4 });
});

test("a compressed file is read, and the shares are printed in words", async () => {
  writeFileSync(join(root, "talk.json.gz"), gzipSync(JSON.stringify([conversation])));
  const { lines } = await run("talk.json.gz");
  assert.equal(lines[4], "3 questions with 4 pieces of evidence");
  assert.equal(
    lines[5],
    "among the first  5: 66.7 % of a question's evidence on average, 75.0 % of all evidence",
  );
});

test("a file without conversations fails with a message, and no file is wrong usage", async () => {
  writeFileSync(join(root, "other.json"), '[{"id": "c"}]');
  for (const file of ["other.json", "missing.json"]) {
    const { code, err } = await run(file);
    assert.equal(code, exitCodes.failed);
    assert.match(err, new RegExp(`^recall-bench: ${file} has no readable conversations \\(`));
  }
  await assert.rejects(run(), UsageError);
});

const data = join(import.meta.dirname, "../../../shared/data/recall/conversations.json.gz");
const skip = existsSync(data) ? false : `${data} is missing`;

/** All conversations with `npm run long`; else the first two, with 231 questions. */
const asked = process.env["LONG"] === "all" ? undefined : 2;

test("without any model three quarters of a question's evidence are among the first ten", {
  skip,
}, async () => {
  const all = z.array(z.unknown()).parse(JSON.parse(gunzipSync(readFileSync(data)).toString()));
  writeFileSync(join(root, "some.json"), JSON.stringify(all.slice(0, asked)));
  const { lines } = await run("some.json", "--json");
  const { first } = sharesIn(lines);
  assert.ok((first["10"]?.ofEachQuestion ?? 0) >= 0.75, lines.at(-1));
  assert.ok((first["50"]?.ofEachQuestion ?? 0) >= 0.86, lines.at(-1));
});
