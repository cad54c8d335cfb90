import type { NoteNode } from "../../notes/note-node.ts";
import type { Label } from "../../signal/label.ts";
import { isOrgFile } from "../../text/is-org-file.ts";
import { nodesIn } from "../notes/labels/label-of-file.ts";
import type { Notes } from "../notes/open-notes.ts";
import type { State } from "../state/state.ts";
import { nameInFile } from "./find-earlier.ts";

/** Kept versions of a file that are looked at, the latest ones. */
const mostVersions = 50;

/** The label of the words that a note had before somebody else changed them: those of its latest kept version, wherever its `:ID:` stood, or those that it was remembered by. Null where neither is known. */
export async function findFormer(
  {
    state,
    place,
  }: { readonly state: Pick<State, "changes" | "origins" | "objects">; readonly place: Notes["place"] },
  { node, path }: { readonly node: NoteNode; readonly path: string },
): Promise<Label | null> {
  const remembered = await state.objects.get("own", node.id);
  if (remembered !== null && remembered.label.sources.length > 0) return remembered.label;
  const name = nameInFile(node);
  const id = node.properties["ID"];
  const files = id === undefined ? [path] : (await state.changes.files()).filter(isOrgFile);
  for (const file of [path, ...files.filter((one) => one !== path)]) {
    const versions = (await state.changes.ofFile(file)).filter(({ undone }) => !undone);
    for (const { after } of versions.slice(-mostVersions).toReversed()) {
      const kept = after === null ? null : await state.changes.preImage(after);
      if (kept?.status !== "kept" || (id !== undefined && !Buffer.from(kept.bytes).includes(id))) continue;
      const { nodes } = await nodesIn({ path: file, notes: place }, kept.bytes);
      const words = nodes.filter((one) => nameInFile(one) === name).map((one) => one.words);
      const known = await state.origins.of(words);
      for (const { label, trusted } of known.values()) if (!trusted && label.sources.length > 0) return label;
    }
  }
  return null;
}
