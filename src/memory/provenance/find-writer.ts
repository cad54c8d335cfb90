import { nodesIn } from "../notes/labels/label-of-file.ts";
import type { Notes } from "../notes/open-notes.ts";
import type { State } from "../state/state.ts";

/** Changes of a file that are looked at, the latest ones. */
const mostChanges = 200;

/** The turn that brought words into a note, by the versions that are kept; null where none did, or where that is no longer known. */
export async function findWriter(
  { state, place }: { readonly state: Pick<State, "changes">; readonly place: Notes["place"] },
  { path, words }: { readonly path: string; readonly words: string },
): Promise<string | null> {
  const hasWords = async (blob: string | null): Promise<boolean | null> => {
    if (blob === null) return false;
    const kept = await state.changes.preImage(blob);
    if (kept.status !== "kept") return null;
    return (await nodesIn({ path, notes: place }, kept.bytes)).nodes.some((node) => node.words === words);
  };
  const changes = (await state.changes.ofFile(path)).filter(({ undone }) => !undone);
  for (const { turn, preImage, after } of changes.slice(-mostChanges).toReversed())
    if ((await hasWords(preImage)) === false && (await hasWords(after)) === true) return turn;
  return null;
}
