import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { openOfflineJudge } from "../src/features/inspect/open-offline-judge.ts";
import { builtInGates } from "../src/gate/built-in.ts";
import { makeJudge } from "../src/gate/make-judge.ts";
import { proposals } from "../src/gate/random-proposals.fixture.ts";
import { sampleEffects, sampleFacts } from "../src/gate/sample-action.ts";
import { canonicalJson, type Json } from "../src/text/json.ts";
import { take } from "./measure.ts";

// How long judging takes, by the judge alone and with all that prepares a proposal; and whether recorded proposals get their verdicts again.
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const judge = makeJudge(builtInGates);

/** Prints the median and the 99th percentile of times in milliseconds. */
function tell(name: string, times: number[], target: string): void {
  times.sort((one, other) => one - other);
  const at = (share: number): string => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(3);
  say(`${name}: median ${at(0.5)} ms, p99 ${at(0.99)} ms, ${times.length} times (target ${target})`);
}

const tools: number[] = [];
for (let round = 0; round < 3000; round += 1)
  for (const effect of Object.values(sampleEffects)) {
    const before = process.hrtime.bigint();
    judge([effect], sampleFacts);
    if (round >= 1000) tools.push(Number(process.hrtime.bigint() - before) / 1e6);
  }
tell("judge a tool", tools, "median 0.1 ms");

const data = join(import.meta.dirname, "../../shared/data/shell");
if (existsSync(data)) {
  const home = mkdtempSync(join(tmpdir(), "gates-time-"));
  const start = { environment: { HOME: home }, cwd: home, version: "bench" };
  const { judge: judgeAction } = await openOfflineJudge(start, "/workspace");
  const lines = ["benign", "dangerous", "gtfobins-gpl3", "recon"].flatMap((name) =>
    gunzipSync(readFileSync(join(data, `${name}.jsonl.gz`)))
      .toString("utf8")
      .trim()
      .split("\n"),
  );
  const commands = lines.map((line) => String(JSON.parse(line).cmd));
  const judgeCommand = (cmd: string) =>
    judgeAction({ target: "shell", payload: { cmd }, explanation: "a case of this benchmark" });
  for (const cmd of commands) await judgeCommand(cmd);
  // Other processes of the machine lengthen the clock's time, and hardly that of the CPU. Of the least of five rounds not even the garbage collector is a part.
  const wall: number[] = [];
  const cpu: number[] = [];
  const least: number[] = [];
  for (let round = 0; round < 5; round += 1)
    for (const [index, cmd] of commands.entries()) {
      const taken = await take(() => judgeCommand(cmd));
      wall.push(taken.wall);
      cpu.push(taken.cpu);
      least[index] = Math.min(least[index] ?? Number.POSITIVE_INFINITY, taken.wall);
    }
  const name = "parse, prepare and judge a command";
  tell(`${name}, by CPU time`, cpu, "p99 1 ms");
  tell(`${name}, by the clock`, wall, "p99 1 ms");
  tell(`${name}, by the clock, least of five`, least, "p99 1 ms");
  rmSync(home, { recursive: true });
} else say(`${data} is missing: commands are not timed`);

const seed = 20_261_122;
let same = 0;
for (const { effects, facts } of proposals(seed, 100_000)) {
  const recorded = canonicalJson(JSON.parse(JSON.stringify({ effects, facts })) as Json);
  const replayed = JSON.parse(recorded) as { effects: typeof effects; facts: typeof facts };
  const verdict = (given: typeof replayed) => JSON.stringify(judge(given.effects, given.facts));
  if (verdict({ effects, facts }) === verdict(replayed)) same += 1;
}
say(
  `replay of random proposals (seed ${seed}): ${same} of 100000 get their verdict and trace again (target all)`,
);
