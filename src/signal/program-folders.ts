import { isInside } from "../text/is-inside.ts";

/** What no folder of programs may be, hold or lie in. Paths are real and absolute. */
export type PrivatePlaces = {
  readonly home: string;
  readonly notes: readonly string[];
  /** State, configuration and runtime folders. */
  readonly own: readonly string[];
  readonly workspace: string | null;
  readonly isSecretPath: (path: string) => boolean;
};

/** Folders below the home folder in which every program keeps what is its own. */
const shared = [
  ".local",
  ".local/share",
  ".local/state",
  ".local/lib",
  ".local/share/Trash",
  ".config",
  ".cache",
  ".var",
  ".var/app",
  "Library",
  "Library/Application Support",
  "Documents",
  "Desktop",
  "Downloads",
  "Pictures",
  "Dropbox",
];
/** Folders that hold too much to be programs, and those that hold no programs at all. */
const wide =
  /^\/(?:root|tmp|srv|data|opt|(?:home|Users|mnt|export|var)(?:\/[^/]+)?|(?:export\/home|media(?:\/[^/]+)?)(?:\/[^/]+)?)$/;
/** Where the system keeps what programs wrote. */
const written = /^\/var\/(?:log|mail|spool|backups)\//;
const ofSystem = /^\/(?:proc|sys|dev|run|var\/run|etc|boot|usr|bin|sbin|lib|lib32|lib64|libx32)(?:\/|$)/;

/**
 * Why a folder, by its real path, is not shown to commands as one of programs, with what to write instead;
 * null where it may be.
 */
export function programFolderProblem(
  folder: string,
  { home, notes, own, workspace, isSecretPath }: PrivatePlaces,
): string | null {
  const meets = (path: string): boolean => isInside(folder, path) || isInside(path, folder);
  const instead =
    "Name the folder of one version manager or program instead, such as ~/.nvm, ~/.pyenv or /opt/NAME.";
  if (folder === "/") return `it is the root of the file system. ${instead}`;
  if (isInside(folder, home)) return `it is or holds your home folder. ${instead}`;
  const ownPlace = own.find(meets);
  if (ownPlace !== undefined) return `the agent's own folder ${ownPlace} is in it or around it. ${instead}`;
  const note = notes.find(meets);
  if (note !== undefined) return `your notes in ${note} are in it or around it. ${instead}`;
  if (workspace !== null && isInside(folder, workspace))
    return `it holds the workspace ${workspace}. ${instead} Or start the session elsewhere.`;
  if (isSecretPath(folder)) return `its name is one of secrets. ${instead}`;
  if (ofSystem.test(folder))
    return "it is of the system, of which commands see the programs anyway. Take it out.";
  if (written.test(folder)) return `it holds what programs wrote, and no programs. ${instead}`;
  if (wide.test(folder) || shared.some((name) => folder === `${home}/${name}`))
    return `many programs and people keep their own in it. Name the folder of one program in it instead, such as ${folder}/NAME.`;
  return null;
}

/**
 * The folders that an owner would name for a program, by the layouts of version managers. `home` is real and
 * absolute.
 */
export function foldersToName(program: string, home: string): readonly string[] {
  const folder = program.slice(0, program.lastIndexOf("/"));
  const parent = folder.slice(0, folder.lastIndexOf("/"));
  const isBin = /\/(?:bin|sbin|shims|condabin|libexec)$/.test(folder);
  if (isInside(home, folder)) {
    const [first = "", second = "", third = ""] = folder.slice(home.length + 1).split("/");
    if (first === ".cargo") return [`${home}/.cargo/bin`, `${home}/.rustup`];
    if (first === ".local" && second === "share") return [`${home}/.local/share/${third}`];
    if (/^\.(?:local|config|cache)$/.test(first)) return [`${home}/${first}/${second}`];
    if (first.startsWith(".")) return [isBin ? `${home}/${first}` : folder];
    // The folder of Go has all sources beside its programs, and one of a person's own has anything.
    if (first === "go") return isBin ? [folder] : [];
    if (second === "" && !isBin) return [];
  }
  return [isBin && parent !== home && parent.split("/").length > 2 ? parent : folder];
}
