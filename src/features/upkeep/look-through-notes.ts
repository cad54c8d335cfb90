import type { Finding } from "../../memory/notes/garden/finding.ts";
import { tendGarden } from "../../memory/notes/garden/tend-garden.ts";
import { openNotesReader } from "../../program/open-notes-reader.ts";
import { loadPolicy } from "../../settings/policy.ts";
import type { StartContext } from "../../settings/start-context.ts";

/** A finding with the absolute path of its file, or of the notes folder where it is about no file. */
export type LocatedFinding = Finding & { readonly path: string };

/**
 * Looks through the notes of this user now, and says what is out of order and how many files were read; null
 * where a notes folder is gone, since links to its notes would count as broken.
 */
export async function lookThroughNotes(
  start: StartContext,
): Promise<{ readonly findings: readonly LocatedFinding[]; readonly files: number } | null> {
  const { config } = loadPolicy(start.environment);
  await using reader = await openNotesReader(start, { progress: () => undefined });
  const { notes } = reader;
  if (notes.status().lost.length > 0) return null;
  const { findings, files } = await tendGarden({
    place: notes.place,
    index: notes.index,
    now: Date.now(),
    staleAfter: config.staleTodoAfter,
  });
  const pathOf = (file: string): string => (file === "" ? notes.place.folder : notes.pathOf(file));
  return { findings: findings.map((finding) => ({ ...finding, path: pathOf(finding.file) })), files };
}
