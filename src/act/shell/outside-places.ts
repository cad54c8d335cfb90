import { constants } from "node:fs";
import { access, readdir } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { bytesOfPath } from "../files/byte-names.ts";
import { ignoresCaseInside } from "../files/ignores-case.ts";
import { type FollowedLink, followLinks } from "../files/real-path.ts";
import { entryIfThere } from "../files/status-if-there.ts";
import { sandboxFolders } from "../sandbox/bubblewrap.ts";
import { isRoot, mountPointsOf } from "../sandbox/mounts.ts";
import { findForeign } from "../sandbox/overlay.ts";
import { type FolderPart, mostNames } from "../sandbox/part-overlay.ts";
import { isSystemPlace } from "../sandbox/system-folders.ts";
import type { NamedChange } from "../trial/unnamed-changes.ts";
import type { ProtectedPathsSearch } from "./confine.ts";
import type { CommandPlan, PlannedCommand } from "./plan.ts";
import { startedProgram } from "./programs/unwrap-words.ts";
import { onlyRemoved } from "./removals.ts";

/**
 * A part of a folder outside of the workspace of which a line has a copy: what its words say that they change
 * there.
 */
export type OutsidePlace = FolderPart & {
  readonly named: readonly NamedChange[];
  /**
   * Whether it is a folder that each sandbox has of its own: what else programs leave there is gone with it.
   */
  readonly isScratch: boolean;
};

/** What a line changes outside of the workspace by its words. */
export type OutsidePlaces = {
  readonly places: readonly OutsidePlace[];
  /** The links on the way from what was typed. */
  readonly links: readonly FollowedLink[];
};

/** Where nothing outside is changed. */
export const noPlaces: OutsidePlaces = { places: [], links: [] };

type Lookup = {
  readonly workspace: string;
  readonly search: ProtectedPathsSearch;
  /** Folders of the agent itself. */
  readonly own: readonly string[];
};

/** Finds the parts of folders outside of the workspace that a line changes; or says why no command can. */
export async function findOutsidePlaces(plan: CommandPlan, lookup: Lookup): Promise<OutsidePlaces | string> {
  const commands = plan.flatMap((part) => part.commands);
  const changes = commands.flatMap((command) => changesOutside(command, lookup.workspace));
  if (changes.length === 0) return noPlaces;
  const settings = changes.find(({ ofHome }) => ofHome === true);
  if (settings !== undefined)
    return `${settings.path} is in your home folder, and a command in the sandbox has a home folder of its own`;
  const mixed = mixesDeletion(commands, changes, lookup.workspace);
  if (mixed !== null) return mixed;
  const placed = await Promise.all(changes.map(placeOf));
  const parts: OutsidePlace[] = [];
  // What lies in something that is seen as a whole belongs to that.
  const entries = placed.toSorted((one, other) => one.entry.length - other.entry.length);
  for (const each of [...entries.filter(isEntry), ...entries.filter((one) => !isEntry(one))])
    addTo(parts, each);
  const places = parts.map((part) => withOutputs(part, commands));
  for (const place of places) {
    const problem = await problemOf(place, commands, lookup);
    if (problem !== null) return problem;
  }
  for (const folder of await foldersTaken(commands, lookup.workspace)) {
    const [secret] = (await lookup.search(folder)).masked;
    if (secret !== undefined) return holdsSecret(folder, secret.path);
  }
  const followed = await Promise.all(changes.map(({ written }) => followLinks(dirname(written))));
  const ends = await Promise.all(changes.map(({ written, path }) => linkAt(written, path)));
  const read = commands.flatMap(({ reads }) => reads).filter(({ path }) => isHeld(path, { places }));
  const ways = await Promise.all(read.map(({ written }) => followLinks(written)));
  const links = [...[...followed, ...ways].flatMap((each) => each.links), ...ends.flat()];
  return { places, links: [...new Map(links.map((link) => [link.path, link])).values()] };
}

/**
 * The folders that commands bring or pack to a place outside: they must see all of them. A link brings
 * nothing of what it leads to.
 */
async function foldersTaken(
  commands: readonly PlannedCommand[],
  workspace: string,
): Promise<ReadonlySet<string>> {
  const taking = commands.filter(
    (command) =>
      changesOutside(command, workspace).length > 0 &&
      onlyRemoved(command).length === 0 &&
      startedProgram(command.argv) !== "ln",
  );
  const copied = taking.flatMap(({ worded }) => worded.flatMap((each) => each.copied?.from ?? []));
  const found = new Set(copied);
  for (const { path } of taking.flatMap(({ reads }) => reads))
    if ((await entryIfThere(path))?.isDirectory() === true) found.add(path);
  return found;
}

