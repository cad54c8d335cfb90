import { join } from "node:path";
import { readWholeFile } from "../../../act/files/contents.ts";
import { foldersOf, innermostFolder, pathOfNote } from "../../../memory/notes/folder/notes-folders.ts";
import type { FileLabelRules } from "../../../memory/notes/labels/label-of-file.ts";
import type { RunEvents } from "../../../signal/jobs/job-event.ts";
import { type Label, mostSecret } from "../../../signal/label.ts";

type Secrecy = Label["secrecy"];
type Listed = RunEvents["listed"][number];

/** What labels depend on; `labelOfAttached`: how secret a file is by the notes that it is attached to. */
type EventParts = FileLabelRules & { readonly labelOfAttached: (path: string) => Promise<Label> };

/** How secret the name of each file is that an event tells of: as secret as what stands in it. Of a note that cannot be read any more nobody knows that, so it is private. */
export function makeSecrecyOfEvents({ notes, originsOf, privacyTags, labelOfAttached }: EventParts) {
  const rules = { privacyTags, originsOf, notes };
  const secrecyOf = async ({ name, subject }: Listed, workspace: string | null): Promise<Secrecy> => {
    const path =
      name === "note-changed"
        ? pathOfNote(notes, subject)
        : name === "file-changed" && workspace !== null
          ? join(workspace, subject)
          : null;
    if (path === null) return "public";
    const read = await readWholeFile(path);
    const isNote = name === "note-changed" || innermostFolder(foldersOf(notes), path) !== null;
    if (!read.ok || read.value === null) return isNote ? "private" : "public";
    const { labelOfFile } = await import("../../../memory/notes/labels/label-of-file.ts");
    const inside = (await labelOfFile(path, read.value.bytes, rules)).label.secrecy;
    return mostSecret(inside, (await labelOfAttached(path)).secrecy);
  };
  return async ({ listed }: RunEvents, workspace: string | null): Promise<readonly Secrecy[]> => {
    const all: Secrecy[] = [];
    for (const event of listed) all.push(await secrecyOf(event, workspace));
    return all;
  };
}
