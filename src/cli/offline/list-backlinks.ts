import { findBacklinks } from "../../memory/notes/backlinks.ts";
import type { NoteProblem } from "../../memory/notes/folder/walk-notes.ts";
import type { StartContext } from "../../settings/start-context.ts";
import type { Label } from "../../signal/label.ts";
import { openNotesReader } from "./open-notes-reader.ts";

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
  /** The notes folder, where it does not exist. */
  readonly missing: string | null;
  /** What is wrong with folders whose notes are known and not there. */
  readonly lost: readonly NoteProblem[];
};

/** Brings the index up to date and lists the notes that link to an ID. */
export async function listBacklinks(start: StartContext, id: string): Promise<BacklinksResult> {
  await using reader = await openNotesReader(start, { progress: () => undefined });
  const { notes } = reader;
  const found = await findBacklinks(notes, id);
  const { present, folder, lost } = notes.status();
  return {
    links: found.map(({ node: { id: from, title, file, label }, line }) => ({
      id: from,
      title,
      file,
      line,
      label,
    })),
    exists: (await notes.index.resolveId(id)) !== null,
    missing: present || lost.length > 0 ? null : folder,
    lost,
  };
}
