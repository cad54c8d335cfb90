import type { ChangePreview, FileDiff, MadePreview } from "../../../signal/file-diff.ts";
import { bottomLabel, joinAll, joinLabels, type Label } from "../../../signal/label.ts";
import { isInside } from "../../../text/is-inside.ts";
import { entryIfThere } from "../../files/status-if-there.ts";
import { inBatches } from "../../shell/in-batches.ts";
import type { ShellPorts } from "../../shell/shell-ports.ts";

/** What a line that was not tried changed in files: only its run knows that. */
export class MadeChanges {
  #made: readonly FileDiff[] = [];
  #label = bottomLabel;

  /**
   * Makes the changes, and remembers of what a run would change what of it was made, by paths of files and
   * folders. A diff has the label of the contents that it shows, as they were and as they are.
   */
  async keep<Kept extends { readonly made: readonly string[] }>(
    diffs: readonly FileDiff[],
    { labelOfRead }: Pick<ShellPorts, "labelOfRead">,
    make: () => Promise<Kept>,
  ): Promise<Kept> {
    const labelOf = async (): Promise<Label> => {
      const shown = diffs.filter(({ diff }) => diff !== "");
      const read = async ({ path }: FileDiff): Promise<Label> =>
        (await labelOfRead?.({ path, tree: false })) ?? bottomLabel;
      return joinAll(await Array.fromAsync(inBatches(shown, read)));
    };
    const before = await labelOf();
    const kept = await make();
    this.#made = diffs.filter(({ path }) => kept.made.some((each) => isInside(each, path)));
    this.#label = joinLabels(before, await labelOf());
    return kept;
  }

  /** The files that are there since. */
  get paths(): readonly string[] {
    return this.#made.filter(({ change }) => change !== "delete").map(({ path }) => path);
  }

  /** Shows them once the line ran. What got another name since is told by the outcome. */
  preview(label: Label): ChangePreview {
    return { label, diffs: () => Promise.resolve([]), made: () => this.#there(label) };
  }

  async #there(label: Label): Promise<MadePreview> {
    const found = await Promise.all(
      this.#made.map(async (diff) => diff.change === "delete" || (await entryIfThere(diff.path)) !== null),
    );
    return { label: joinLabels(label, this.#label), diffs: this.#made.filter((_, at) => found[at]) };
  }
}
