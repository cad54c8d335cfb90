import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import {
  isTestSecretPath,
  makeScratchFolder,
  outputOf,
  sandboxFor,
  shellIn,
} from "../../src/act/tools/shell/shell.fixture.ts";
import { undoSet } from "../../src/act/trial/change-sets.ts";
import { type CommandChange, openCommandOverlays } from "../../src/act/trial/command-overlays.ts";
import { planUndoSet } from "../../src/act/trial/plan-undo-set.ts";
import type { setLimits } from "../../src/act/trial/prune-sets.ts";
import { trialBounds } from "../../src/act/trial/trials.ts";
import { rememberNothing } from "../../src/act/trial/workshop.fixture.ts";

/** A workspace whose commands are tried, with folders beside it that no trial may touch; null without bubblewrap. */
export async function court(
  context: TestContext,
  {
    trialMilliseconds = 30_000,
    timeoutMilliseconds = 30_000,
    bounds = {},
    elsewhere,
    name = "work",
    drop = rememberNothing.dropCommand,
    needed = rememberNothing.neededCommands,
    limits,
    isSecretPath = isTestSecretPath,
  }: {
    trialMilliseconds?: number;
    /** For a line that was approved. */
    timeoutMilliseconds?: number;
    bounds?: Partial<typeof trialBounds>;
    /** A folder for the workspace, on another file system than the state. */
    elsewhere?: string;
    /** The name of the workspace; a folder that is there is taken. */
    name?: string;
    drop?: (set: string) => Promise<void>;
    needed?: typeof rememberNothing.neededCommands;
    limits?: typeof setLimits;
    /** Default: that of the tests, which knows few names. */
    isSecretPath?: (path: string) => boolean;
  } = {},
) {
  const sandbox = await sandboxFor(context);
  if (sandbox === null) return null;
  const root = await makeScratchFolder(context);
  const [workspace, state, home] = [join(elsewhere ?? root, name), join(root, "state"), join(root, "home")];
  for (const folder of [workspace, state, home]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(home, "canary"), "alive");
  const sets = join(state, "commands");
  const recorded: string[] = [];
  const record = async ({ set }: CommandChange): Promise<void> => void recorded.push(set);
  const overlays = openCommandOverlays(
    sets,
    { recordCommand: record, dropCommand: drop, neededCommands: needed },
    { bounds: { ...trialBounds, ...bounds }, ...(limits && { limits }) },
  );
  assert.equal(await overlays.problem(workspace), null);
  context.after(() => overlays.trials.drop("turn"));
  const shell = shellIn(workspace, {
    sandbox,
    overlays,
    tries: true,
    isSecretPath,
    hidden: [state],
    home,
    timeoutMilliseconds,
    trialMilliseconds,
  });
  return {
    workspace,
    home,
    state,
    sandbox,
    sets,
    overlays,
    path: (name: string) => join(workspace, name),
    /** Runs a command that was approved without a trial. */
    approve: (cmd: string) => shell.run(cmd),
    prepare: shell.prepare,
    /** Undoes the last change that was kept; the reasons of what stays. */
    undo: async (): Promise<readonly string[]> => {
      const last = join(sets, recorded.at(-1) ?? "");
      return (await undoSet(await planUndoSet(last), { place: `${last}-undo`, folder: workspace })).conflicts;
    },
    /** Tries a command; its outcome, and the action of keeping what it changed. */
    attempt: async (cmd: string) => {
      const before = await shell.prepare(cmd);
      assert.ok(before.ok && before.trial !== undefined, cmd);
      const { outcome, changed } = await before.trial(new AbortController().signal);
      const after = await shell.prepare(cmd);
      assert.ok(after.ok);
      return { said: outputOf(outcome), changed, kept: after };
    },
  };
}
