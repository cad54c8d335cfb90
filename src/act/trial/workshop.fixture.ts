import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { openOverlay, removeTree } from "../sandbox/overlay.ts";
import { keepDifference, undoSet } from "./change-sets.ts";
import type { RememberedChanges } from "./command-overlays.ts";
import { openWithCopies } from "./copied-folders.ts";
import { findDifference } from "./difference.ts";
import type { Step } from "./exchange.ts";
import { planCopies } from "./plan-copies.ts";
import { planUndoSet } from "./plan-undo-set.ts";
import { beginSet } from "./set-files.ts";

type RunOptions = {
  readonly meanwhile?: () => void;
  readonly step?: Step;
  readonly tell?: (text: string) => void;
  readonly after?: () => Promise<void>;
  /** Whether folders are copied first, so that they can be renamed. */
  readonly copies?: boolean;
};

const nothingStays = { covered: new Set<string>(), pinned: new Set<string>(), named: null };

/**
 * A workspace and a state folder in a folder, the workspace also elsewhere, and a function that runs a
 * script of the shell in an overlay, keeps what it changed, and gives the result.
 */
export function workshop(root: string, workspace = join(root, "work")) {
  const state = join(root, "state");
  for (const folder of [workspace, state]) mkdirSync(folder, { recursive: true });
  const find = (...rest: readonly string[]): string =>
    execFileSync("find", [".", "-mindepth", "1", ...rest], { cwd: workspace, encoding: "utf8" });
  /** Every entry with its kind, mode, target, size, time and number of names. A folder that stays gets a new time whenever an entry of it changes. */
  const listing = (): string =>
    [
      ...find("-type", "d", "-printf", "%p %y %m\\0").split("\0"),
      ...find("!", "-type", "d", "-printf", "%p %y %m %l %s %T@ %n\\0").split("\0"),
    ]
      .sort()
      .join("\n");
  let sets = 0;
  return {
    workspace,
    state,
    listing,
    folderTimes: () => find("-type", "d", "-printf", "%p %T@\\n").split("\n").sort().join("\n"),
    set: () => join(state, `set-${sets}`),
    /** Undoes a set; the undo is a set of that name. `step` may end it as a kill does. */
    undo: async (of: string, name: string, step?: Step) =>
      undoSet(await planUndoSet(of), {
        place: join(state, name),
        folder: workspace,
        ...(step === undefined ? {} : { step }),
      }),
    /** `step` may end the keeping as a kill does; then `after` is what comes next, while the overlay is still there. */
    run: async (
      script: string,
      { meanwhile = () => {}, after = async () => {}, copies = false, ...told }: RunOptions = {},
    ) => {
      const overlay = await (copies
        ? openWithCopies(workspace, state, await planCopies(workspace, nothingStays))
        : openOverlay(workspace, state));
      if (typeof overlay === "string") throw new Error(overlay);
      await using _ = overlay;
      const [program = "", ...enter] = overlay.enter;
      execFileSync(program, [...enter, "/bin/sh", "-ec", script], { cwd: "/", env: { WORK: workspace } });
      meanwhile();
      sets += 1;
      const place = join(state, `set-${sets}`);
      await beginSet(place, { what: "keep", folder: workspace });
      try {
        const difference = await findDifference(overlay);
        return await keepDifference(difference, { place, begun: overlay.begun, ...told });
      } finally {
        await after();
      }
    },
  };
}

/** A state that remembers no change of a command. */
export const rememberNothing: RememberedChanges = {
  recordCommand: () => Promise.resolve(),
  dropCommand: () => Promise.resolve(),
  neededCommands: () => Promise.resolve(new Map()),
};

/** Files, folders and links of every kind, in a workspace. */
export const plant = `cd $WORK; mkdir -p d/e 'a
b'; echo one > d/one; echo two > d/e/two; chmod 640 d/one; ln -s one d/link; ln d/one d/hard; touch -d 2001-02-03 d/e/two; echo x > 'a
b/-n'; echo file > file; chmod 555 d/e`;

/** A folder on another file system than the temporary files; null without one, and the test is skipped. */
export async function folderOnOtherDisk(context: TestContext): Promise<string | null> {
  const memory = "/dev/shm";
  if (existsSync(memory) && statSync(memory).dev !== statSync(tmpdir()).dev) {
    const folder = mkdtempSync(join(memory, "passepartout-test-"));
    context.after(() => removeTree(folder));
    return folder;
  }
  if (process.env["CI"] === "true")
    throw new Error("/dev/shm is missing, and with CI=true every test must run");
  context.skip("needs /dev/shm on another file system than the temporary files");
  return null;
}
