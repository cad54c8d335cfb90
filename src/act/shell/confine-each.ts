import { resolve } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import type { Bind } from "../sandbox/binds.ts";
import type { Confinement } from "../sandbox/bubblewrap.ts";
import { isShownSystem } from "../sandbox/system-folders.ts";
import type { Binary } from "./binary.ts";
import { type ConfinementRequest, confine, listsOnly, type ProtectedPathsSearch } from "./confine.ts";
import { shortEnvironment } from "./environment.ts";
import type { GitOfOwner } from "./git-of-owner.ts";
import { approvedChanges, tooManyToLock } from "./guard-workspace.ts";
import { type LaterGuard, lockedPaths } from "./later-guard.ts";
import { findPointers } from "./linked-repository.ts";
import type { LineNetwork } from "./network.ts";
import { withCopies } from "./outside-copies.ts";
import type { PlannedCommand } from "./plan.ts";
import { coveredFor, noPrograms, type ShownPrograms } from "./program-folders.ts";
import { readGitWords } from "./programs/git-words.ts";
import { startedProgram, withoutWrappers } from "./programs/unwrap-words.ts";
import { findProtectedPaths, type ProtectedPaths } from "./protected-paths.ts";
import { onlyRemoved, refuseHalfRemoval, withoutRemoved } from "./removals.ts";
import { coveringEach, refuseObjects, showsNoSecrets } from "./secret-objects.ts";
import type { Execution } from "./shell-ports.ts";

/** What was opened and looked up for a line: how folders are searched, what of the workspace is executed later, and the network. */
export type Looks = {
  readonly search: ProtectedPathsSearch;
  readonly guard: LaterGuard | null;
  readonly network: LineNetwork;
  /** What the line sees of the folders that the owner declares as programs. */
  readonly programs: ShownPrograms;
};

/**
 * Whether a command sees the declared programs: a proved one starts no other, and sees them where it is one
 * of them.
 */
function seesPrograms(
  { proof, binary }: Pick<PlannedCommand, "proof" | "binary">,
  { folders }: Pick<ShownPrograms, "folders">,
): boolean {
  return proof === null || folders.some(({ to }) => binary !== null && isInside(to, binary.real));
}

/** The environment of a command that is confined or was proved to only read. */
export function seenEnvironment(
  command: PlannedCommand,
  { programs }: Pick<Looks, "programs">,
): ReturnType<typeof shortEnvironment> {
  const searchPath = seesPrograms(command, programs) ? programs.searchPath : null;
  return shortEnvironment(command.proof !== null, searchPath);
}

/**
 * The declared programs as a line sees them in the sandbox; nothing is looked at where no command of it does.
 */
export async function lookAtPrograms(
  commands: readonly PlannedCommand[],
  { ports, given }: Pick<Execution, "ports" | "given">,
): Promise<ShownPrograms> {
  const needed = commands.some(
    ({ proof, binary }) => proof === null || (binary !== null && !isShownSystem(binary.real)),
  );
  if (ports.sandbox === null || !needed) return noPrograms;
  return (await given.programs?.("run")) ?? noPrograms;
}

