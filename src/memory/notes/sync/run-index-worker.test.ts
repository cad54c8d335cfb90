import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { locateIndexWorker, runIndexWorker } from "./run-index-worker.ts";

const world = mkdtempSync(join(tmpdir(), "run-indexing-"));
after(() => rmSync(world, { recursive: true, force: true }));

function makeFolder(name: string, files: number) {
  const folder = join(world, name);
  mkdirSync(folder);
  const text = `* A node\n${"some words of a note ".repeat(40)}\n`.repeat(100);
  for (let number = 0; number < files; number += 1) writeFileSync(join(folder, `n${number}.org`), text);
  return { folder, variables: [], file: join(world, `${name}.db`) };
}

test("the child process reports its progress, and its failure", async () => {
  const seen: number[] = [];
  const given = makeFolder("told", 30);
  await runIndexWorker(locateIndexWorker(), given, ({ done }) => void seen.push(done)).done;
  assert.equal(seen.at(-1), 30);
  const nowhere = { ...given, file: join(world, "no", "such", "folder.db") };
  await assert.rejects(
    runIndexWorker(locateIndexWorker(), nowhere, () => undefined).done,
    (error: Error) => !error.message.includes("too early") && error.message.includes("folder.db"),
  );
});

test("a child process that is stopped before it is done has failed", async () => {
  const indexing = runIndexWorker(locateIndexWorker(), makeFolder("stopped", 1), () => undefined);
  await indexing.stop();
  await assert.rejects(indexing.done, {
    message:
      "The process that indexes the notes ended too early (SIGKILL). The next sync continues its work.",
  });
});

const seesProcesses = process.platform === "linux";

test("a child process ends with its parent, however the parent ends", {
  skip: !seesProcesses,
}, async () => {
  const given = makeFolder("orphan", 400);
  const start = `
    import { runIndexWorker, locateIndexWorker } from ${JSON.stringify(new URL("./run-index-worker.ts", import.meta.url).href)};
    void runIndexWorker(locateIndexWorker(), ${JSON.stringify(given)}, () => process.stdout.write("."));`;
  const parent = spawn(process.execPath, ["--input-type=module-typescript", "--eval", start], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(parent.stdout, "data");
  const children = childrenOf(parent.pid ?? 0);
  assert.equal(children.length, 1);
  parent.kill("SIGKILL");
  for (let tries = 0; tries < 2400 && children.some(isAlive); tries += 1) await pause(50);
  assert.deepEqual(children.filter(isAlive), []);
});

function childrenOf(parent: number): readonly number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && statusOf(pid)[1] === String(parent));
}

function isAlive(pid: number): boolean {
  return !["", "Z"].includes(statusOf(pid)[0] ?? "");
}

/** The state of a process, and its parent; nothing where there is none. */
function statusOf(pid: number): readonly string[] {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    return status.slice(status.lastIndexOf(")") + 2).split(" ");
  } catch (error) {
    if (error instanceof Error && "code" in error) return [""];
    throw error;
  }
}
