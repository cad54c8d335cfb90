import type { Clock } from "../../text/clock.ts";
import type { BlobStore } from "./blobs.ts";
import {
  type ForgetResult,
  forgetAtOnce,
  forgetEarlierVersions,
  forgetObject,
  forgetPreImages,
  forgetVersions,
  overwriteFreed,
} from "./forget.ts";
import { type ForgetTurnParts, forgetGrownTexts, forgetTurns, type GrownTexts } from "./forget-turn.ts";
import type { Author } from "./memory-object.ts";
import { forgetProposals } from "./proposals.ts";

/** What grew from a source: objects of the agent's own, files with all that was kept of them, deferred edits, and texts in turns. */
export type GrownRequest = GrownTexts & {
  readonly objects: readonly string[];
  readonly files: readonly string[];
  /** Kept versions of other files that contain some of it, by their blobs. */
  readonly versions: readonly string[];
  readonly edits: readonly string[];
  /** The turns that go as a whole; of the others only texts with a derived label go. */
  readonly wholeTurns: readonly string[];
};

/** Removes all of it for good, and overwrites its place on the disk. The owner's own words in a turn stay, and so do hashes. */
export async function forgetGrown(
  store: BlobStore,
  { objects, files, versions, edits, wholeTurns, turns, isDerived }: GrownRequest,
  parts: ForgetTurnParts & { readonly author: Author; readonly clock: Clock },
): Promise<ForgetResult> {
  const { database } = store;
  const { author, clock } = parts;
  const sum = (counts: readonly number[]): number => counts.reduce((all, some) => all + some, 0);
  const forgotten = await forgetAtOnce(database, () => {
    const whole = forgetTurns(store, wholeTurns, parts);
    const partly = forgetGrownTexts(store, { turns, isDerived }, parts);
    for (const file of files) forgetProposals(database, file);
    return {
      versions: sum(objects.map((id) => forgetObject(database, id, { author, at: clock() }))),
      turns: whole,
      grown: partly,
      preImages: sum(files.map((file) => forgetPreImages(store, file))),
      earlier:
        forgetVersions(store, versions) + forgetEarlierVersions(database, { turns: wholeTurns, isDerived }),
      edits: sum(edits.map((edit) => database.run("DELETE FROM pending_edits WHERE id = ?", edit))),
    };
  });
  overwriteFreed(database);
  return forgotten;
}