/** Programs that change what their words name, and decide nothing by anything else. */
const plainPrograms: ReadonlySet<string> = new Set(
  "rm rmdir unlink mv cp ln mkdir touch chmod sed".split(" "),
);

/**
 * Why a line may not delete or move something outside; null where it may. A copy shows a command what its own
 * words change. So what another one looks at there to decide, keeps of it elsewhere, or made a moment ago,
 * may
 * be another thing than the line was written for.
 */
function mixesDeletion(
  commands: readonly PlannedCommand[],
  changes: PlannedCommand["worded"],
  workspace: string,
): string | null {
  const isOutside = ({ path }: { readonly path: string }): boolean => !isInside(workspace, path);
  const deletions = commands.flatMap((command) =>
    command.proof === null ? command.worded.filter((one) => one.how === "delete" && isOutside(one)) : [],
  );
  if (deletions.length === 0 || commands.length === 1) return null;
  const made = changes.filter(({ how }) => how === "write").map(({ path }) => path);
  const early = deletions.find(({ path, exists }) => !exists && made.some((one) => isInside(path, one)));
  if (early !== undefined) return `the line makes ${early.path} and deletes it again`;
  const isPlain = ({ argv, proof, reads, worded }: PlannedCommand): boolean =>
    proof === null ? worded.length > 0 && plainPrograms.has(startedProgram(argv)) : reads.length === 0;
  const other = commands.find((command) => !isPlain(command));
  return other === undefined
    ? null
    : `the line deletes or moves something there beside ${startedProgram(other.argv)}, which would not see that. Propose the deletion as a line of its own, once the rest is done`;
}

/** What the program of a command would change by itself outside of the workspace. */
export function changesOutside(
  { proof, worded, writes, repository }: PlannedCommand,
  workspace: string,
): PlannedCommand["worded"] {
  if (proof !== null) return [];
  const [written, copied] = [writes.map(({ path }) => path), repository?.folder ?? workspace];
  return worded.filter(
    ({ path, how, exists }) =>
      (how === "write" || (how === "delete" && exists)) &&
      ![workspace, copied].some((folder) => isInside(folder, path)) &&
      !written.includes(path) &&
      !isDevice(path),
  );
}

/** Whether a path is of the kernel: what is written there changes no file. */
function isDevice(path: string): boolean {
  return /^\/(?:dev|proc|sys)\//.test(path) && !isInside("/dev/shm", path);
}

/** Whether a part shows a path. */
export function shows({ folder, shown }: FolderPart, path: string): boolean {
  return shown.some((name) => isInside(join(folder, name), path));
}

/** Whether a path is in what a line has copies of. */
export function isHeld(path: string, { places }: Pick<OutsidePlaces, "places">): boolean {
  return places.some((place) => place.folder === path || shows(place, path));
}

/** Whether a command changes something in a part by its words or its output. */
export function changesIn(part: OutsidePlace, command: PlannedCommand, workspace: string): boolean {
  return changesOutside(command, workspace).some(({ path }) => path === part.folder || shows(part, path));
}

/** The links behind the last name of what was typed, where a command follows it. */
async function linkAt(written: string, path: string): Promise<readonly FollowedLink[]> {
  const { links, path: end } = await followLinks(written);
  return end === path ? links : [];
}

type Placed = { readonly change: NamedChange; readonly folder: string; readonly entry: string };

/**
 * The folder that holds a change, and what of it is seen: a name in it; nothing of one that is changed
 * itself.
 */
async function placeOf(said: PlannedCommand["worded"][number]): Promise<Placed> {
  const { path, how, tree, exists, replaces = false, from } = said;
  const done = how === "delete" ? how : "write";
  // What a copy brings has rights of its own, which its words do not tell.
  const givesRights = replaces && from === undefined;
  const change: NamedChange = {
    path,
    how: done,
    tree,
    exists,
    replaces,
    givesRights,
    later: laterBelow(said),
    isListed: said.copied !== undefined,
  };
  const isFolder = (await entryIfThere(path))?.isDirectory() === true;
  if (isFolder && how === "write" && !tree) return { change, folder: path, entry: path };
  let entry = path;
  while ((await entryIfThere(dirname(entry)))?.isDirectory() !== true) entry = dirname(entry);
  return { change, folder: dirname(entry), entry };
}

