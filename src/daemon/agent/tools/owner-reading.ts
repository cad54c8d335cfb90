import type { Provider } from "../../../reason/model/model-port.ts";
import { choiceIn } from "../../../signal/chosen-model.ts";
import type { OwnerCommandParts } from "../../commands/owner-commands.ts";
import type { LoopResources } from "../resources/loop-resources.ts";
import type { JudgeReadingParts } from "./judge-reading.ts";
import type { NotesListParts } from "./show-notes.ts";
import type { OrgTreeParts } from "./show-org-tree.ts";
import { makeTreeKeeper } from "./tree-keeper.ts";

/** What the owner's own reading of files needs of the loop. */
type ReadingParts = Pick<JudgeReadingParts, "prepare" | "journal"> & {
  readonly providers: () => ReadonlyMap<string, Provider>;
};

/** Characters of lists of notes that wait for their next page. */
const mostKept = 2_000_000;

/**
 * Makes the commands by which the owner hands a file over, or asks for its tree or for a list of notes. Each
 * is loaded when it is
 * first used.
 */
export function makeOwnerReading(
  { state, policy, notes, privateText, semanticIndex, clock }: LoopResources,
  { prepare, journal, providers }: ReadingParts,
): Pick<OwnerCommandParts, "attachFile" | "showOrgTree" | "showNotes"> {
  const reading = { state, policy, notes, privateText, prepare, journal };
  const trees: { kept?: OrgTreeParts["trees"] } = {};
  const lists: NotesListParts["lists"] = makeTreeKeeper(mostKept);
  return {
    async attachFile(path, by) {
      const { attachFile, modelsOf } = await import("./attach-file.ts");
      const { order } = policy.cascade();
      const chosen = choiceIn(order, await state.chosenModels.of(by.signal.session));
      const models = () => modelsOf(chosen, order, providers());
      return attachFile({ ...reading, models }, path, by);
    },
    async showOrgTree(request, by) {
      const { openTrees, showOrgTree } = await import("./show-org-tree.ts");
      trees.kept ??= openTrees();
      return showOrgTree({ ...reading, trees: trees.kept }, request, by);
    },
    async showNotes(request, by) {
      const { showNotes } = await import("./show-notes.ts");
      return showNotes({ notes, state, semanticIndex, policy, clock, lists }, request, by);
    },
  };
}
