import { type Folders, notesFolders } from "../../signal/facts.ts";
import { openProgramFolders, type ProgramFolders } from "./program-folders.ts";

/** The join of the labels of texts by what they hold. */
export type LabelOfTexts = NonNullable<Parameters<typeof openProgramFolders>[0]["labelOf"]>;

/** What the settings say of folders of programs. */
export type DeclaringSettings = {
  readonly config: { readonly programFolders: readonly string[] };
  readonly folders: Omit<Folders, "workspace">;
  readonly isSecretPath: (path: string) => boolean;
  readonly searchPath: string;
  /** The secrets in a text. */
  readonly scan: (text: string) => readonly unknown[];
  /** Another value once there are other secrets. Default: there never are. */
  readonly knownSecrets?: () => unknown;
};

/**
 * The folders that the owner declares as programs. The installation of the agent itself may lie in one.
 * Without `labelOf`, a text other than Org is not looked into: that is for what nobody but the owner is told.
 */
export function declaredPrograms(settings: DeclaringSettings, labelOf?: LabelOfTexts): ProgramFolders {
  const { config, folders, isSecretPath, searchPath, scan, knownSecrets } = settings;
  const { home, own, readable = [] } = folders;
  return openProgramFolders({
    named: config.programFolders,
    searchPath,
    home,
    own: own.filter((folder) => !readable.includes(folder)),
    notes: notesFolders(folders),
    isSecretPath,
    holdsSecret: (text) => scan(text).length > 0,
    ...(knownSecrets === undefined ? {} : { secretsNow: knownSecrets }),
    ...(labelOf === undefined ? {} : { labelOf }),
    notSecret: () => folders.notSecret ?? [],
  });
}
