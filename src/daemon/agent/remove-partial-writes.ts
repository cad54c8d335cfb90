import { dirname } from "node:path";
import { removeDrafts } from "../../act/files/drafts.ts";
import type { State } from "../../memory/state/state.ts";

/** Removes the drafts that a killed process left beside the files that it was changing. */
export async function removePartialWrites(state: State): Promise<void> {
  for (const turn of await state.turns.unfinished()) {
    if (turn.state !== "acting") continue;
    const changes = await state.changes.ofTurn(turn.id);
    const files = changes.filter(({ kind }) => kind === "file");
    for (const folder of new Set(files.map(({ path }) => dirname(path)))) await removeDrafts(folder);
  }
}
