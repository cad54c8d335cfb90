// Key press to paint with 10,000 messages in the history and while a long answer streams, resize, idle bytes, and memory.
import { setTimeout as pause } from "node:timers/promises";
import { openApp, painted } from "../src/tui/screen.fixture.ts";

const messages = 10_000;
const keys = 400;
const after: (() => void)[] = [];

const world = openApp({ after: (done: () => void) => void after.push(done) }, { columns: 120, rows: 40 });
const { terminal, turn, app } = world;
const paragraph =
  "The roses are watered on **Saturday** now, and `plan.txt` says so. [See the list](https://a.example) of what is due:\n\n- one\n- two\n\n```ts\nconst due = [1, 2, 3];\n```\n";
await pause(700);
for (let index = 0; index < messages; index += 1) {
  app.conversation.addWords(`w${index}`, `message ${index}: what is due?`);
  turn(`t${index}`).answered(`${index}. ${paragraph}`);
}
await painted(terminal);

const percentile = (times: readonly number[], share: number): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;
const show = (name: string, times: readonly number[]): void => {
  const [middle, most] = [percentile(times, 0.5), percentile(times, 0.95)];
  console.log(`${name}: median ${middle.toFixed(2)} ms, 95th percentile ${most.toFixed(2)} ms`);
};

/** Milliseconds from a key to the bytes of its frame. */
async function press(key: string): Promise<number> {
  const before = terminal.written.length;
  const began = performance.now();
  terminal.type(key);
  while (terminal.written.length === before) await new Promise((resolve) => process.nextTick(resolve));
  return performance.now() - began;
}

const typed: number[] = [];
for (let index = 0; index < keys; index += 1) {
  typed.push(await press(index % 8 === 7 ? " " : "x"));
  await pause(2);
}
show(`key to paint, ${messages} messages`, typed);

const scrolled: number[] = [];
for (let index = 0; index < keys; index += 1) {
  scrolled.push(await press(index % 4 === 3 ? "\u001b[6;2~" : "\u001b[5;2~"));
  await pause(2);
}
show("scroll by a page", scrolled);
terminal.type("\u001b[1;5F");

const streamed: number[] = [];
const long = paragraph.repeat(500).slice(0, 100_000);
for (let at = 0; at < long.length; at += 200) {
  turn("long").chunk(long.slice(at, at + 200));
  streamed.push(await press("y"));
  await pause(1);
}
show("key to paint while 100 kB stream in", streamed);

const resized: number[] = [];
const bytes: number[] = [];
for (let index = 0; index < 20; index += 1) {
  await pause(20);
  const before = terminal.written.length;
  const began = performance.now();
  terminal.resize(100 + index, 40);
  while (terminal.written.length === before) await pause(0);
  resized.push(performance.now() - began);
  await pause(30);
  bytes.push(terminal.written.slice(before).join("").length);
}
show("resize", resized);
console.log(`resize: ${Math.max(...bytes)} bytes of at most ${2 * 120 * 40}`);

turn("long").answered(long);
await pause(5_000);
const before = terminal.written.length;
await pause(10_000);
console.log(`idle: ${terminal.written.length - before} writes in 10 s`);
console.log(
  `resident: ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB with xterm.js and the type stripper`,
);
for (const done of after) done();
process.exit();
