import type { Outcome } from "../../../signal/tool.ts";
import { isJsonObject } from "../../../text/json.ts";
import { valueOrMessage } from "../../shell/execute.ts";
import type { CommandPlan } from "../../shell/plan.ts";
import { saysRefusedRename } from "../../shell/refused-renames.ts";
import type { Execution, RunOverlay } from "../../shell/shell-ports.ts";
import type { CommandOverlays } from "../../trial/command-overlays.ts";
import { namedPaths, planCopies } from "../../trial/plan-copies.ts";
import { reachesHosts } from "./label-of-workspace.ts";

type Overlay = RunOverlay["overlay"];

/** A line that runs over overlays of a workspace. */
type OverlaidLine = Pick<Execution, "cancel" | "terminal" | "view"> & {
  readonly overlays: CommandOverlays;
  readonly workspace: string;
  readonly cwd: string;
  readonly cmd: string;
  readonly plan: CommandPlan;
};

/**
 * The further runs of a line that renamed a folder where the kernel refuses that: each is one from the start,
 * over a fresh overlay in which folders are copied. First those are that the line or its output names, and
 * then all. What the run before changed is given up.
 */
export class RenameRuns {
  readonly #line: OverlaidLine;
  readonly #covered = new Set<string>();
  readonly #pinned = new Set<string>();
  readonly #left: ("named" | "all")[];
  #copied: readonly string[] = [];

  constructor(line: OverlaidLine) {
    this.#line = line;
    // What was sent, and what a person typed, cannot be given up.
    const isBound = line.terminal !== undefined || reachesHosts(line.plan);
    this.#left = isBound ? [] : ["named", "all"];
  }

  /** Told what commands do not see as it is. */
  readonly covered: NonNullable<RunOverlay["covered"]> = ({ masked, locked, pinned }) => {
    for (const path of [...masked.map((mask) => mask.path), ...locked]) this.#covered.add(path);
    for (const path of pinned) this.#pinned.add(path);
  };

  /** The overlay for another run after one that ended so; null where there is to be none. */
  async next(outcome: Outcome): Promise<Overlay | null> {
    const { view, cancel } = this.#line;
    while (this.#left.length > 0) {
      if (cancel.aborted || !saysRefusedRename(outcome)) return null;
      const named = this.#left.shift() === "named" ? this.#named(outcome) : null;
      const overlay = await valueOrMessage(() => this.#open(named));
      if (typeof overlay === "string")
        view?.add(`The folders that the command may rename could not be copied: ${overlay}.\n`);
      else if (overlay !== null) {
        view?.add("The command renamed a folder. It runs again from the start, where it can.\n");
        return overlay;
      }
    }
    return null;
  }

  /** Null where no folder can be copied, or none that was not in the last run. */
  async #open(named: ReadonlySet<string> | null): Promise<Overlay | string | null> {
    const { overlays, workspace } = this.#line;
    const plan = await planCopies(workspace, { covered: this.#covered, pinned: this.#pinned, named });
    if (plan.folders.length === 0 || plan.folders.join("\0") === this.#copied.join("\0")) return null;
    this.#copied = plan.folders;
    return overlays.openWithCopies(workspace, plan);
  }

  #named(outcome: Outcome): ReadonlySet<string> {
    const { cmd, workspace, cwd } = this.#line;
    const content = outcome.status === "success" && isJsonObject(outcome.content) ? outcome.content : {};
    return namedPaths([cmd, content["stdout"], content["stderr"]].join(" "), workspace, cwd);
  }
}
