import { makeWorld, talkTo } from "../test/agent-world.ts";
import { watchFileCalls } from "../test/file-calls.ts";
import { fillSlowDisk, slowDiskActs } from "../test/slow-disk-acts.ts";

// Prints how long the agent's event loop answers nobody, where each call for a file of one of its disks takes so long, and how many synchronous calls that
// disk gets in one round of the loop. The calls of `node:fs` in this process are slowed; those of SQLite, programs and other threads are not. Asserts nothing.
// usage: node bench/slow-disk.bench.ts [MILLISECONDS]
const milliseconds = Number(process.argv[2] ?? 100);

/** The longest time between two beats of the event loop, beyond the beat itself. */
function watchHolds(): { readonly longest: () => number; readonly stop: () => void } {
  const beat = 5;
  let [last, longest] = [performance.now(), 0];
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - beat);
    last = now;
  }, beat);
  return {
    longest: () => {
      const so = longest;
      [last, longest] = [performance.now(), 0];
      return so;
    },
    stop: () => clearInterval(timer),
  };
}

function row(...cells: readonly string[]): string {
  return `${cells.map((cell, at) => (at === 0 ? cell.padEnd(24) : cell.padStart(14))).join("")}\n`;
}

async function measure(disk: "workspace and notes" | "state folder"): Promise<void> {
  const ends: (() => unknown)[] = [];
  const world = await makeWorld({ after: (end: unknown) => void ends.push(end as () => unknown) });
  const notes = fillSlowDisk(world);
  const folders = disk === "state folder" ? [world.state] : [world.workspace, notes];
  const watch = watchFileCalls({
    isSlow: (path) => folders.some((folder) => path === folder || path.startsWith(`${folder}/`)),
    milliseconds,
  });
  const holds = watchHolds();
  let seen = 0;
  const report = (name: string, begun: number): void => {
    const rounds = watch.rounds().slice(seen);
    seen = watch.rounds().length;
    const most = Math.max(0, ...rounds.map(({ length }) => length));
    const took = performance.now() - begun;
    process.stdout.write(row(name, holds.longest().toFixed(0), `${most}`, took.toFixed(0)));
  };
  process.stdout.write(`\n${disk}: ${milliseconds} ms for each call\n`);
  process.stdout.write(row("", "held, ms", "calls at once", "took, ms"));
  try {
    const start = performance.now();
    await using agent = await world.open();
    const talk = await talkTo(agent);
    report("start", start);
    for (const { name, words, steps } of slowDiskActs) {
      world.provider.add(...steps);
      const begun = performance.now();
      const { end } = await talk.say(words);
      if (end === "approval-required") await talk.say(`/approve ${talk.token()}`);
      // What the end of the turn began is a part of its round.
      await new Promise(setImmediate);
      report(name, begun);
    }
  } finally {
    holds.stop();
    watch.stop();
    for (const end of ends.toReversed()) await end();
  }
}

await measure("workspace and notes");
await measure("state folder");
