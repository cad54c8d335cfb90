import type { FileDiff } from "../signal/file-diff.ts";
import type { Turn } from "../signal/turn.ts";
import type { PreparedCall } from "./judge-call.ts";
import type { ClientPorts, JudgeTelling } from "./step-ports.ts";

/** What showing the changes of a call needs. */
export type PreviewParts = Pick<ClientPorts, "filter"> & { readonly judgeTelling: JudgeTelling };

/** What a call changes in files, as its owner may see it: without keys, and nothing where the contents may not be shown. */
export async function previewOf(
  { filter, judgeTelling }: PreviewParts,
  turn: Turn,
  { preview }: Pick<PreparedCall, "preview">,
): Promise<readonly FileDiff[]> {
  if (preview === undefined) return [];
  const { decision } = await judgeTelling(turn, "", preview.label);
  if (decision !== "pass") return [];
  return (await preview.diffs()).map((one) => ({ ...one, path: filter(one.path), diff: filter(one.diff) }));
}
