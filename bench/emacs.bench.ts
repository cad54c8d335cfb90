// The client for Emacs beside the terminal client, each in a terminal of tmux against the same daemon: start
// to prompt, key to paint, and a turn.
// What tmux takes itself is shown by `cat`, which paints a key at once.
import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeWorld } from "../test/agent-world.ts";
import { startDaemon } from "../test/daemon/daemon-process.ts";
import { openTerminal } from "../test/open-terminal.ts";
import { median } from "./world.ts";

const keys = Number(process.env["KEYS"] ?? 100);
const turns = Number(process.env["TURNS"] ?? 20);
const starts = Number(process.env["STARTS"] ?? 5);
const door = fileURLToPath(new URL("../src/doors/emacs", import.meta.url));

const after: (() => unknown)[] = [];
const test = { after: (done: () => unknown): void => void after.unshift(done) };
const world = await makeWorld(test, [{ text: ["It is ", "watered."], repeat: true }]);
await startDaemon(test, world);

type Terminal = Awaited<ReturnType<typeof openTerminal>>;
type Client = {
  readonly name: string;
  readonly open: () => Promise<Terminal>;
  /** What stands on the screen once something can be typed. */
  readonly ready: RegExp;
};

const lisp = `(progn (setq inhibit-startup-screen t) (require 'passepartout) (passepartout) (delete-other-windows))`;
const emacs = `emacs -nw -Q -L '${door}' --eval "${lisp}"`;
const clients: readonly Client[] = [
  {
    name: "cat alone",
    open: () => openTerminal(world, [], { command: "printf 'ready '; cat" }),
    ready: /ready/,
  },
  { name: "terminal client", open: () => openTerminal(world, ["tui"], { columns: 80 }), ready: /Enter|›/ },
  {
    name: "Emacs client",
    open: () => openTerminal(world, [], { columns: 80, command: emacs }),
    ready: /\| ready/,
  },
];

/** Milliseconds from a key to the next bytes that the terminal is sent. */
async function press(terminal: Terminal, raw: string, key: string): Promise<number> {
  const before = statSync(raw).size;
  const began = performance.now();
  terminal.type(key);
  while (statSync(raw).size === before && performance.now() - began < 5_000)
    await new Promise((resolve) => setImmediate(resolve));
  return performance.now() - began;
}

function rawOf(terminal: Terminal): string {
  return join(terminal.socket, "../raw-bytes");
}

const print = (name: string, what: string, times: readonly number[]): void => {
  const sorted = times.toSorted((a, b) => a - b);
  const most = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  process.stdout.write(
    `${name}, ${what}: median ${median(times).toFixed(0)} ms, 95 % within ${most.toFixed(0)} ms\n`,
  );
};

for (const { name, open, ready } of clients) {
  const opened: number[] = [];
  for (let round = 0; round < starts; round += 1) {
    const began = performance.now();
    await using terminal = await open();
    await terminal.shows(ready);
    opened.push(performance.now() - began);
  }
  print(name, "start to prompt", opened);
  await using terminal = await open();
  await terminal.shows(ready);
  await pause(500);
  const typed: number[] = [];
  for (let index = 0; index < keys; index += 1) {
    typed.push(await press(terminal, rawOf(terminal), "x"));
    await pause(20);
  }
  print(name, "key to paint", typed);
  if (name === "cat alone") continue;
  const turned: number[] = [];
  for (let index = 0; index < turns; index += 1) {
    terminal.type(` is it watered ${index}z`);
    await pause(300);
    const began = performance.now();
    terminal.press("Enter");
    await terminal.shows(new RegExp(`${index}z[\\s\\S]*It is watered\\.`));
    turned.push(performance.now() - began);
    await pause(100);
  }
  print(name, "a turn, from Enter to its answer on the screen", turned);
}
for (const done of after) await done();
process.exit();
