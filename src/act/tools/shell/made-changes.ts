import type { ChangePreview, FileDiff } from "../../../signal/file-diff.ts";
import { isInside } from "../../../signal/is-inside.ts";
import type { Label } from "../../../signal/label.ts";
import { entryIfThere } from "../../files/status-if-there.ts";

/** What a line that was not tried changed in files: only its run knows that. */
export class MadeChanges {
  #made: readonly FileDiff[] = [];

  /** Of what a run would change, what of it was made, by paths of files and folders. */
  keep(diffs: readonly FileDiff[], made: readonly string[]): void {
    this.#made = diffs.filter(({ path }) => made.some((each) => isInside(each, path)));
  }

  /** Shows them once the line ran. What got another name since is told by the outcome. */
  preview(label: Label): ChangePreview {
    return { label, diffs: () => Promise.resolve([]), made: () => this.#there() };
  }

  async #there(): Promise<readonly FileDiff[]> {
    const found = await Promise.all(
      this.#made.map(async (diff) => diff.change === "delete" || (await entryIfThere(diff.path)) !== null),
    );
    return this.#made.filter((_, at) => found[at]);
  }
}
