import { basename, dirname, join } from "node:path";
import { isInside } from "../../signal/is-inside.ts";
import { followLinks } from "../files/real-path.ts";
import { statusIfThere } from "../files/status-if-there.ts";
import { isSystemFile } from "../sandbox/system-folders.ts";
import { canRun, type PrivatePlaces, whyNotAbove } from "./installation.ts";
import { ProgramsView } from "./programs-view.ts";

/** How much of a folder of `PATH` commands see, and why not more, in words. */
export type FolderSeen = {
  readonly folder: string;
  readonly seen: "installation" | "folder" | "nothing";
  readonly why: string | null;
};

const keepApart =
  "keep it in a hidden folder of its own, such as ~/.NAME/bin with what it needs beside that, and name that in PATH";

/** What commands see of folders of `PATH` that exist and are not the system's. */
export async function seenOfFolders(
  folders: readonly string[],
  places: PrivatePlaces,
): Promise<readonly FolderSeen[]> {
  const found = await Promise.all(
    folders.map(async (folder): Promise<readonly FolderSeen[]> => {
      const { path } = await followLinks(folder);
      if (isSystemFile(path) || (await statusIfThere(path))?.isDirectory() !== true) return [];
      const view = new ProgramsView(places);
      await view.addFolder(folder);
      const why = await whyNotAbove(path, places);
      const seen = !view.shows(path) ? "nothing" : why === null ? "installation" : "folder";
      return [{ folder, seen, why }];
    }),
  );
  return found.flat();
}

/** Why a program of `PATH` may lack files in the sandbox, and what to do, in words; null where commands see its installation. */
export async function whyPartlySeen(program: string, places: PrivatePlaces): Promise<string | null> {
  const { path } = await followLinks(program);
  const { workspace } = places;
  if (isSystemFile(path) || (workspace !== null && isInside(workspace, path))) return null;
  const why = await whyNotAbove(dirname(path), places);
  if (why === null) return null;
  const view = new ProgramsView(places);
  await view.addFolder(dirname(program));
  await view.addProgram(program, { isNamed: true });
  const seen = view.shows(path) ? `${dirname(path)} and the code beside it` : "that file";
  return `${basename(program)} is ${path}, and commands see only ${seen}: ${why}. If it lacks a file there, the owner can ${keepApart}.`;
}

/** Why a program that is in a folder of `PATH` is not found by other programs, and what to do, in words; null where none is there. */
export async function whyNotFound(
  name: string,
  folders: readonly string[],
  places: PrivatePlaces,
): Promise<string | null> {
  for (const program of folders.map((folder) => join(folder, name))) {
    const { path, obstacle } = await followLinks(program);
    if (obstacle !== null || isSystemFile(path) || !(await canRun(path))) continue;
    const folder = (await followLinks(dirname(program))).path;
    const why = await whyNotAbove(folder, places);
    if (why !== null)
      return `${program} is installed, and no program in the sandbox finds it by its name: ${why}. Propose ${program} as a command of its own, outside of a script; or the owner can ${keepApart}.`;
  }
  return null;
}
