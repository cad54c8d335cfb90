import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { isInside } from "../../signal/is-inside.ts";
import { entryIfThere, statusIfThere } from "../files/status-if-there.ts";
import { isSystemPlace } from "../sandbox/system-folders.ts";
import { inBatches } from "./in-batches.ts";

/** What of the machine is private, by real paths. */
export type PrivatePlaces = {
  readonly home: string;
  readonly workspace: string | null;
  /** Folders of the agent itself, and of notes. */
  readonly kept: readonly string[];
  readonly isSecretPath: (path: string) => boolean;
};

/** Names of folders that hold the programs of an installation, beside the files that these need. */
const programFolders: ReadonlySet<string> = new Set(["bin", "sbin", ".bin", "condabin", "libexec", "shims"]);

/** Folders of code that programs load, beside their own. */
const codeFolders = ["lib", "lib64", "libexec", "include"];

/** Folders of a home that many programs share: what lies in one belongs to no single installation. */
const sharedFolders: ReadonlySet<string> = new Set([
  ".cache",
  ".config",
  ".local",
  ".local/share",
  ".local/state",
]);

/** Entries of a folder that are looked at. */
const mostEntries = 500;

/** What a folder of an installation holds, by its name. */
export function folderKind(folder: string): "programs" | "code" | "other" {
  if (programFolders.has(basename(folder))) return "programs";
  return codeFolders.includes(basename(folder)) || basename(folder) === "share" ? "code" : "other";
}

/**
 * What commands may see of the installation whose programs are in a folder, by its real path: the folder
 * above it where programs keep what is theirs (below a hidden folder, or in one of root that everybody may
 * read); elsewhere the folder itself and the code beside it. Nothing of what is private. `isOfPath`: whether
 * `PATH` names the folder.
 */
export async function installationOf(
  folder: string,
  { isOfPath, places }: { readonly isOfPath: boolean; readonly places: PrivatePlaces },
): Promise<readonly string[]> {
  if (!mayShow(folder, places)) return [];
  const above = dirname(folder);
  if (!programFolders.has(basename(folder))) {
    const isShown = (await isOfPrograms(folder, places)) || (isOfPath && (await holdsPrograms(folder)));
    return isShown ? [folder] : [];
  }
  if (mayShow(above, places) && (await isOfPrograms(above, places))) return [above];
  if (above === places.home) return [folder];
  const beside = await Promise.all(
    codeFolders.map(async (name) => ({
      path: join(above, name),
      status: await entryIfThere(join(above, name)),
    })),
  );
  const code = beside.flatMap(({ path, status }) =>
    status?.isDirectory() === true && mayShow(path, places) ? [path] : [],
  );
  const share = join(above, "share");
  const hasShare = code.length > 0 && mayShow(share, places) && (await statusIfThere(share)) !== null;
  return [folder, ...code, ...(hasShare ? [share] : [])];
}

/** The deepest folder that holds two paths, where commands may see all of it; null where they may not. */
export async function commonInstallation(
  one: string,
  other: string,
  places: PrivatePlaces,
): Promise<string | null> {
  let folder = dirname(one);
  while (!isInside(folder, other)) folder = dirname(folder);
  return mayShow(folder, places) && (await isOfPrograms(folder, places)) ? folder : null;
}

/**
 * Whether a folder that a variable names is an installation: programs keep what is theirs there, and it holds
 * their code, or one of the installations that are known.
 */
export async function isInstallation(
  folder: string,
  known: readonly string[],
  places: PrivatePlaces,
): Promise<boolean> {
  if (!mayShow(folder, places) || !isHidden(folder, places)) return false;
  return known.some((each) => isInside(folder, each)) || (await hasPrograms(folder, 2));
}

/** Whether programs and their code lie in a folder, or so many folders deeper. */
async function hasPrograms(folder: string, depth: number): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).slice(0, mostEntries);
  if (names.includes("bin") && names.includes("lib")) return true;
  if (depth === 0) return false;
  for await (const has of inBatches(names, (name) => hasPrograms(join(folder, name), depth - 1)))
    if (has) return true;
  return false;
}

/** Whether a folder holds nothing private, by its place. */
export function mayShow(folder: string, places: PrivatePlaces): boolean {
  return whyPrivate(folder, places) === null;
}

/** Why commands may not see a folder, by its place, in words; null where they may. */
function whyPrivate(folder: string, { home, workspace, kept, isSecretPath }: PrivatePlaces): string | null {
  if (isInside(folder, home)) return "is or holds your home folder";
  if (workspace !== null && isInside(folder, workspace)) return "holds the workspace";
  if (kept.some((each) => isInside(folder, each) || isInside(each, folder)))
    return "has notes or files of the agent in it";
  if (workspace !== null && isInside(workspace, folder)) return "lies in the workspace";
  if (isSecretPath(folder)) return "counts as secret, by its name";
  if (isInside(home, folder) && sharedFolders.has(relative(home, folder)))
    return "is where many programs keep their files";
  const isOther = folder.split("/").length > 2 && !isSystemPlace(folder) && !isInside("/etc", folder);
  return isOther ? null : "is a folder of the system";
}

/** Why commands do not see the folder above one of programs as a whole, in words; null where they do. */
export async function whyNotAbove(folder: string, places: PrivatePlaces): Promise<string | null> {
  const isProgramFolder = programFolders.has(basename(folder));
  const whole = isProgramFolder ? dirname(folder) : folder;
  const why = whyPrivate(whole, places);
  if (why !== null) return `${whole} ${why}`;
  if (await isOfPrograms(whole, places)) return null;
  return isProgramFolder || !(await holdsPrograms(folder))
    ? `${whole} may hold documents: it is no hidden folder, and none of root that everybody may read`
    : null;
}

/** Whether programs keep what is theirs there, and no person their documents. */
async function isOfPrograms(folder: string, places: PrivatePlaces): Promise<boolean> {
  return isHidden(folder, places) || (!isInside(places.home, folder) && (await isPublic(folder)));
}

/** Whether a folder of the home, or one outside of it, lies in a hidden folder. */
function isHidden(folder: string, { home }: PrivatePlaces): boolean {
  const inside = isInside(home, folder) ? relative(home, folder) : folder;
  return inside.split("/").some((name) => name.startsWith("."));
}

/** Whether another user, root, has a folder that everybody may read. */
async function isPublic(folder: string): Promise<boolean> {
  if (process.geteuid?.() === 0) return false;
  if ((await statusIfThere(folder))?.uid !== 0) return false;
  for (let at = folder; at !== "/"; at = dirname(at)) {
    const needed = at === folder ? 0o005 : 0o001;
    if ((((await statusIfThere(at))?.mode ?? 0) & needed) !== needed) return false;
  }
  return true;
}

/** Whether most files of a folder can be run. */
async function holdsPrograms(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => !entry.isDirectory()).slice(0, mostEntries);
  let programs = 0;
  for await (const isProgram of inBatches(files, ({ name }) => canRun(join(folder, name))))
    programs += isProgram ? 1 : 0;
  return programs * 2 > files.length;
}

/** Whether a path leads to a file that can be run. */
export async function canRun(path: string): Promise<boolean> {
  const status = await stat(path).catch(() => null);
  return status?.isFile() === true && (status.mode & 0o111) !== 0;
}
