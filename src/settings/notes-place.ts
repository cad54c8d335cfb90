import type { Config } from "./config.ts";
import type { OrgSettings } from "./org-settings.ts";
import { resolveLinks } from "./user-folders.ts";

/** The folders of the notes by their real paths, each once, and what Emacs's variables set in them. New notes go into `folder`. */
export type NotesSettings = {
  readonly folder: string;
  readonly otherFolders: readonly string[];
  readonly variables: OrgSettings;
};

/** The notes as the settings have them. */
export function notesPlaceOf({ places, org }: Pick<Config, "places" | "org">): NotesSettings {
  const folder = resolveLinks(places.notes);
  const others = new Set(places.otherNotes.map(resolveLinks));
  others.delete(folder);
  return { folder, otherFolders: [...others], variables: org };
}
