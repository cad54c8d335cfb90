import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type TestContext, test } from "node:test";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import type { Step } from "./exchange.ts";
import { type RecoveredSet, recoverSets } from "./recover-sets.ts";
import { endSet } from "./set-files.ts";
import { plant, workshop } from "./workshop.fixture.ts";

class Killed extends Error {}

const isUndoMade = async (): Promise<boolean> => false;

const notesOf = (sets: readonly RecoveredSet[]): readonly string[] => sets.map(({ note }) => note);

/** Ends what it is given to at its nth step, as a kill does. */
function killAt(count: number): { readonly step: Step; readonly reached: () => string | null } {
  let [left, reached]: [number, string | null] = [count, null];
  return {
    step(name) {
      left -= 1;
      if (left > 0) return;
      reached ??= name;
      throw new Killed(name);
    },
    reached: () => reached,
  };
}

async function killed(act: () => Promise<unknown>): Promise<void> {
  await assert.rejects(act, Killed);
}

/** A workspace with things of every kind, and a command that deletes, replaces, makes and moves some of them, and changes modes. */
async function planted(context: TestContext) {
  const made = workshop(await makeScratchFolder(context));
  execFileSync("/bin/sh", ["-ec", plant], { env: { WORK: made.workspace } });
  const script =
    "cd $WORK; rm d/one; ln -s file d/one; echo more >> file; mkdir new; echo x > new/x; rm -r a*; mv d/link moved; chmod 700 d; chmod 755 d/e; echo y > d/e/two";
  const left = (): readonly string[] =>
    readdirSync(made.state).filter((name) => name.startsWith("unfinished") || name.endsWith(".new"));
  return { ...made, script, left };
}

test("a keeping that is killed at any step is finished or taken back as a whole, told, and can be undone", async (context) => {
  const seen = new Set<string>();
  let kept = 0;
  const { run, listing, script, state, set, undo, left } = await planted(context);
  const before = listing();
  for (let count = 1; ; count += 1) {
    const kill = killAt(count);
    const dropped: string[] = [];
    const notes: string[] = [];
    const after = async (): Promise<void> => {
      if (kill.reached() !== null)
        notes.push(
          ...notesOf(
            await recoverSets(state, { isUndoMade, dropCommand: async (name) => void dropped.push(name) }),
          ),
        );
    };
    await run(script, { step: kill.step, after }).catch((fault: unknown) =>
      assert.ok(fault instanceof Killed),
    );
    const reached = kill.reached();
    if (reached === null) break;
    seen.add(reached);
    assert.equal(notes.length, 1, reached);
    assert.deepEqual(left(), [], reached);
    if (dropped.length > 0) {
      assert.deepEqual(dropped, [basename(set())]);
      assert.match(notes.join(), /nothing of the command is left/);
      assert.equal(listing(), before, `${count} ${reached}`);
      assert.ok(!existsSync(set()));
    } else {
      kept += 1;
      assert.match(notes.join(), /All of it was kept/);
      assert.notEqual(listing(), before);
      assert.deepEqual((await undo(set(), `undo-${count}`)).conflicts, [], reached);
      await endSet(join(state, `undo-${count}`));
      assert.equal(listing(), before, reached);
    }
  }
  assert.deepEqual([...seen].sort(), ["exchanged", "modes", "planned", "recorded", "sealed", "set aside"]);
  assert.ok(kept >= 3, `${kept} kept`);
});

test("an undo that is killed at any step is taken back as a whole, told, and can be done again", async (context) => {
  const seen = new Set<string>();
  const { run, listing, script, state, set, undo, left } = await planted(context);
  const before = listing();
  await run(script);
  await endSet(set());
  const changed = listing();
  for (let count = 1; ; count += 1) {
    const kill = killAt(count);
    await undo(set(), `undo-${count}`, kill.step).catch((fault: unknown) =>
      assert.ok(fault instanceof Killed),
    );
    const reached = kill.reached();
    if (reached === null) break;
    seen.add(reached);
    const notes = notesOf(await recoverSets(state, { isUndoMade, dropCommand: async () => {} }));
    assert.match(notes.join(), /ended during an undo.*put back/s);
    assert.equal(listing(), changed, `${count} ${reached}`);
    assert.deepEqual(left(), []);
  }
  assert.equal(listing(), before, "the last was not killed");
  assert.equal(seen.size, 6);
  const notes = notesOf(
    await recoverSets(state, { isUndoMade: async () => true, dropCommand: async () => {} }),
  );
  assert.match(notes.join(), /ended during an undo.*All of it was undone/s);
  assert.equal(listing(), before, "an undo that is noted as made stays made");
  assert.deepEqual(left(), []);
});

test("what somebody changed after the kill stays theirs, and what was there before is kept and named", async (context) => {
  const { run, state, workspace } = workshop(await makeScratchFolder(context));
  const path = (name: string): string => join(workspace, name);
  for (const name of ["a", "b"]) writeFileSync(path(name), "before");
  mkdirSync(path("d"));
  const kill = killAt(6);
  const notes: string[] = [];
  await killed(() =>
    run("cd $WORK; echo new > a; echo new > b; echo new > c", {
      step: kill.step,
      async after() {
        writeFileSync(path("a"), "theirs");
        const ended = await recoverSets(state, {
          isUndoMade,
          dropCommand: async () => assert.fail("its change was dropped"),
        });
        assert.deepEqual(
          ended.map(({ isPartly }) => isPartly),
          [true],
        );
        notes.push(...notesOf(ended));
      },
    }),
  );
  assert.equal(kill.reached(), "exchanged");
  const kept = /What was there before is kept in (\S+)\.$/m.exec(notes.join())?.[1];
  assert.ok(kept !== undefined, notes.join());
  assert.doesNotMatch(notes.join(), /nothing of the command is left/);
  assert.equal(readFileSync(kept, "utf8"), "before");
  assert.deepEqual(
    ["a", "b"].map((name) => readFileSync(path(name), "utf8")),
    ["theirs", "before"],
  );
  assert.ok(!existsSync(path("c")));
});

test("a keeping or an undo that is taken back deletes no object of a repository", async (context) => {
  const { run, workspace, state, set, undo } = workshop(await makeScratchFolder(context));
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], {
      cwd: workspace,
      encoding: "utf8",
    });
  git("init", "--quiet", "--initial-branch=garden");
  git("commit", "--quiet", "--allow-empty", "--message=Begin");
  mkdirSync(join(workspace, "a/b/c/d"), { recursive: true });
  const objects = () => readdirSync(join(workspace, ".git/objects")).sort();
  const before = objects();
  const noted = { isUndoMade, dropCommand: async () => {} };
  const script =
    "cd $WORK; mkdir .git/objects/ab; : > .git/objects/ab/$(printf %038d 0); : > x; : > a/b/c/d/last";
  const kill = (name: string): void => {
    if (name === "exchanged" && objects().includes("ab")) throw new Killed();
  };
  const after = async (): Promise<void> => void (await recoverSets(state, noted));
  await killed(() => run(script, { step: kill, after }));
  assert.deepEqual([objects(), existsSync(join(workspace, "x"))], [[...before, "ab"].sort(), false]);
  await run("cd $WORK; mkdir .git/objects/cd; : > .git/objects/cd/$(printf %038d 0); : > z");
  await endSet(set());
  assert.deepEqual((await undo(set(), "undo")).conflicts, []);
  assert.deepEqual([objects(), existsSync(join(workspace, "z"))], [[...before, "ab", "cd"].sort(), false]);
});
