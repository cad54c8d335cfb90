import {
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { clientCodec } from "../src/wire/codec/codec.ts";
import { frame } from "../src/wire/codec/frame.ts";
import { type Step, startLoopbackProvider } from "../test/loopback-provider.ts";
import { startInstantProvider } from "./daemon-provider.ts";
import { connectBench, ioOf, quantile, startBenchDaemon } from "./daemon-world.ts";
import { cascadeOf, launcher, makeWorld, median } from "./world.ts";

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const ms = (figure: number): string => `${figure.toFixed(1)} ms`;
const instant: Step = { text: "Hello there.", repeat: true };
const reason = { explanation: "The owner asked for exactly this" };
/** Each waits for the disk: the message accepted and the turn answered. A call that costs money waits once more, for its intent. */
const flushesOfTurn = 2;

const parts: Readonly<Record<string, () => Promise<void>>> = {
  starts,
  idles,
  warmTurns,
  turns,
  tools,
  asks,
  crowds,
};

await warmUp();
for (const [name, part] of Object.entries(parts)) {
  if (process.argv.length === 2 || process.argv.includes(name)) await part();
}

/** Builds where that is due, so that no figure has a build in it. */
async function warmUp(): Promise<void> {
  using world = makeWorld();
  await world.run([launcher, "--version"], {});
  print(`a flush of the disk (4 KB, fdatasync): median ${ms(median(flushes(50)))}`);
}

function flushes(count: number): readonly number[] {
  const folder = mkdtempSync(join(tmpdir(), "passepartout-flush-"));
  const disk = openFlushes(folder);
  const times = Array.from({ length: count }, () => disk.flush());
  disk.close();
  rmSync(folder, { recursive: true });
  return times;
}

/** A file on the disk of a folder, and what it takes to get 4 KB at its end onto that disk. Milliseconds. */
function openFlushes(folder: string) {
  const file = openSync(join(folder, "flushed"), "w");
  return {
    flush(): number {
      writeSync(file, Buffer.alloc(4096));
      const before = performance.now();
      fdatasyncSync(file);
      return performance.now() - before;
    },
    close: () => closeSync(file),
  };
}

async function starts(): Promise<void> {
  await using provider = await startLoopbackProvider([instant]);
  const times: number[] = [];
  const idle: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    const daemon = await startBenchDaemon(cascadeOf(provider.url));
    times.push(daemon.listening);
    await pause(500);
    idle.push(daemon.resident());
    await daemon.stop();
  }
  const spread = `${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)}`;
  print(`listening after the start: median ${ms(median(times))}, ${spread} (target 200 ms)`);
  print(`idle resident memory: median ${median(idle).toFixed(0)} MB (target 80 MB)`);
}

/** Sizes and times of change of all files of the state. */
function filesOf(folder: string): string {
  const names = readdirSync(folder, { recursive: true }).map(String).sort();
  return names
    .map((name) => {
      const { size, mtimeMs } = statSync(join(folder, name));
      return `${name} ${size} ${mtimeMs}`;
    })
    .join("\n");
}

async function idles(): Promise<void> {
  await using provider = await startLoopbackProvider([instant]);
  const daemon = await startBenchDaemon({ ...cascadeOf(provider.url), HEARTBEAT_INTERVAL: "1" });
  const client = await connectBench(daemon);
  await client.say("s", "hi");
  await pause(1500);
  const before = { io: ioOf(daemon.pid), files: filesOf(daemon.state), requests: provider.requests.length };
  await pause(6000);
  const io = ioOf(daemon.pid);
  const grew = (key: string): number => (io[key] ?? 0) - (before.io[key] ?? 0);
  const requests = provider.requests.length - before.requests;
  const changed = filesOf(daemon.state) === before.files ? "no" : "some";
  const written = `${grew("write_bytes")} bytes to the disk, ${grew("wchar")} bytes in ${grew("syscw")} calls (those that only wake a thread included)`;
  print(
    `idle for 6 s, a heartbeat each second: ${requests} requests, ${changed} file changed, ${written} (target 0)`,
  );
  await client.client.close();
  await daemon.stop();
}

/** Splits a turn into what the daemon takes before it asks the provider and after it was answered, with the disk's own time at that moment beside it. */
async function warmTurns(): Promise<void> {
  await using provider = await startInstantProvider();
  const daemon = await startBenchDaemon(cascadeOf(provider.url));
  const client = await connectBench(daemon);
  const disk = openFlushes(daemon.home);
  const [before, after, waited]: [number[], number[], number[]] = [[], [], []];
  for (let turn = 0; turn < 300; turn += 1) {
    const from = provider.asked.length;
    const said = performance.now();
    const answered = await client.say("warm", `hello number ${turn}`);
    const [asked, given] = [provider.asked[from], provider.answered[from]];
    if (asked === undefined || given === undefined || turn < 60) continue;
    before.push(asked - said);
    after.push(answered - given);
    waited.push(disk.flush());
  }
  disk.close();
  const both = before.map((figure, index) => figure + (after[index] ?? 0));
  const flush = median(waited);
  const own = median(both) - flushesOfTurn * flush;
  print(
    `warm turn, without the provider's own time: message in to request out ${ms(median(before))}, answer in to answer out ${ms(median(after))}, together median ${ms(median(both))}, p95 ${ms(quantile(both, 0.95))}`,
  );
  print(
    `in it ${flushesOfTurn} flushes of the disk at ${flush.toFixed(2)} ms (median, between the turns) = ${ms(flushesOfTurn * flush)}; without them ${ms(own)} (target 5 ms beside the flushes)`,
  );
  print(`resident memory after 300 turns: ${daemon.resident().toFixed(0)} MB (target 120 MB)`);
  await client.client.close();
  await daemon.stop();
}

