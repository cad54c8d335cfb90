import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { basename, join } from "node:path";
import { test } from "node:test";
import { makeScratchFolder } from "../tools/shell/shell.fixture.ts";
import { openCommandOverlays } from "./command-overlays.ts";
import { type EndedSet, endBrokenSet } from "./end-broken-set.ts";
import { endSet } from "./set-files.ts";
import { rememberNothing, workshop } from "./workshop.fixture.ts";

test("a keeping that a fault breaks off is told by what is there: it is taken back, or all of it was made and can be undone", async (context) => {
  const { workspace, run, listing, set, state, undo } = workshop(await makeScratchFolder(context));
  execFileSync("/bin/sh", ["-ec", "cd $WORK; echo a > a; echo b > b; chmod 600 b"], {
    env: { WORK: workspace },
  });
  const before = listing();
  const paths = ["a", "b", "c"].map((name) => join(workspace, name));
  const outcomes: Record<string, string> = {};
  for (const name of ["planned", "recorded", "exchanged", "modes", "sealed"]) {
    const fault = new Error("no space left");
    const dropped: string[] = [];
    const results: EndedSet[] = [];
    const after = async (): Promise<void> => {
      const dropCommand = async (gone: string) => void dropped.push(gone);
      results.push(await endBrokenSet({ place: set(), fault, paths, dropCommand }));
    };
    const step = (reached: string): void => {
      if (reached === name) throw fault;
    };
    await assert.rejects(
      run("cd $WORK; rm a; echo more >> b; chmod 640 b; echo c > c", { step, after }),
      fault,
    );
    const [{ made, conflicts, notes } = assert.fail()] = results;
    if (made.length === 0) {
      assert.equal(listing(), before, name);
      assert.deepEqual(conflicts, ["no space left. What was changed already was taken back."]);
      assert.deepEqual(dropped, [basename(set())]);
    } else {
      assert.deepEqual([made, conflicts], [paths, []]);
      assert.deepEqual(notes, ["no space left. What the command changed was made all the same."]);
      assert.deepEqual((await undo(set(), `undo-${name}`)).conflicts, []);
      await endSet(join(state, `undo-${name}`));
      assert.equal(listing(), before, name);
    }
    outcomes[name] = made.length === 0 ? "taken back" : "made";
  }
  assert.deepEqual(outcomes, {
    planned: "taken back",
    recorded: "taken back",
    exchanged: "taken back",
    modes: "made",
    sealed: "made",
  });
});

test("where the state cannot note a command's changes, nothing of them is made, and the reason is told", async (context) => {
  const folder = await makeScratchFolder(context);
  const { workspace, listing } = workshop(folder);
  const overlays = openCommandOverlays(join(folder, "sets"), {
    ...rememberNothing,
    recordCommand: () => Promise.reject(new Error("state.db could not be written")),
  });
  const overlay = await overlays.open(workspace);
  assert.ok(typeof overlay !== "string", String(overlay));
  await using _ = overlay;
  const [program = "", ...enter] = overlay.enter;
  execFileSync(program, [...enter, "/bin/sh", "-ec", "echo x > $WORK/x"], { env: { WORK: workspace } });
  const before = listing();
  const { made, conflicts } = await overlays.keep(overlay, { turn: "t", session: "s" });
  assert.deepEqual(made, []);
  assert.deepEqual(conflicts, ["state.db could not be written. What was changed already was taken back."]);
  assert.equal(listing(), before);
});
