import type { FilePorts } from "../../../act/files/file-ports.ts";
import type { TreeLabels } from "../../../act/files/label-of-tree.ts";
import type { Label } from "../../../signal/label.ts";

/** The label of a file, or of all files in a folder and below it. */
export type LabelOfTree = (tree: Parameters<TreeLabels["labelOf"]>[0]) => Promise<Label>;

/** Labels what commands and servers read. What is needed for it is loaded with the first one. */
export function makeTreeLabels(files: FilePorts): LabelOfTree {
  let loading: Promise<TreeLabels> | null = null;
  return async (tree) => {
    loading ??= import("../../../act/files/label-of-tree.ts").then(({ TreeLabels }) => new TreeLabels(files));
    return (await loading).labelOf(tree);
  };
}
