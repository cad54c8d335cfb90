import { builtInGates } from "../src/gate/built-in.ts";
import { makeJudge } from "../src/gate/make-judge.ts";
import { sampleEffects, sampleFacts } from "../src/gate/sample-action.ts";

// Judging the read of one file in the workspace, with all built-in gates. Target: 20 µs.
const rounds = 20_000;
const judge = makeJudge(builtInGates);
const effects = [sampleEffects.read];
for (let round = 0; round < rounds; round++) judge(effects, sampleFacts);

const times: number[] = [];
const begun = process.hrtime.bigint();
for (let round = 0; round < rounds; round++) {
  const before = process.hrtime.bigint();
  judge(effects, sampleFacts);
  times.push(Number(process.hrtime.bigint() - before) / 1000);
}
const seconds = Number(process.hrtime.bigint() - begun) / 1e9;
times.sort((a, b) => a - b);
const at = (share: number): string => (times[Math.floor(share * (rounds - 1))] ?? 0).toFixed(1);
process.stdout.write(
  `judge a file read: median ${at(0.5)} µs, p95 ${at(0.95)} µs, ${Math.round(rounds / seconds)} a second (target 20 µs)\n`,
);
