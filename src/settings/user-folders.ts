import { existsSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { Environment } from "./environment.ts";
import { splitPaths } from "./path-list.ts";
import { SettingsError } from "./settings-error.ts";

const noHome = "This user has no home folder. Set HOME to the absolute path of a folder.";

/** The folders of this user, by the XDG base directory specification: absolute paths. */
export type UserFolders = {
  readonly home: string;
  readonly configuration: string;
  readonly state: string;
  readonly runtime: string;
  /** Where new notes go. */
  readonly notes: string;
  /** The other folders of notes. */
  readonly otherNotes: readonly string[];
};

/**
 * Finds the folders that the process's environment alone decides. Without a usable HOME it is the home of
 * the user account. Throws a `SettingsError` where the state is behind a link that leads nowhere.
 */
export function findUserFolders(processEnvironment: Environment): Omit<UserFolders, "notes" | "otherNotes"> {
  const home = absolutePath(processEnvironment["HOME"]) ?? homeOfAccount();
  const folder = (name: string, fallback: string): string =>
    join(absolutePath(processEnvironment[name]) ?? join(home, fallback), "passepartout");
  // By its real name: what the agent itself keeps there is opened through no link.
  const state = resolveLinks(requireLive(folder("XDG_STATE_HOME", ".local/state")));
  return {
    home,
    configuration: folder("XDG_CONFIG_HOME", ".config"),
    state,
    runtime: isFolder(processEnvironment["XDG_RUNTIME_DIR"])
      ? folder("XDG_RUNTIME_DIR", "")
      : join(state, "run"),
  };
}

/** Throws for a dead link: another state would be begun where a disk is not mounted. */
function requireLive(state: string): string {
  const link = findDeadLink(state);
  if (link === null) return state;
  throw new SettingsError(
    `The state folder is reached by the link ${link}, which leads nowhere: ${resolveLinks(link)} is not there. Nothing starts: mount its disk. For a new and empty state, make that folder, or remove the link.`,
  );
}

function homeOfAccount(): string {
  let home: string | null = null;
  try {
    home = absolutePath(userInfo().homedir);
  } catch (error) {
    throw new SettingsError(`${noHome} (${error instanceof Error ? error.message : String(error)})`, {
      cause: error,
    });
  }
  if (home === null) throw new SettingsError(noHome);
  return home;
}

/**
 * The notes folders for a value of `MEMEX_DIR`: one, or several with a colon between them. A folder that exists and has the whole value as its name is one folder.
 * Throws a `SettingsError` for the root of the file system, since every file would then be a note.
 */
export function findNotesFolders(
  setting: string | undefined,
  home: string,
): Pick<UserFolders, "notes" | "otherNotes"> {
  const whole = setting ?? "";
  const isOne = whole !== "" && isFolder(resolveSetting(whole, { home, base: home }));
  const [notes = usualNotesFolder(home), ...otherNotes] = (isOne ? [whole] : splitPaths(whole)).map((path) =>
    resolveSetting(path, { home, base: home }),
  );
  if ([notes, ...otherNotes].some((folder) => resolveLinks(folder) === "/")) {
    throw new SettingsError(
      "MEMEX_DIR names /, so every file would be one of your notes, and nothing starts. Name the folder that your notes are in.",
    );
  }
  return { notes, otherNotes };
}

/** Where notes go where `MEMEX_DIR` names no folder. */
export function usualNotesFolder(home: string): string {
  return join(home, "memex");
}

/** The absolute path that a setting names: `~` is the home folder, and a relative path begins at `base`. */
export function resolveSetting(
  setting: string,
  { home, base }: { readonly home: string; readonly base: string },
): string {
  if (setting === "~" || setting.startsWith("~/")) return join(home, setting.slice(1));
  return resolve(base, setting);
}

/**
 * A path with its links resolved, also where nothing is: what a link leads to has the same name whether its
 * disk is mounted or not.
 */
export function resolveLinks(path: string): string {
  return resolveAtMost(path, mostLinks);
}

function resolveAtMost(path: string, links: number): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  if (parent === path) return path;
  const place = join(resolveAtMost(parent, links), basename(path));
  const target = linkAt(place);
  return target === null || links === 0 ? place : resolveAtMost(resolve(dirname(place), target), links - 1);
}

/**
 * The link that leads nowhere by which a path is named, as where the disk of its target is not mounted; null
 * where there is none.
 */
export function findDeadLink(path: string): string | null {
  for (let at = path; !existsSync(at); at = dirname(at)) if (linkAt(at) !== null) return at;
  return null;
}

/** More links are a circle. */
const mostLinks = 40;

/**
 * The real path of a folder, and the links on the way to it: whoever replaces one puts another folder in its
 * place. The root is none.
 */
export function pathsOnTheWay(path: string): readonly string[] {
  const links = new Set<string>();
  const waiting = path.split("/").reverse();
  let at = "/";
  for (let name = waiting.pop(); name !== undefined && links.size < mostLinks; name = waiting.pop()) {
    const next = resolve(at, name);
    const target = linkAt(next);
    if (target?.startsWith("/") === true) at = "/";
    if (target === null) at = next;
    else {
      links.add(next);
      for (const each of target.split("/").reverse()) waiting.push(each);
    }
  }
  return [resolveLinks(path), ...links].filter((folder) => folder !== "/");
}

/** Where a link leads; null for what is none, or is where this user cannot look. */
function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch (fault) {
    if (fault instanceof Error && "code" in fault) return null;
    throw fault;
  }
}

/**
 * False also for a folder that is named but does not exist, as XDG_RUNTIME_DIR in many containers, or that
 * this user cannot reach.
 */
function isFolder(path: string | undefined): boolean {
  const folder = absolutePath(path);
  return folder !== null && existsSync(folder) && statSync(folder).isDirectory();
}

function absolutePath(path: string | undefined): string | null {
  return path !== undefined && isAbsolute(path) ? resolve(path) : null;
}
