import assert from "node:assert/strict";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { isJsonObject, type JsonObject } from "../../src/text/json.ts";
import { type Codec, clientCodec, daemonCodec } from "../../src/wire/codec/codec.ts";
import { frame, makeFrameReader } from "../../src/wire/codec/frame.ts";
import { anyMessage } from "../../src/wire/codec/schema.fixture.ts";
import { clientMessages, daemonMessages, judgementNames } from "../../src/wire/codec/schema-messages.ts";
import { makeRandom } from "../make-random.ts";
import { mutate } from "./mutate.ts";

/** How many mutations, from which seed. The same plan makes the same bytes. */
export type FuzzPlan = { readonly count: number; readonly seed: number };

/** What became of the mutations. `peak` is the most memory that the process grew by, in bytes. */
export type FuzzReport = {
  readonly plan: FuzzPlan;
  readonly taken: number;
  /** Counts by the code of what was refused. */
  readonly refused: ReadonlyMap<string, number>;
  /** Milliseconds that the slowest mutation took. */
  readonly slowest: number;
  readonly peak: number;
};

const ofCorpus = 400;
const codePoints = 65_536;

/** Feeds mutated frames, in random pieces, to a frame reader and both decoders. What throws, or is taken against the rules, fails with the bytes and their number. */
export function fuzz(plan: FuzzPlan): FuzzReport {
  const corpus = makeCorpus(plan.seed);
  const refused = new Map<string, number>();
  const before = process.memoryUsage().rss;
  let [taken, slowest, peak] = [0, 0, 0];
  for (let number = 0; number < plan.count; number++) {
    const random = makeRandom(plan.seed * 1_000_003 + number);
    const bytes = mutate(corpus[number % corpus.length] ?? Buffer.alloc(0), corpus, random);
    const begun = performance.now();
    try {
      for (const code of feed(bytes, random)) {
        if (code === null) taken += 1;
        else refused.set(code, (refused.get(code) ?? 0) + 1);
      }
    } catch (cause) {
      const input = bytes.toString("latin1").slice(0, 2000);
      throw new Error(`Mutation ${number} of seed ${plan.seed} broke a rule: ${JSON.stringify(input)}`, {
        cause,
      });
    }
    slowest = Math.max(slowest, performance.now() - begun);
    if (number % 1000 === 0) peak = Math.max(peak, process.memoryUsage().rss - before);
  }
  return { plan, taken, refused, slowest, peak };
}

/** Frames of messages of every type, both ways. */
function makeCorpus(seed: number): readonly Buffer[] {
  const sample = (codec: Codec, messages: fc.Arbitrary<JsonObject>): Buffer[] =>
    fc
      .sample(messages, { seed, numRuns: ofCorpus / 2 })
      .map((message) => Buffer.from(frame(codec.encode(message))));
  return [
    ...sample(clientCodec, anyMessage(clientMessages)),
    ...sample(daemonCodec, anyMessage(daemonMessages)),
  ];
}

/** Reads bytes in random pieces; the code of each refusal, null for each message that was taken. */
function feed(bytes: Buffer, random: () => number): readonly (string | null)[] {
  const reader = makeFrameReader({ codePoints });
  const codes: (string | null)[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + Math.floor(random() * random() * bytes.length);
    for (const event of reader.push(bytes.subarray(at, end))) {
      codes.push(...(event.kind === "frame" ? decodeBoth(event.text) : [event.code]));
    }
    at = end;
  }
  const last = reader.end();
  return last?.kind === "error" ? [...codes, last.code] : codes;
}

function decodeBoth(text: string): readonly (string | null)[] {
  return [daemonCodec, clientCodec].map((codec) => {
    const reading = codec.decode(text);
    if (!reading.ok) {
      assert.ok(reading.offset >= 0 && reading.offset <= text.length, "the offset lies outside the text");
      assert.ok(reading.text.length < 1000, "the message to a person is not short");
      return reading.code;
    }
    if (codec === daemonCodec) assertNothingJudged(reading.message);
    return null;
  });
}

/** No key of judgement came through in the envelope, its meta or its payload. */
function assertNothingJudged(message: JsonObject): void {
  for (const part of [message, message["meta"], message["payload"]]) {
    for (const key of isJsonObject(part) ? Object.keys(part) : []) {
      assert.ok(!judgementNames.has(key.toUpperCase()), `a client set ${key}`);
    }
  }
}

/** A report as a person reads it. */
export function describeFuzz({ plan, taken, refused, slowest, peak }: FuzzReport): string {
  const codes = [...refused].sort(([, a], [, b]) => b - a).map(([code, count]) => `  ${code}: ${count}`);
  return [
    `${plan.count} mutations (seed ${plan.seed}): ${taken} times a message was taken; refused:`,
    ...codes,
    `slowest ${slowest.toFixed(1)} ms; memory grew by at most ${(peak / 1e6).toFixed(0)} MB`,
  ].join("\n");
}

/** `npm run fuzz -- [--count N] [--seed N]`. */
function main(): void {
  const { values } = parseArgs({
    options: { count: { type: "string", default: "1000000" }, seed: { type: "string", default: "1" } },
  });
  const report = fuzz({ count: Number(values.count), seed: Number(values.seed) });
  process.stdout.write(`${describeFuzz(report)}\n`);
}

if (import.meta.main) main();
