import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { canReadAttributes } from "../sandbox/extended-attributes.ts";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { openWithCopies } from "./copied-folders.ts";
import { findDifference } from "./difference.ts";
import { planCopies } from "./plan-copies.ts";
import { recoverSets } from "./recover-sets.ts";
import { plant, workshop } from "./workshop.fixture.ts";

/** A function of the shell that renames as the system call does, and never copies. */
const renames = `rn() { perl -e 'rename $ARGV[0], $ARGV[1] or die "$!\\n"' "$1" "$2"; }; cd $WORK;`;

const special =
  "umask 0; chmod 755 d/e; mkdir d/shared; chmod 2775 d/shared; truncate -s 3M d/holes; mkdir -p d/sub/.git/objects; echo ref > d/sub/.git/HEAD; ln -s /etc/passwd d/out; touch -d 1999-01-01 d/sub; mkdir -p e/f/g h; echo g > e/f/g/file; chmod 555 e/f";

async function planted(context: TestContext) {
  const made = workshop(await makeScratchFolder(context));
  execFileSync("/bin/sh", ["-ec", `${plant}; ${special}`], { env: { WORK: made.workspace } });
  const { workspace } = made;
  return { ...made, path: (name: string) => join(workspace, name) };
}

test("a renamed folder is there with all that it was, and an undo gives it its name back", async (context) => {
  const { run, listing, path, undo, set, folderTimes } = await planted(context);
  const [before, times] = [listing(), folderTimes()];
  const { conflicts, made } = await run(`${renames} rn d renamed; rn e/f e/other`, { copies: true });
  assert.deepEqual(conflicts, []);
  assert.deepEqual(made.toSorted(), ["d", "e/f", "e/other", "renamed"].map(path));
  const moved = (text: string): string =>
    text.replaceAll(/^\.\/d(?=[/ ])/gm, "./renamed").replaceAll(/^\.\/e\/f(?=[/ ])/gm, "./e/other");
  assert.equal(listing().split("\n").sort().join("\n"), moved(before).split("\n").sort().join("\n"));
  assert.ok(statSync(path("renamed/holes")).blocks * 512 < 1_000_000);
  const inside = (text: string) => text.split("\n").filter((line) => /^\.\/(?:d|renamed)\//.test(line));
  assert.deepEqual(inside(folderTimes()).sort(), inside(moved(times)).sort());
  assert.deepEqual((await undo(set(), "undone")).conflicts, []);
  assert.equal(listing(), before);
});

test("what is renamed and renamed back, or written as it was, is no change; of the rest each change alone is", async (context) => {
  const { run, path } = await planted(context);
  const same = await run(
    `${renames} rn d x; rn d/e x 2> /dev/null || rn x d; rn h i; rn i h; rn d/e d/f; rn d/f d/e`,
    { copies: true },
  );
  assert.deepEqual([same.made, same.conflicts], [[], []]);
  const some = await run(
    `${renames} rn d x; echo more >> x/one; rm x/link; chmod 600 x/e/two; echo made > x/new; ln x/e/two x/again; rn x d`,
    { copies: true },
  );
  assert.deepEqual(
    [some.made.toSorted(), some.conflicts],
    [["d/again", "d/e/two", "d/hard", "d/link", "d/new", "d/one"].map(path), []],
  );
  assert.equal(statSync(path("d/hard")).ino, statSync(path("d/one")).ino);
  assert.equal(statSync(path("d/again")).ino, statSync(path("d/e/two")).ino);
});

test("a rename that is killed at any step is there as a whole or not at all, and can be undone", async (context) => {
  const { run, listing, state, set, undo, workspace } = workshop(await makeScratchFolder(context));
  mkdirSync(join(workspace, "d/e"), { recursive: true });
  writeFileSync(join(workspace, "d/e/file"), "mine");
  const before = listing();
  let steps = 0;
  for (let isKilled = true; isKilled; steps += 1) {
    let left = steps;
    isKilled = false;
    const step = (): void => {
      left -= 1;
      if (left >= 0) return;
      isKilled = true;
      throw new Error("killed");
    };
    const after = async (): Promise<void> => {
      if (isKilled) await recoverSets(state, { isUndoMade: async () => false, dropCommand: async () => {} });
    };
    await run(`${renames} rn d renamed`, { copies: true, step, after }).catch((fault: unknown) =>
      assert.match(String(fault), /killed/),
    );
    if (listing() === before) continue;
    assert.deepEqual((await undo(set(), `undone-${steps}`)).conflicts, []);
    assert.equal(listing(), before);
  }
  assert.ok(steps > 3, `${steps}`);
});

test("what is attached to files and folders goes with them, and what looks like a mark of an overlay is no change", async (context) => {
  if (!(await canReadAttributes())) return context.skip("install the package attr");
  const { run, path, workspace } = await planted(context);
  const set = (name: string, at: string): void =>
    void execFileSync("setfattr", ["-n", `user.${name}`, "-v", "y", path(at)]);
  for (const [name, at] of [
    ["mine", "d"],
    ["mine", "d/one"],
    ["overlay.opaque", "h"],
  ] as const)
    set(name, at);
  assert.deepEqual((await run(`${renames} rn h i; rn i h`, { copies: true })).made, []);
  assert.deepEqual((await run(`${renames} rn d renamed`, { copies: true })).conflicts, []);
  const shown = execFileSync("getfattr", ["-d", "renamed", "renamed/one"], {
    cwd: workspace,
    encoding: "utf8",
  });
  assert.equal(shown.match(/user\.mine="y"/g)?.length, 2, shown);
});

test("two folders that got each other's names are changed, also where their files have one size and time", async (context) => {
  const { run, path } = await planted(context);
  for (const name of ["one", "two"]) {
    mkdirSync(path(name));
    writeFileSync(path(`${name}/file`), name);
  }
  execFileSync("touch", ["-d", "1985-10-26", path("one/file"), path("two/file"), path("one"), path("two")]);
  const { made } = await run(`${renames} rn one x; rn two one; rn x two`, { copies: true });
  assert.deepEqual(made.toSorted(), [path("one/file"), path("two/file")]);
  assert.equal(readFileSync(path("one/file"), "utf8"), "two");
});

test("what a person changes beside a command is no change of the command, and is not undone by it", async (context) => {
  const { run, path } = await planted(context);
  const meanwhile = (): void => {
    appendFileSync(path("d/one"), "theirs");
    writeFileSync(path("d/theirs"), "theirs");
    rmSync(path("d/e/two"));
    mkdirSync(path("d/folder"));
  };
  const { made, conflicts } = await run(`${renames} rn h i; echo mine > d/mine`, { copies: true, meanwhile });
  assert.deepEqual([made.toSorted(), conflicts], [[path("d/mine"), path("h"), path("i")], []]);
  assert.match(readFileSync(path("d/one"), "utf8"), /theirs$/);
  assert.deepEqual(
    ["d/theirs", "d/e/two", "d/folder"].map((name) => existsSync(path(name))),
    [true, false, true],
  );
  const moved = await run(`${renames} rn d x`, {
    copies: true,
    meanwhile: () => writeFileSync(path("d/theirs"), "theirs again"),
  });
  assert.match(moved.conflicts.join("\n"), /d\/theirs was changed by somebody else/);
  assert.equal(readFileSync(path("d/theirs"), "utf8"), "theirs again");
});

test("copies are chosen within bounds, the named ones alone where any are named, and none of what must stay", async (context) => {
  const { workspace, path } = await planted(context);
  symlinkSync(workspace, path("loop"));
  const none: ReadonlySet<string> = new Set();
  const all = await planCopies(workspace, { covered: none, pinned: none, named: null });
  assert.deepEqual([all.folders.toSorted(), all.areAll], [["a\nb", "d", "e", "h"].map(path), true]);
  const part = await planCopies(workspace, {
    covered: new Set([path("d/sub/.git/HEAD")]),
    pinned: new Set([path("e")]),
    named: null,
  });
  const names = ["a\nb", "d/e", "d/shared", "d/sub/.git/objects", "e/f", "h"];
  assert.deepEqual([part.folders.toSorted(), part.areAll], [names.map(path), false]);
  const named = await planCopies(workspace, {
    covered: none,
    pinned: none,
    named: new Set(["d/e", "e", "e/f", "loop/d", "file", "gone"].map(path)),
  });
  assert.deepEqual([named.folders.toSorted(), named.areAll], [["d/e", "e"].map(path), false]);
  const small = { entries: 4, bytes: 1_000 };
  const few = await planCopies(workspace, { covered: none, pinned: none, named: null }, small);
  const least = ["a\nb", "d/shared", "d/sub/.git/objects", "e", "h"];
  assert.deepEqual([few.folders.toSorted(), few.areAll], [least.map(path), false]);
});

test("a folder that is not as it was planned is not copied, and nothing is left of the attempt", async (context) => {
  const { workspace, state, path } = await planted(context);
  const plan = { folders: [path("d"), path("gone")], areAll: false };
  assert.match(
    String(await openWithCopies(workspace, state, plan)),
    /was changed while it was copied|could not/,
  );
  mkdirSync(path("outside"));
  symlinkSync(path("outside"), path("through"));
  const linked = { folders: [path("through/d")], areAll: false };
  assert.match(String(await openWithCopies(workspace, state, linked)), /could not be copied/);
  assert.deepEqual(readdirSync(state), []);
});

test("a folder is copied without its place being seen, and a folder around it keeps its time", async (context) => {
  const { workspace, state, path } = await planted(context);
  const overlay = await openWithCopies(workspace, state, {
    folders: [path("e/f"), path("h")],
    areAll: false,
  });
  assert.ok(typeof overlay !== "string", String(overlay));
  await using _ = overlay;
  await using shown = await overlay.openFolder(workspace);
  assert.deepEqual(readdirSync(shown.at()).sort(), readdirSync(workspace).sort());
  assert.equal(statSync(shown.at("e")).mtimeMs, statSync(path("e")).mtimeMs);
  const { exchanges, modes, times, links } = await findDifference(overlay);
  assert.deepEqual([exchanges, modes, times, links], [[], [], [], []]);
});
