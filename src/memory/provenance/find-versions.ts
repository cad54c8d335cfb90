import type { Derived, DerivedParts } from "./find-derived.ts";
import { isNote, wordsOfVersion } from "./find-derived.ts";

/** What finding versions needs. */
export type VersionParts = Pick<DerivedParts, "notes"> & {
  readonly state: Pick<DerivedParts["state"], "changes" | "origins">;
};

/**
 * The kept versions of files, by their blobs, that hold a note whose words are meant, or that have a derived label as a whole. A file is looked at wherever it
 * is now: a note that was moved or deleted since stands in them still.
 */
export async function findVersions(
  { notes, state }: VersionParts,
  { isGrown, isDerived }: Pick<Derived, "isGrown" | "isDerived">,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const path of await state.changes.files()) {
    const versions = (await state.changes.ofFile(path)).flatMap(({ preImage, after }) => [preImage, after]);
    for (const blob of new Set(versions.filter((id) => id !== null))) {
      const label = (await state.origins.of([blob])).get(blob)?.label;
      const isMeant = isNote({ notes }, path)
        ? (await wordsOfVersion({ notes, state }, path, blob)).some(({ words }) => isGrown(words))
        : label !== undefined && isDerived(label);
      if (isMeant) found.add(blob);
    }
  }
  return [...found];
}
