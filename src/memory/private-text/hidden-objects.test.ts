import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { HiddenObjects } from "./hidden-objects.ts";
import { looseFile } from "./loose-objects.ts";

function git(cwd: string, ...words: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...words], { cwd });
}

/** Repositories with a secret file each, in a folder of their own. */
function makeRepositories(t: TestContext, names: readonly string[]): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "passepartout-hidden-")));
  t.after(() => rmSync(root, { recursive: true }));
  for (const name of names) {
    git(root, "init", "-q", name);
    writeFileSync(join(root, name, ".env"), "secret");
    git(join(root, name), "add", ".");
    git(join(root, name), "commit", "-qm", "one");
  }
  return root;
}

const objectsIn = (root: string): HiddenObjects =>
  new HiddenObjects({
    isSecretPath: (path) => path.endsWith("/.env"),
    searchPath: "/usr/bin:/bin",
    makeFolder: async () => mkdtempSync(join(root, "masks-")),
  });

test("a look into repositories is ended at once by its signal, and looks again later", async (t) => {
  const root = makeRepositories(t, ["one"]);
  const pipe = join(root, "pipe");
  execFileSync("mkfifo", [pipe]);
  appendFileSync(join(root, "one/.git/config"), `[include]\n\tpath = ${pipe}\n`);
  const objects = objectsIn(root);
  const asked = { repositories: [join(root, "one/.git")], used: null, present: [] };
  const stop = new AbortController();
  const stopped = assert.rejects(objects.masksOf({ ...asked, cancel: stop.signal }), /aborted/);
  const waits = assert.rejects(objects.masksOf({ ...asked, cancel: stop.signal }), /aborted/);
  // Git waits for the pipe: it opens for a writer once git reads it.
  for (;;) {
    try {
      closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK));
      break;
    } catch {
      await setTimeout(10);
    }
  }
  stop.abort();
  await Promise.all([stopped, waits]);
  git(root, "config", "--file", "one/.git/config", "--unset", "include.path");
  const masks = await objects.masksOf({ ...asked, cancel: new AbortController().signal });
  assert.ok(masks.length > 0 && masks.every(({ kind, standIn }) => kind === "file" || standIn !== undefined));
});

test("of a repository that is not used all objects are covered, unless a used one borrows from it", async (t) => {
  const root = makeRepositories(t, ["one", "two"]);
  git(root, "clone", "-q", "--shared", "two", "borrower");
  const objects = objectsIn(root);
  const repositories = ["one", "two", "borrower"].map((name) => join(root, name, ".git"));
  const masksFor = (named: readonly string[]) =>
    objects.masksOf({
      repositories,
      used: { cwd: root, named: named.map((name) => join(root, name)) },
      present: [],
      cancel: new AbortController().signal,
    });
  const whole = (name: string) => ({ path: join(root, name, ".git/objects"), kind: "folder" });
  const all = new Map((await masksFor([])).map((mask) => [mask.path, mask]));
  assert.deepEqual([...all.values()], ["one", "two", "borrower"].map(whole));
  const borrowing = await masksFor(["borrower/a.txt"]);
  assert.deepEqual(
    borrowing.filter(({ standIn, kind }) => standIn === undefined && kind === "folder"),
    [whole("one")],
  );
  assert.ok(
    borrowing.some(({ path, standIn }) => path.startsWith(whole("two").path) && standIn !== undefined),
  );
});

test("an object that could not be read at one look is read once it is whole, also where its folder's time is set back", async (t) => {
  const root = makeRepositories(t, ["one"]);
  const repository = join(root, "one/.git");
  const objects = objectsIn(root);
  const cancel = new AbortController().signal;
  const asked = { repositories: [repository], used: null, present: [], cancel };
  const hash = (...words: readonly string[]): string =>
    execFileSync("git", ["hash-object", "-w", ...words], { cwd: join(root, "one"), encoding: "utf8" }).trim();
  writeFileSync(join(root, "one/later"), "another secret");
  const blob = hash("later");
  const row = Buffer.concat([Buffer.from("100644 .env\0"), Buffer.from(blob, "hex")]);
  writeFileSync(join(root, "one/row"), row);
  const tree = hash("-t", "tree", "row");
  const file = looseFile(repository, tree);
  const whole = readFileSync(file);
  chmodSync(file, 0o644);
  writeFileSync(file, "");
  const setBack = (): void => utimesSync(dirname(file), 1, 1);
  setBack();
  const before = (await objects.masksOf(asked)).map(({ path }) => path);
  rmSync(file);
  writeFileSync(file, whole);
  setBack();
  const after = (await objects.masksOf(asked)).map(({ path }) => path);
  assert.ok(!before.includes(looseFile(repository, blob)));
  assert.ok(after.includes(looseFile(repository, blob)), after.join("\n"));
});
