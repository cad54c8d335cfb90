import { findBacklinks } from "../../memory/notes/backlinks.ts";
import { openNotesReader } from "../../program/open-notes-reader.ts";
import type { StartContext } from "../../settings/start-context.ts";
import type { Label } from "../../signal/label.ts";

/** A note that links to the requested one, with the line of the link. */
export type BacklinkRow = {
  readonly id: string;
  readonly title: string;
  readonly file: string;
  readonly line: string;
  readonly label: Label;
};

/** What the index knows about the notes that link to an ID. */
export type BacklinksResult = {
  readonly links: readonly BacklinkRow[];
  /** False where no note has the ID. */
  readonly exists: boolean;
};

/** Brings the index up to date and lists the notes that link to an ID. */
export async function listBacklinks(start: StartContext, id: string): Promise<BacklinksResult> {
  await using reader = await openNotesReader(start, { progress: () => undefined });
  const { notes } = reader;
  const found = await findBacklinks(notes, id);
  return {
    links: found.map(({ node: { id: from, title, file, label }, line }) => ({
      id: from,
      title,
      file,
      line,
      label,
    })),
    exists: (await notes.index.resolveId(id)) !== null,
  };
}
