import { existsSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { openTemporarySessionMemory } from "../src/memory/state/session-memory.ts";
import { bottomLabel } from "../src/signal/label.ts";
import { recallBenchCommand } from "./recall/recall-bench.ts";

// How well and how fast is found what was said, without any model. Targets: 75 % of a question's evidence among the first 10, 86 % among the first 50; 15 ms at 100,000 entries.
const data = join(import.meta.dirname, "../../shared/data/recall/conversations.json.gz");
const say = (line: string): void => void process.stdout.write(line);

if (existsSync(data)) {
  await recallBenchCommand({
    args: [data],
    environment: {},
    cwd: "/",
    version: "bench",
    outIsTerminal: false,
    outputsAreOne: false,
    inputIsPipe: false,
    errIsTerminal: false,
    input: new PassThrough(),
    output: new PassThrough(),
    onInterrupt: () => () => undefined,
    out: (line) => (line.startsWith("{") ? undefined : say(line)),
    err: say,
  });
} else say(`${data} is missing: the shares are not measured\n`);

const entries = 100_000;
const rare = Array.from({ length: 20_000 }, (_, at) => `word${at.toString(36)}`);
const common =
  "garden kitchen letter doctor school market train window water house repair paint order visit plan".split(
    " ",
  );
const random = { state: 1 };
const below = (limit: number): number => {
  random.state = (Math.imul(random.state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((random.state / 4_294_967_296) * limit);
};
const words = (count: number): string =>
  Array.from(
    { length: count },
    () => (below(3) === 0 ? common : rare).at(below(below(2) === 0 ? 15 : 20_000) % 20_000) ?? "and",
  ).join(" ");

using memory = openTemporarySessionMemory();
const begun = performance.now();
const entry = (at: number) => ({
  id: String(at),
  session: String(Math.floor(at / 50)),
  turn: null,
  speaker: at % 2 === 0 ? "owner" : "agent",
  at: at * 60_000,
  text: words(30),
  label: bottomLabel,
});
for (let at = 0; at < entries; at += 1000)
  memory.file(Array.from({ length: 1000 }, (_, more) => entry(at + more)));
say(`${entries} entries of 30 words filed in ${((performance.now() - begun) / 1000).toFixed(1)} s\n`);

const times: number[] = [];
for (let round = 0; round < 300; round += 1) {
  const question = `what did I say about ${words(1 + (round % 5))}?`;
  const before = performance.now();
  await memory.search(question, 10);
  times.push(performance.now() - before);
}
times.sort((one, other) => one - other);
const at = (share: number): string => (times[Math.floor(share * times.length)] ?? 0).toFixed(1);
say(`search: median ${at(0.5)} ms, p95 ${at(0.95)} ms (target 15 ms)\n`);
