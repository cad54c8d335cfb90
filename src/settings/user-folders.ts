import { statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { Environment } from "./environment.ts";

/** The folders of this user, by the XDG base directory specification: absolute paths. */
export type UserFolders = {
  readonly home: string;
  readonly configuration: string;
  readonly state: string;
  readonly runtime: string;
  readonly notes: string;
};

/** Finds the folders that the process's environment alone decides. */
export function findUserFolders(processEnvironment: Environment): Omit<UserFolders, "notes"> {
  const home = absolutePath(processEnvironment["HOME"]) ?? homedir();
  const folder = (name: string, fallback: string): string =>
    join(absolutePath(processEnvironment[name]) ?? join(home, fallback), "passepartout");
  const state = folder("XDG_STATE_HOME", ".local/state");
  return {
    home,
    configuration: folder("XDG_CONFIG_HOME", ".config"),
    state,
    runtime: isFolder(processEnvironment["XDG_RUNTIME_DIR"])
      ? folder("XDG_RUNTIME_DIR", "")
      : join(state, "run"),
  };
}

/** The notes folder for a value of `MEMEX_DIR`. */
export function findNotesFolder(setting: string | undefined, home: string): string {
  if (setting === undefined || setting === "") return join(home, "memex");
  if (setting === "~" || setting.startsWith("~/")) return join(home, setting.slice(1));
  return resolve(home, setting);
}

/** False also for a folder that is named but does not exist, as XDG_RUNTIME_DIR in many containers. */
function isFolder(path: string | undefined): boolean {
  const folder = absolutePath(path);
  return folder !== null && (statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false);
}

function absolutePath(path: string | undefined): string | null {
  return path !== undefined && isAbsolute(path) ? resolve(path) : null;
}