async function turns(): Promise<void> {
  await using provider = await startLoopbackProvider([instant]);
  const daemon = await startBenchDaemon(cascadeOf(provider.url));
  const client = await connectBench(daemon);
  for (let turn = 0; turn < 20; turn += 1) await client.say("s", `hello ${turn}`);
  print(`resident memory after 20 turns: ${daemon.resident().toFixed(0)} MB (target 120 MB)`);
  for (let turn = 0; turn < 200; turn += 1) await client.say("s", `hello ${turn}`);
  print(`resident memory after 220 turns: ${daemon.resident().toFixed(0)} MB (target 120 MB)`);
  const sessions = 8;
  const begun = performance.now();
  const each = 40;
  await Promise.all(
    Array.from({ length: sessions }, async (_, index) => {
      for (let turn = 0; turn < each; turn += 1) await client.say(`side-${index}`, `hello ${turn}`);
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  print(
    `throughput, ${sessions} sessions side by side, an instant provider: ${((sessions * each) / seconds).toFixed(0)} turns a second`,
  );
  await client.client.close();
  await daemon.stop();
}

async function tools(): Promise<void> {
  const call = (name: string, args: object): Step => ({
    calls: [{ id: "c1", name, arguments: { ...args, ...reason } }],
  });
  const steps = Array.from({ length: 100 }, () => [
    call("shell", { cmd: "ls" }),
    call("eval", { code: "1 + 1" }),
    { text: "Done." },
  ]).flat();
  await using provider = await startLoopbackProvider(steps);
  const daemon = await startBenchDaemon(cascadeOf(provider.url));
  const client = await connectBench(daemon);
  for (let turn = 1; turn <= 100; turn += 1) {
    await client.say("s", `work ${turn}`);
    if (turn === 20 || turn === 100) {
      print(
        `resident memory after ${turn} turns, each with a shell command and an eval: ${daemon.resident().toFixed(0)} MB (target 160 MB)`,
      );
    }
  }
  await client.client.close();
  await daemon.stop();
}

async function asks(): Promise<void> {
  await using provider = await startLoopbackProvider([instant]);
  const home = mkdtempSync(join(tmpdir(), "passepartout-bench-"));
  const daemon = await startBenchDaemon(cascadeOf(provider.url), home);
  using world = makeWorld(home);
  const times: number[] = [];
  for (let round = -2; round < 15; round += 1) {
    const { code, ms: took, err } = await world.run([launcher, "ask", "hi"], cascadeOf(provider.url));
    if (code !== 0) throw new Error(err);
    if (round >= 0) times.push(took);
  }
  const spread = `${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)}`;
  print(`whole ask hi with a daemon running: median ${ms(median(times))}, ${spread} (target 150 ms)`);
  await daemon.stop();
}

async function crowds(): Promise<void> {
  await using provider = await startLoopbackProvider([
    { text: Array.from({ length: 400 }, () => "thinking "), pauseMs: 20, repeat: true },
  ]);
  const daemon = await startBenchDaemon(cascadeOf(provider.url));
  const client = await connectBench(daemon);
  const begun = performance.now();
  const crowd = await Promise.all(Array.from({ length: 1000 }, () => greeted(daemon.socketPath)));
  print(`1,000 clients connected and greeted: ${ms(performance.now() - begun)}`);
  const thinking = Array.from({ length: 50 }, (_, index) => client.say(`think-${index}`, "think"));
  await provider.reached(50);
  const times: number[] = [];
  const check = frame(clientCodec.encode({ type: "health-check" }));
  for (let round = 0; round < 2; round += 1) {
    for (const socket of crowd) {
      const before = performance.now();
      const answer = new Promise<void>((resolve) => socket.once("data", () => resolve()));
      socket.write(check);
      await answer;
      times.push(performance.now() - before);
    }
  }
  print(
    `health checks of 1,000 clients while 50 sessions think: median ${ms(median(times))}, p99 ${ms(quantile(times, 0.99))}, worst ${ms(Math.max(...times))} (target p99 50 ms)`,
  );
  print(`resident memory with 1,001 clients and 50 streams: ${daemon.resident().toFixed(0)} MB`);
  await Promise.all(thinking);
  for (const socket of crowd) socket.destroy();
  await client.client.close();
  await daemon.stop();
}

function greeted(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path });
    socket.once("error", reject);
    socket.once("data", () => resolve(socket));
  });
}
