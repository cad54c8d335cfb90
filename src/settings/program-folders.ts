import { resolve } from "node:path";
import { isSecretPath } from "../gate/secret-path.ts";
import { programFolderProblem } from "../signal/program-folders.ts";
import type { ReadSetting } from "./read-setting.ts";
import { settingTable } from "./setting-table.ts";
import { resolveLinks, resolveSetting, type UserFolders } from "./user-folders.ts";

/**
 * The absolute paths of `PROGRAM_FOLDERS`, whose relative ones begin at the home folder. One that is no
 * folder of programs is left out and reported. Each is looked at again whenever it is shown: a link may lead
 * elsewhere by then.
 */
export function readProgramFolders(
  read: ReadSetting,
  { home, notes, otherNotes, state, configuration, runtime }: UserFolders,
  problems: string[],
): readonly string[] {
  const named = read<readonly string[]>("PROGRAM_FOLDERS", settingTable.PROGRAM_FOLDERS);
  const realHome = resolveLinks(home);
  const places = {
    home: realHome,
    notes: [notes, ...otherNotes].map(resolveLinks),
    own: [state, configuration, runtime].map(resolveLinks),
    workspace: null,
    isSecretPath: (path: string) => isSecretPath(path, realHome),
  };
  return named.flatMap((name) => {
    const path = resolveSetting(name, { home, base: home });
    const problem = programFolderProblem(resolveLinks(path), places);
    if (problem === null) return [path];
    problems.push(`PROGRAM_FOLDERS names ${name}, and no command sees it: ${problem}`);
    return [];
  });
}

/** The folders in which the owner's programs are looked up by their names, as `PATH` names them. */
export function foldersOfPath(searchPath: string): readonly string[] {
  const folders = searchPath.split(":").filter((folder) => folder.startsWith("/"));
  return [...new Set(folders.map((folder) => resolve(folder)))].filter((folder) => folder !== "/");
}
