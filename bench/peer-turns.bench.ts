// A warm turn's own part beside pi's, in turn in one run: ours over the socket, pi's in its RPC mode, both against a provider that answers at once.
// Reads `PI`, the path of pi's command; nothing of pi is among our dependencies. Its package is @earendil-works/pi-coding-agent.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startInstantProvider } from "./daemon-provider.ts";
import { connectBench, quantile, startBenchDaemon } from "./daemon-world.ts";
import { cascadeOf, median } from "./world.ts";

const turns = Number(process.env["TURNS"] ?? 200);
const warm = 20;
/** Turns of our own session in the second measurement, which shows whether the part grows with the history. */
const longHistory = Number(process.env["LONG"] ?? 2000);

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const program = process.env["PI"];

/** Milliseconds of the processor that all threads of a process have taken. */
function processorOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
}

/** Pi in its RPC mode, with what it says when a turn has ended. */
function startPi(path: string, url: string, home: string) {
  const settings = join(home, ".pi", "agent");
  mkdirSync(settings, { recursive: true });
  const models = { baseUrl: `${url}/v1`, api: "openai-completions", apiKey: "k", models: [{ id: "bench" }] };
  writeFileSync(join(settings, "models.json"), JSON.stringify({ providers: { loop: models } }));
  const child: ChildProcess = spawn(
    process.execPath,
    [path, "--mode", "rpc", "--provider", "loop", "--model", "bench"],
    {
      cwd: home,
      env: { PATH: process.env["PATH"], HOME: home, PI_OFFLINE: "1" },
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  let ended: (at: number) => void = () => {};
  let rest = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const at = performance.now();
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    if (lines.some((line) => line.startsWith('{"type":"agent_end"'))) ended(at);
  });
  return {
    pid: child.pid ?? 0,
    say(text: string): Promise<number> {
      const answered = new Promise<number>((resolve) => {
        ended = resolve;
      });
      child.stdin?.write(`${JSON.stringify({ type: "prompt", message: text })}\n`);
      return answered;
    },
    stop: () => void child.kill("SIGTERM"),
  };
}

type Figures = { readonly wall: number[]; readonly processor: number[] };
const provider = await startInstantProvider();

/** One turn: what it took beside the provider's own time, by the clock and of the processor. */
async function measure(pid: number, say: () => Promise<number>, figures: Figures): Promise<void> {
  const from = provider.asked.length;
  const [said, spent] = [performance.now(), processorOf(pid)];
  const ended = await say();
  const [asked, answered] = [provider.asked[from] ?? Number.NaN, provider.answered[from] ?? Number.NaN];
  figures.wall.push(asked - said + (ended - answered));
  figures.processor.push(processorOf(pid) - spent);
}

const show = (name: string, { wall, processor }: Figures): void => {
  const mean = processor.reduce((sum, one) => sum + one, 0) / processor.length;
  print(
    `${name}: median ${median(wall).toFixed(1)} ms, p10 ${quantile(wall, 0.1).toFixed(1)}, p95 ${quantile(wall, 0.95).toFixed(1)}; of the processor, all threads: median ${median(processor).toFixed(1)} ms, mean ${mean.toFixed(1)}`,
  );
};
const none = (): Figures => ({ wall: [], processor: [] });

const home = mkdtempSync(join(tmpdir(), "passepartout-peer-"));
const daemon = await startBenchDaemon(cascadeOf(provider.url));
const client = await connectBench(daemon);
const pi = program === undefined ? null : startPi(program, provider.url, home);
const [ours, theirs] = [none(), none()];
for (let turn = 0; turn < warm + turns; turn += 1) {
  const text = `hello number ${turn}`;
  const first = turn < warm;
  await measure(daemon.pid, () => client.say("s", text), first ? none() : ours);
  if (pi !== null) await measure(pi.pid, () => pi.say(text), first ? none() : theirs);
}
show(`ours, turns ${warm} to ${warm + turns}`, ours);
if (pi === null) print("pi: not measured, since PI names no pi.js");
else show(`pi, turns ${warm} to ${warm + turns}`, theirs);
pi?.stop();
if (longHistory > 0) {
  for (let turn = warm + turns; turn < longHistory; turn += 1) await client.say("s", `hello number ${turn}`);
  const [long, fresh] = [none(), none()];
  for (let turn = 0; turn < warm; turn += 1) await client.say("fresh", "hello");
  for (let turn = 0; turn < turns; turn += 1) {
    await measure(daemon.pid, () => client.say("s", `hello again ${turn}`), long);
    await measure(daemon.pid, () => client.say("fresh", `hello again ${turn}`), fresh);
  }
  show(`ours, after ${longHistory} turns`, long);
  show(`ours, a new session beside it`, fresh);
  print(
    `ratio of the medians of the processor: ${(median(long.processor) / median(fresh.processor)).toFixed(2)}`,
  );
}
await client.client.close();
await daemon.stop();
await provider[Symbol.asyncDispose]();
rmSync(home, { recursive: true, force: true, maxRetries: 5 });
