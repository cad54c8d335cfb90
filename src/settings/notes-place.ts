import type { Config } from "./config.ts";
import type { OrgSettings } from "./org-settings.ts";
import { findDeadLink, resolveLinks } from "./user-folders.ts";

/** The folders of the notes by their real paths, each once, and what Emacs's variables set in them. New notes go into `folder`. */
export type NotesSettings = {
  readonly folder: string;
  readonly otherFolders: readonly string[];
  readonly variables: OrgSettings;
  /** The link that leads nowhere by which `MEMEX_DIR` names a folder now; null where there is none. */
  readonly deadLink: (folder: string) => string | null;
};

/** The notes as the settings have them. */
export function notesPlaceOf({ places, org }: Pick<Config, "places" | "org">): NotesSettings {
  const named = Map.groupBy([places.notes, ...places.otherNotes], resolveLinks);
  const [folder = places.notes, ...otherFolders] = named.keys();
  return {
    folder,
    otherFolders,
    variables: org,
    deadLink: (of) =>
      named
        .get(of)
        ?.map(findDeadLink)
        .find((link) => link !== null) ?? null,
  };
}