/** What each command may see: what it was judged to need, and nothing that only another command of the line needs. */
export async function confineEach(
  commands: readonly PlannedCommand[],
  { ports, given, overlay, cancel }: Execution,
  { search, guard, programs }: Looks,
): Promise<ReadonlyMap<PlannedCommand, Confinement> | string> {
  const views = new Map<PlannedCommand, Confinement>();
  const covering = await coveringEach(commands, search, { ports, given, cancel });
  const namesMayChange = commands.some(({ proof }) => proof === null);
  const ofOwner = await ports.gitOfOwner?.();
  for (const command of commands) {
    const later = guard === null ? { locked: [], pinned: [] } : lockedPaths(guard, approvedChanges(command));
    if (later === null) return tooManyToLock(given.workspace ?? "");
    const shown = seesPrograms(command, programs) ? programs : noPrograms;
    const foreign = foreignProgram(command.binary ?? { path: "", real: "" }, given.workspace, shown);
    const seen = command.proof === null ? [...command.reads, ...(given.skills ?? [])] : command.reads;
    const needed = {
      harmless: command.proof !== null,
      reads: seen.filter(({ path }) => command.proof !== null || !ports.isSecretPath(path)),
      needsWholeWorkspace: /^(?:git|df|file)$/.test(startedProgram(command.argv)),
    };
    const seesObjects = listsOnly(needed) || (await showsNoSecrets(command, given.cwd));
    const object = seesObjects ? null : await refuseObjects(command, search, { ports, cancel });
    if (object !== null) return ports.mask(object);
    // Without a copy another command of the same pipe could read a file in the moment of its deletion.
    const removed = overlay === null ? [] : onlyRemoved(command);
    const view = await confine({
      cwd: given.cwd,
      workspace: given.workspace,
      ...needed,
      programs: [...foreign.programs, ...shown.folders, ...gitBinds(ofOwner, command)],
      links: [...shown.links, ...foreign.links],
      covered: coveredFor(shown, needed.reads),
      hidden: ports.hidden.filter((path) => ports.locked?.includes(path) !== true),
      locked: ports.locked ?? [],
      search: withoutRemoved(seesObjects ? search : covering(command), removed),
      namesMayChange,
      made: commands.flatMap(({ writes }) => writes.map(({ path }) => path)),
      later,
      environment: new Map(),
    });
    if (typeof view === "string") return view;
    const { repository } = command;
    const half = refuseHalfRemoval(command, view, given.cwd);
    if (half !== null) return ports.mask(half);
    const trees = { ...view, readable: [...view.readable, ...(await otherTrees(command, view, ports))] };
    const own = repository === null ? trees : { ...trees, writableFolders: [repository.folder] };
    views.set(command, overlay?.outside === undefined ? own : withCopies(own, command, overlay.outside));
  }
  return views;
}

/**
 * Of the work trees of a repository that lie outside of the workspace, the one file by which git knows that
 * they are there: else it would delete what it keeps of them. None for a command that is known to be another
 * program and to start none.
 */
async function otherTrees(
  { argv, proof }: PlannedCommand,
  { cwd, workspace }: Confinement,
  { hidden, isSecretPath }: Execution["ports"],
): Promise<Confinement["readable"]> {
  const isGit = startedProgram(argv) === "git";
  if (workspace === null || (proof !== null && !isGit)) return [];
  const folder = isGit ? resolve(cwd, readGitWords(withoutWrappers(argv).slice(1)).folder) : cwd;
  const pointers = await findPointers(folder);
  return pointers
    .filter((path) => ![workspace, ...hidden].some((each) => isInside(each, path)) && !isSecretPath(path))
    .map((path) => ({ from: path, to: path }));
}

/** Searches each folder once for all commands of a line. */
export function rememberSearches(isSecretPath: (path: string) => boolean): ProtectedPathsSearch {
  const known = new Map<string, Promise<ProtectedPaths>>();
  return (folder, limit) => {
    const key = `${limit ?? ""} ${folder}`;
    const found = known.get(key) ?? findProtectedPaths(folder, isSecretPath, limit);
    known.set(key, found);
    return found;
  };
}

/**
 * A program outside the system folders, the workspace and the declared programs: only its own file becomes
 * visible. A name that leads to a program of these stays a link: what it needs lies beside that, and the file
 * may be another one by then.
 */
export function foreignProgram(
  { path, real }: Pick<Binary, "path" | "real">,
  workspace: string | null,
  { folders, links }: Pick<ShownPrograms, "folders" | "links">,
): Required<Pick<ConfinementRequest, "programs" | "links">> {
  const isOfWorkspace = (file: string): boolean => workspace !== null && isInside(workspace, file);
  const isOfShown = (file: string): boolean =>
    isOfWorkspace(file) || [...folders, ...links].some(({ to }) => isInside(to, file));
  const isKnown = (file: string): boolean =>
    file === "" || ["/usr", "/bin", "/sbin"].some((folder) => isInside(folder, file)) || isOfShown(file);
  const shown = [path, real].filter((file) => !isKnown(file));
  return isOfShown(real)
    ? { programs: [], links: shown.map((to) => ({ from: real, to })) }
    : { programs: shown.map((to) => ({ from: real, to })), links: [] };
}

/**
 * What a command sees of the owner's settings of git. One that was proved to only read sees no more of them
 * than what git leaves alone.
 */
function gitBinds(ofOwner: GitOfOwner | undefined, { proof, argv }: PlannedCommand): readonly Bind[] {
  if (ofOwner === undefined) return [];
  if (proof === null) return [...ofOwner.binds, ...ofOwner.ignored];
  return startedProgram(argv) === "git" ? ofOwner.ignored : [];
}
