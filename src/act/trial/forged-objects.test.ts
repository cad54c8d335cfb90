import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { forgedObjects } from "./forged-objects.ts";

/** A repository, the pack that a command puts into it, and what is said of that in so many milliseconds. */
function packWorld(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "forged-objects-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const [work, upper] = [join(folder, "work"), join(folder, "upper")];
  mkdirSync(work);
  const git = (at: string, ...args: string[]): unknown =>
    execFileSync("git", ["-C", at, "-c", "user.name=A", "-c", "user.email=a@b", ...args]);
  git(work, "init", "-q");
  writeFileSync(join(work, "a.txt"), "a\n");
  git(work, "add", ".");
  git(work, "commit", "-qm", "one");
  cpSync(work, upper, { recursive: true });
  git(upper, "repack", "-adq");
  const pack = ".git/objects/pack";
  const names = readdirSync(join(upper, pack)).filter((name) => /\.(?:pack|idx)$/.test(name));
  const exchanges = names.map((name) => ({
    path: join(work, pack, name),
    was: null,
    incoming: join(upper, pack, name),
    becomes: "file" as const,
  }));
  const verified = new Map<string, boolean | null>();
  const judging = { overlay: { folder: work, upper } as never, label: {} as never, verified };
  return {
    pack: join(upper, pack, names.find((name) => name.endsWith(".pack")) ?? ""),
    said: async (longest: number) =>
      (await forgedObjects({ exchanges }, { ...judging, longest })).map((each) => each.executedLater),
  };
}

test("a pack that nobody could look through asks, and is not called forged", async (t) => {
  const [said = "", ...more] = await packWorld(t).said(0);
  assert.match(said, /could not be looked through/);
  assert.deepEqual(more, []);
});

test("the same bytes of a pack are looked through once", async (t) => {
  const { pack, said } = packWorld(t);
  assert.deepEqual(await said(300_000), []);
  assert.deepEqual(await said(0), [], "known from before");
  const bytes = readFileSync(pack);
  bytes[20] = 255 - (bytes[20] ?? 0);
  rmSync(pack);
  writeFileSync(pack, bytes);
  assert.match((await said(300_000)).join(), /is not what its name says/);
});
