import { readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { pushAll } from "../../text/lists.ts";
import { refuseSpellings } from "../files/ignores-case.ts";
import { isKernelFile } from "../files/kernel-files.ts";
import { realPath } from "../files/real-path.ts";
import { statusIfThere } from "../files/status-if-there.ts";
import type { Confinement, Mask } from "../sandbox/bubblewrap.ts";
import type { LockedPaths } from "./few-locks.ts";
import type { PathUse } from "./programs/proof.ts";
import type { ProtectedPaths } from "./protected-paths.ts";

/** A path that is read: `written` as in the command, made absolute, and `path` as the real path. */
export type ResolvedPathUse = PathUse & { readonly written: string };

/** Searches a folder for what must not be seen or changed in it, and remembers the result. */
export type ProtectedPathsSearch = (folder: string, limit?: number) => Promise<ProtectedPaths>;

/** One command to confine. */
export type ConfinementRequest = {
  readonly cwd: string;
  readonly workspace: string | null;
  /** Whether the command was proved to only read. */
  readonly harmless: boolean;
  readonly reads: readonly ResolvedPathUse[];
  /** Whether it needs more of the workspace than its words say: git its repository, `df` the mount, `file` the links themselves. */
  readonly needsWholeWorkspace: boolean;
  /** Program files outside the system folders. */
  readonly programs: Confinement["readable"];
  /** Names outside of the workspace that are links to programs in it. Default: none. */
  readonly links?: Confinement["readable"];
  /** What stays covered in `programs`. Default: nothing. */
  readonly covered?: readonly Mask[];
  /** State, configuration, rules and runtime folders. */
  readonly hidden: readonly string[];
  /** Folders that commands may read and never write. */
  readonly locked: readonly string[];
  readonly search: ProtectedPathsSearch;
  /**
   * Whether its line has a command that may change names: then it sees the whole workspace, since a name
   * that is shown by itself may lead elsewhere by then. Default: no.
   */
  readonly namesMayChange?: boolean;
  /** Files that the line itself writes. Default: none. */
  readonly made?: readonly string[];
  /** What of the workspace is executed later, and so stays as it is. */
  readonly later: LockedPaths;
  readonly environment: ReadonlyMap<string, string>;
};

/** Where running programs keep sockets, pipes, devices and shared memory, beside whatever else is there. */
const runtimeFolders = ["/run", "/var/run", "/dev", "/dev/shm"];
const alwaysVisible = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"];

/** How many entries of a folder are searched for secrets where only its own names are listed. */
const maxListed = 5_000;

/** Decides what one command may see: what it was judged to need. Returns the reason, in words, if it cannot be confined safely. */
export async function confine(request: ConfinementRequest): Promise<Confinement | string> {
  const hidden = await Promise.all(request.hidden.map((path) => realPath("/", path)));
  const refused = await refuseWorkspace(request.workspace, hidden);
  if (refused !== null) return refused;
  const fixed = await Promise.all(request.locked.map((path) => realPath("/", path)));
  const mount = await mountWorkspace(request, fixed);
  if (typeof mount === "string") return mount;
  const { workspace } = mount;
  const shown = await showReads(request, workspace, hidden);
  if (typeof shown === "string") return shown;
  const readable = [...request.programs, ...shown.readable];
  const roots = [
    ...readable.map(({ to }) => to),
    ...(workspace === null ? [] : [workspace]),
    ...alwaysVisible,
  ];
  const keepsNames = comparesNames(request);
  const masked: Mask[] = [...mount.masked, ...shown.masked].flatMap((mask) =>
    mask.kind === "folder" ? [{ ...mask, keepsNames }] : listsOnly(request) ? [] : [mask],
  );
  const nameless = [...masked.map(({ path }) => path), ...mount.locked, ...mount.pinned].find(
    (path) => !path.isWellFormed(),
  );
  if (nameless !== undefined) return refuseName(nameless);
  pushAll(masked, await hiddenInside(hidden, roots));
  const spelled = request.harmless ? null : await refuseSpellings(masked.map(({ path }) => path));
  if (spelled !== null) return spelled;
  pushAll(masked, request.covered ?? []);
  return {
    cwd: request.cwd,
    workspace,
    writable: !request.harmless && !fixed.some((path) => workspace !== null && isInside(path, workspace)),
    readable: readable.filter(({ to }) => workspace === null || !isInside(workspace, to)),
    folders: shown.folders,
    links: request.links ?? [],
    pinned: mount.pinned,
    locked: mount.locked,
    masked: outermost(masked.filter(({ path }) => roots.some((root) => isInside(root, path)))),
    environment: request.environment,
  };
}

async function refuseWorkspace(workspace: string | null, hidden: readonly string[]): Promise<string | null> {
  if (workspace === "/")
    return "The root of the file system cannot be a workspace for commands. Start the session in a folder.";
  if (workspace !== null && (await isOfSystem(workspace)))
    return `${workspace} belongs to the system and cannot be a workspace for commands. Start the session in a folder of your own.`;
  if (workspace !== null && hidden.some((folder) => isInside(folder, workspace))) {
    return `The workspace ${workspace} is inside a folder of the agent itself. Start the session in another folder.`;
  }
  return null;
}

/**
 * Whether a folder is in a file system of the kernel or of devices, or is one where running programs keep
 * what is theirs.
 */
async function isOfSystem(folder: string): Promise<boolean> {
  if (runtimeFolders.includes(folder) || (await isKernelFile(folder))) return true;
  if (!isInside("/dev", folder)) return false;
  return (await statusIfThere(folder))?.dev === (await statusIfThere("/dev"))?.dev;
}

function refuseName(path: string): string {
  return `${path.toWellFormed()} must be kept from commands, and its name is not in UTF-8, so that it cannot be. Rename it, or the folder that it is in.`;
}

/** True for a program that was proved to list names only: it opens no file, so that a secret file keeps its name, size and dates in its view. */
export function listsOnly({
  harmless,
  reads,
  needsWholeWorkspace,
}: Pick<ConfinementRequest, "harmless" | "reads" | "needsWholeWorkspace">): boolean {
  return harmless && !needsWholeWorkspace && reads.every(({ access }) => access === "names");
}

/**
 * Whether a command may take an empty folder for one whose files were deleted: git, and whatever changes
 * anything.
 */
function comparesNames({ harmless, needsWholeWorkspace }: ConfinementRequest): boolean {
  return !harmless || needsWholeWorkspace;
}

type Mount = Pick<Confinement, "workspace" | "masked" | "locked"> & { readonly pinned: readonly string[] };

/** Shows the workspace, without its secrets, to a command that needs more of it than single files. */
async function mountWorkspace(
  request: ConfinementRequest,
  fixed: readonly string[],
): Promise<Mount | string> {
  const { workspace, reads } = request;
  if (workspace === null || !(await needsWorkspace(request)))
    return { workspace: null, masked: [], locked: [], pinned: [] };
  const shallow = request.namesMayChange !== true && listsOnly(request) && reads.every(({ tree }) => !tree);
  const found = await request.search(workspace, shallow ? maxListed : undefined);
  if (!found.complete && (!request.harmless || request.namesMayChange === true || searches(reads, workspace)))
    return `The workspace ${workspace} has too many files to search them for secrets. Start the session in a smaller folder.`;
  const locked = fixed.filter((path) => isInside(workspace, path));
  const { later } = request;
  return { workspace, masked: found.masked, locked: [...locked, ...later.locked], pinned: later.pinned };
}

/** False for a command that reads no file, or single files by their names: those are shown one by one. */
async function needsWorkspace({
  harmless,
  reads,
  needsWholeWorkspace,
  namesMayChange = false,
}: ConfinementRequest): Promise<boolean> {
  if (!harmless || namesMayChange || needsWholeWorkspace || reads.some(({ access }) => access === "names"))
    return true;
  const trees = await Promise.all(
    reads.map(async ({ path, tree }) => tree && (await kindOf(path)) !== "file"),
  );
  return trees.includes(true);
}

async function kindOf(path: string): Promise<"file" | "folder" | "special" | "missing"> {
  const status = await statusIfThere(path);
  if (status === null) return "missing";
  return status.isFile() ? "file" : status.isDirectory() ? "folder" : "special";
}

type ShownReads = Pick<Confinement, "readable" | "masked"> & { readonly folders: readonly string[] };

/** The judged paths outside of what is mounted. A folder whose contents were not judged is an empty folder. */
async function showReads(
  request: ConfinementRequest,
  workspace: string | null,
  hidden: readonly string[],
): Promise<ShownReads | string> {
  const readable: Confinement["readable"][number][] = [];
  const masked: Confinement["masked"][number][] = [];
  const folders: string[] = [];
  for (const use of await expandRoot(request.reads)) {
    const kind = await kindOf(use.path);
    if (kind === "special" || !(await isShown(use, workspace, hidden))) continue;
    const written = use.written === use.path || (await isKernelFile(use.written)) ? [] : [use.written];
    const places = [use.path, ...written];
    const isMade = kind === "missing" && request.made?.includes(use.path) === true;
    if (request.harmless && use.access === "contents" && !use.tree && kind !== "file" && !isMade) {
      if (kind === "folder") pushAll(folders, places);
      continue;
    }
    if (kind === "folder") {
      const listed = request.harmless && use.access === "names";
      const inside = await request.search(use.path, listed && !use.tree ? maxListed : undefined);
      if (!inside.complete && !listed)
        return `${use.path} has too many files to search them for secrets. Name a smaller folder.`;
      pushAll(
        masked,
        places.flatMap((place) => inside.masked.map((one) => movedTo(place, use.path, one))),
      );
    }
    pushAll(
      readable,
      places.map((to) => ({ from: use.path, to })),
    );
  }
  return { readable, masked, folders };
}

/** What is covered in a folder, where the folder stands under another name. */
function movedTo(
  place: string,
  folder: string,
  one: Confinement["masked"][number],
): Confinement["masked"][number] {
  return isInside(folder, one.path) ? { ...one, path: join(place, relative(folder, one.path)) } : one;
}

function searches(reads: readonly ResolvedPathUse[], workspace: string): boolean {
  return reads.some(
    (use) =>
      use.access === "contents" &&
      use.tree &&
      (isInside(workspace, use.path) || isInside(use.path, workspace)),
  );
}

/** The root of the file system cannot be bound over the sandbox's own root, so its entries are bound one by one. */
async function expandRoot(reads: readonly ResolvedPathUse[]): Promise<readonly ResolvedPathUse[]> {
  const all = await Promise.all(
    reads.map(async (use) => {
      if (use.path !== "/") return [use];
      const names = await readdir("/");
      return names.map((name) => ({ ...use, path: `/${name}`, written: `/${name}` }));
    }),
  );
  return all.flat();
}

async function isShown(
  { path }: ResolvedPathUse,
  workspace: string | null,
  hidden: readonly string[],
): Promise<boolean> {
  if (workspace !== null && isInside(workspace, path)) return false;
  if ([...alwaysVisible, ...hidden].some((folder) => isInside(folder, path))) return false;
  if (await isKernelFile(path)) return false;
  return !(await isOfRunningPrograms(path));
}

/**
 * Whether a path below a runtime folder has sockets, pipes or devices in it, beside it, or in a folder above
 * it on its own file system.
 */
async function isOfRunningPrograms(path: string): Promise<boolean> {
  if (!runtimeFolders.some((folder) => isInside(folder, path))) return false;
  const status = await statusIfThere(path);
  if (status === null) return true;
  for (let at = status.isDirectory() ? path : dirname(path); ; at = dirname(at)) {
    if (runtimeFolders.includes(at)) return at === path;
    if ((await statusIfThere(at))?.dev !== status.dev) return false;
    const entries = await readdir(at, { withFileTypes: true }).catch(() => null);
    const areFiles = entries?.every(
      (entry) => entry.isFile() || entry.isDirectory() || entry.isSymbolicLink(),
    );
    if (areFiles !== true) return true;
  }
}

async function hiddenInside(
  hidden: readonly string[],
  roots: readonly string[],
): Promise<Confinement["masked"]> {
  const found = await Promise.all(
    hidden.map(async (path): Promise<Confinement["masked"]> => {
      const status = await statusIfThere(path);
      if (status === null || !roots.some((root) => isInside(root, path))) return [];
      return [{ path, kind: status.isDirectory() ? "folder" : "file" }];
    }),
  );
  return found.flat();
}

function outermost(masked: Confinement["masked"]): Confinement["masked"] {
  const unique = [...new Map(masked.map((mask) => [mask.path, mask])).values()];
  return unique.filter((mask) => !unique.some((other) => other !== mask && isInside(other.path, mask.path)));
}
