import { type Folders, notesFolders } from "../../signal/facts.ts";
import { openProgramFolders, type ProgramFolders } from "./program-folders.ts";

/** Labels a text by what it holds. */
export type LabelOfText = NonNullable<Parameters<typeof openProgramFolders>[0]["labelOf"]>;

/** What the settings say of folders of programs. */
export type DeclaringSettings = {
  readonly config: { readonly programFolders: readonly string[] };
  readonly folders: Omit<Folders, "workspace">;
  readonly isSecretPath: (path: string) => boolean;
  readonly searchPath: string;
  /** The secrets in a text. */
  readonly scan: (text: string) => readonly unknown[];
};

/**
 * The folders that the owner declares as programs. The installation of the agent itself may lie in one.
 * Without `labelOf`, a text other than Org is not looked into: that is for what nobody but the owner is told.
 */
export function declaredPrograms(settings: DeclaringSettings, labelOf?: LabelOfText): ProgramFolders {
  const { config, folders, isSecretPath, searchPath, scan } = settings;
  const { home, own, readable = [] } = folders;
  return openProgramFolders({
    named: config.programFolders,
    searchPath,
    home,
    own: own.filter((folder) => !readable.includes(folder)),
    notes: notesFolders(folders),
    isSecretPath,
    holdsSecret: (text) => scan(text).length > 0,
    ...(labelOf === undefined ? {} : { labelOf }),
    notSecret: () => folders.notSecret ?? [],
  });
}
