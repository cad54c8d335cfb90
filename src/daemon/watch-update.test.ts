import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { buildName, writeRecord } from "../update/builds-folder.ts";
import { watchUpdate } from "./watch-update.ts";

/** The build of this process, and another one that is installed since. */
function updated(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), "watch-update-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "dist"));
  const build = { version: "1.0.0", database: 1, files: {} };
  writeFileSync(join(root, "dist", "build.json"), JSON.stringify({ ...build, id: "two" }));
  return { ...build, id: "one", root, builds: join(root, "builds") };
}

test("an agent that is never idle lets what is said wait for a moment, so that what runs ends, and then gives way", async (t) => {
  const done: string[] = [];
  const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const waits: { readonly milliseconds: number; readonly over: () => void }[] = [];
  const watch = watchUpdate({
    own: updated(t),
    tell: (text) => void done.push(text ?? "withdrawn"),
    rehearse: async () => null,
    whenIdle: () => new Promise(() => {}),
    pauseTurns() {
      done.push("paused");
      const { promise } =
        ends[done.filter((what) => what === "paused").length - 1] ?? Promise.withResolvers();
      return { quiet: promise, resume: () => void done.push("resumed") };
    },
    held: () => null,
    wait: (milliseconds) => new Promise((over) => waits.push({ milliseconds, over })),
  });
  const waited = async (milliseconds: number): Promise<void> => {
    for (let tries = 0; waits.at(-1)?.milliseconds !== milliseconds; tries += 1) {
      assert.ok(tries < 1000, `it waits ${waits.at(-1)?.milliseconds}`);
      await turn();
    }
    waits.pop()?.over();
  };
  watch.look();
  await waited(30_000);
  assert.match(done.join(), /^Another build of version 1\.0\.0 is installed.*when nothing runs\.$/);
  await waited(20_000);
  await waited(5_000);
  assert.deepEqual(
    done.slice(1),
    ["paused", "resumed"],
    "what runs is too long: others are not held up for it",
  );
  await waited(60_000);
  ends[1]?.resolve();
  assert.equal((await watch.ready).id, "two");
  assert.deepEqual(done.slice(1), ["paused", "resumed", "paused"], "what waits is left to the other build");
});

test("a version that its owner went back to is told as used, and not as installed", async (t) => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const installed = updated(t);
  const { root, builds } = installed;
  const folder = join(builds, buildName(root, "before"));
  mkdirSync(join(folder, "dist"), { recursive: true });
  const before = { version: "0.9.0", database: 1, files: {}, id: "before" };
  writeFileSync(join(folder, "dist", "build.json"), JSON.stringify(before));
  writeRecord(builds, root, { installed: "two", before: "before", instead: "before" });
  const watch = watchUpdate({
    own: { ...installed, id: "two" },
    tell: (text) => resolve(text ?? ""),
    rehearse: async () => null,
    whenIdle: async () => {},
    pauseTurns: () => ({ quiet: Promise.resolve(), resume() {} }),
    held: () => null,
    wait: () => new Promise(() => {}),
  });
  watch.look();
  assert.equal(
    await promise,
    "Version 0.9.0 is to be used again. The agent (version 1.0.0) gives way to it when nothing runs.",
  );
});

test("a version that was told and is not installed any more is told to be gone, and no client that comes hears of it", async (t) => {
  const own = updated(t);
  const done: string[] = [];
  const watch = watchUpdate({
    own,
    tell: (text) => void done.push(text ?? "withdrawn"),
    rehearse: async () => "it needs more room.",
    whenIdle: () => new Promise(() => {}),
    pauseTurns: () => ({ quiet: new Promise(() => {}), resume: () => undefined }),
    held: () => null,
    wait: () => new Promise(() => {}),
  });
  watch.look();
  await turn();
  const manifest = { version: "1.0.0", database: 1, files: {}, id: "one" };
  writeFileSync(join(own.root, "dist", "build.json"), JSON.stringify(manifest));
  watch.look();
  watch.look();
  assert.match(
    done.join("\n"),
    /cannot take over.*\nThe other version is not installed any more, so version 1\.0\.0 goes on\.\nwithdrawn$/,
  );
});