/**
 * What a folder brings that is executed later. Where the line may make a folder of the name before, it comes
 * into that.
 */
function laterBelow({ path, exists, from, copied }: PlannedCommand["worded"][number]): readonly string[] {
  if (copied === undefined || from === undefined) return [];
  const folders = exists ? [path] : [path, join(path, basename(from))];
  return folders.flatMap((folder) => [...copied.later.keys()].map((inside) => join(folder, inside)));
}

function isEntry({ folder, entry }: Placed): boolean {
  return folder !== entry;
}

function addTo(parts: OutsidePlace[], { change, folder, entry }: Placed): void {
  const at = parts.findIndex((part) => shows(part, entry));
  const same = at < 0 ? parts.findIndex((part) => part.folder === folder) : at;
  const name = folder === entry ? [] : [relative(folder, entry)];
  const known = parts[same];
  const isScratch = sandboxFolders.some((each) => each === folder);
  if (known === undefined) parts.push({ folder, shown: name, named: [change], isScratch });
  else {
    const shown = at < 0 ? [...known.shown, ...name] : known.shown;
    parts[same] = { ...known, shown: [...new Set(shown)], named: [...known.named, change] };
  }
}

/** With the files that the output of commands goes to, where they are in the folder of a part. */
function withOutputs(part: OutsidePlace, commands: readonly PlannedCommand[]): OutsidePlace {
  const outputs = commands
    .flatMap(({ writes }) => writes)
    .filter(({ path }) => dirname(path) === part.folder || shows(part, path));
  const named = outputs.map(({ path, exists }) => ({ path, exists, how: "write", tree: false }) as const);
  const names = outputs.flatMap(({ path }) => (shows(part, path) ? [] : [relative(part.folder, path)]));
  return {
    ...part,
    shown: [...new Set([...part.shown, ...names])],
    named: [...part.named, ...named],
  };
}

/** Why no command can change something in a folder, as the part of a sentence; null where it can. */
async function problemOf(
  part: OutsidePlace,
  commands: readonly PlannedCommand[],
  { workspace, search, own }: Lookup,
): Promise<string | null> {
  const { folder, shown } = part;
  if (isSystemPlace(folder)) return `${folder} is a folder of the system`;
  if (!(await mayOpen(folder, constants.R_OK | constants.W_OK | constants.X_OK)))
    return `${folder} cannot be read and written by the user that the agent runs as`;
  if ((await readdir(bytesOfPath(folder))).length > mostNames)
    return `${folder} has more than ${mostNames.toLocaleString("en")} names. Leave it to the owner`;
  if (await ignoresCaseInside(folder)) return `the disk of ${folder} ignores the case of letters`;
  const mounts = await mountPointsOf("self");
  // The kernel copies no folder with a mount in it for a user who could look behind that.
  const below = isRoot() ? undefined : mounts.find((point) => point !== folder && isInside(folder, point));
  if (below !== undefined) return `another file system is mounted in ${folder}, at ${below}`;
  for (const path of shown.map((name) => join(folder, name))) {
    const status = await entryIfThere(path);
    if (status === null) continue;
    const held = [workspace, ...own].find((each) => isInside(path, each));
    if (held !== undefined) return `${path} holds ${held}`;
    const mount = mounts.find((point) => isInside(path, point));
    if (mount !== undefined) return `another file system is mounted at ${mount}`;
    const foreign = await findForeign(path);
    if (foreign !== null) return `${foreign} belongs to another user or group`;
    if (!status.isDirectory()) continue;
    const { masked, complete } = await search(path);
    if (!complete) return `${path} has too many files to search them for secrets`;
    for (const each of masked)
      if (each.kind === "folder" && !(await mayOpen(each.path, constants.R_OK | constants.X_OK)))
        return `${each.path} is closed to the user that the agent runs as. The owner opens it first, in a terminal (chmod u+rwx ${each.path})`;
    const [secret] = masked;
    const users = commands.filter((command) => changesIn(part, command, workspace));
    if (secret !== undefined && !users.every((command) => onlyRemoved(command).length > 0))
      return holdsSecret(path, secret.path);
  }
  return null;
}

function holdsSecret(folder: string, secret: string): string {
  return `${folder} holds ${secret}, which commands may not see. Propose what else is in it by its names`;
}

async function mayOpen(folder: string, how: number): Promise<boolean> {
  try {
    await access(folder, how);
    return true;
  } catch (fault) {
    if (fault instanceof Error && "code" in fault) return false;
    throw fault;
  }
}
