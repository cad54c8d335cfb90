import { chmod, lstat, readlink, rename, symlink } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import type { DeclaredChange, Renaming } from "../../signal/kept-guard.ts";
import type { Outcome } from "../../signal/tool.ts";
import { isInside } from "../../text/is-inside.ts";
import { isJsonObject, type Json } from "../../text/json.ts";
import { bytesOfPath } from "../files/byte-names.ts";
import { errorCode } from "../files/fallible.ts";
import { realPath } from "../files/real-path.ts";
import { lookIntoClosed } from "./closed-folders.ts";
import { type LockedPaths, lockFew } from "./few-locks.ts";
import { findLaterPaths, type LaterPaths } from "./later-paths.ts";
import { holdsChange, openFolders } from "./opened-folders.ts";

/** What of a workspace was there before a command line ran, as far as it decides what is taken back. */
export type BeforeLine = Pick<LaterPaths, "links" | "privileged"> & {
  readonly named: Pick<ReadonlySet<string>, "has">;
};

/** What of a workspace is executed later, before a command line ran. */
export type LaterGuard = {
  readonly workspace: string;
  readonly before: LaterPaths;
  /** The folders whose entries `before` has one by one, since one of them may be changed. */
  readonly opened: readonly string[];
};

/**
 * Folders with more entries, or with links that nobody may change (no mount locks a link), are locked as a
 * whole, also where a change of one entry was approved.
 */
const mostOpened = 200;

/**
 * Looks at a workspace before a command line runs that may change what is allowed. Null if it is too large.
 */
export async function openLaterGuard(
  workspace: string,
  allowed: readonly DeclaredChange[] = [],
): Promise<LaterGuard | null> {
  const before = await findLaterPaths(workspace);
  if (!before.complete) return null;
  const { named, opened } = await openFolders(
    before.named,
    allowed,
    (_, entries) =>
      entries.length <= mostOpened &&
      entries.every(({ path, isLink }) => !isLink || isAllowed(path, workspace, allowed)),
  );
  return { workspace, before: { ...before, named }, opened };
}

/** What one command must not change. Null if it is too much to lock. */
export function lockedPaths(
  { workspace, before, opened }: LaterGuard,
  allowed: readonly DeclaredChange[],
): LockedPaths | null {
  const [changing, whole] = [
    opened.filter((folder) => holdsChange(folder, allowed)),
    opened.filter((folder) => !holdsChange(folder, allowed)),
  ];
  const fixed = [...before.named].filter(
    ([path, { isRepository }]) => !before.links.has(path) && !isRepository,
  );
  const locked = [...fixed.map(([path]) => path), ...before.more]
    .filter((path) => !whole.some((folder) => isInside(folder, path)))
    .concat(whole)
    .filter((path) => !isAllowed(path, workspace, allowed));
  const few = lockFew(locked, workspace, (folder) =>
    allowed.some(
      (change) => change.kind === "path" && (isInside(folder, change.path) || isInside(change.path, folder)),
    ),
  );
  return few === null ? null : { ...few, pinned: [...new Set([...few.pinned, ...changing])].sort() };
}

const repositorySettings =
  /\/\.git(?:\/(?:.*\/)?(?:hooks|config|config\.worktree|commondir|gitdir|attributes|alternates))?$/i;

function isAllowed(path: string, workspace: string, allowed: readonly DeclaredChange[]): boolean {
  return allowed.some((change) => {
    if (change.kind === "path") return isInside(change.path, path);
    if (change.kind === "name") return relative(workspace, path).split("/").includes(change.name);
    return change.settings || !repositorySettings.test(path);
  });
}

/** What nobody approved and was taken back: what was done, in words, and the new names among it. */
export type TakenBack = { readonly notes: readonly string[]; readonly renamed: readonly Renaming[] };

/**
 * Looks at the workspace after a command line ran, and takes back what nobody approved. Where something was,
 * the line failed, and its outcome says so.
 */
export async function closeLaterGuard(
  guard: LaterGuard,
  allowed: readonly DeclaredChange[],
  outcome: Outcome,
): Promise<{ readonly outcome: Outcome; readonly renamed: readonly Renaming[] }> {
  const taken = await takeBackUnapproved(guard, allowed, async () => true);
  const told = withTakenBack(outcome, taken);
  return { outcome: withNotes(told, describeLocked(guard, allowed, outcome)), renamed: taken.renamed };
}

/**
 * Takes back what nobody approved: new files that are executed later get a name that nothing obeys, links of such names lead where they led, and
 * set-uid bits are removed. Only what `mayBeOfLine` is looked at. Gives what was done.
 */
export async function takeBackUnapproved(
  { workspace, before }: { readonly workspace: string; readonly before: BeforeLine },
  allowed: readonly DeclaredChange[],
  mayBeOfLine: (path: string) => Promise<boolean>,
): Promise<TakenBack> {
  await using look = await lookIntoClosed(
    workspace,
    async (path) => !before.named.has(path) && (await mayBeOfLine(path)),
  );
  const { found } = look;
  const { named } = await openFolders(found.named, allowed, (folder) => !before.named.has(folder));
  const after = { ...found, named };
  const notes: string[] = [];
  for (const path of after.privileged) {
    if (before.privileged.has(path) || !(await mayBeOfLine(path))) continue;
    await chmod(bytesOfPath(path), (await lstat(bytesOfPath(path))).mode & 0o1777);
    notes.push(`The set-uid bits of ${path} were removed.`);
  }
  const renamed: Renaming[] = [];
  const setAside = async (path: string): Promise<string> => {
    const renaming = await giveInertName(path);
    renamed.push(renaming);
    return basename(renaming.to);
  };
  for (const [path, { why }] of after.named) {
    if (
      before.named.has(path) ||
      isAllowed(path, workspace, allowed) ||
      renamed.some(({ from }) => isInside(from, path)) ||
      !(await isThere(path)) ||
      !(await mayBeOfLine(path))
    )
      continue;
    const name = await setAside(path);
    notes.push(`${path} is executed later (${why}), and its making was not approved: it is now ${name}.`);
  }
  for (const [path, { link }] of before.links)
    if (
      !isAllowed(path, workspace, allowed) &&
      (await mayBeOfLine(path)) &&
      (await restoreLink(path, link, setAside))
    )
      notes.push(`The link ${path} leads to ${link} again.`);
  for (const [path, { leads }] of before.links) {
    const target =
      leads || isAllowed(path, workspace, allowed) ? null : await realPath("/", path).catch(() => null);
    if (target === null || !isInside(workspace, target)) continue;
    if (!(await isThere(target)) || !(await mayBeOfLine(target))) continue;
    notes.push(
      `${path} leads to ${target}, which was not there before and not approved: it is now ${await setAside(target)}.`,
    );
  }
  return { notes: notes.map((note) => note.toWellFormed()), renamed };
}

/** Gives a file a name that nothing obeys, in the same folder; where the path is too long for that, the folder gets one. The owner can give it its name back. */
async function giveInertName(path: string): Promise<Renaming> {
  for (let count = 1; ; count += 1) {
    const name = `not-approved.${shortened(basename(path).toWellFormed())}${count === 1 ? "" : `.${count}`}.txt`;
    const place = join(dirname(path), name);
    try {
      if (await isThere(place)) continue;
      await renameIn(dirname(path), path, place);
      return { from: path, to: place };
    } catch (fault) {
      if (errorCode(fault) !== "ENAMETOOLONG") throw fault;
      return giveInertName(dirname(path));
    }
  }
}

/** A name that has room for what is put around it: a name has 255 bytes at most. */
function shortened(name: string): string {
  return Buffer.byteLength(name) > 200 ? `${name.slice(0, 40)}.cut` : name;
}

/** Renames an entry of a folder, also of one that the command closed for writing. */
async function renameIn(folder: string, from: string, to: string): Promise<void> {
  try {
    await rename(bytesOfPath(from), bytesOfPath(to));
  } catch (fault) {
    if (errorCode(fault) !== "EACCES") throw fault;
    const { mode } = await lstat(bytesOfPath(folder));
    await chmod(bytesOfPath(folder), 0o700);
    await rename(bytesOfPath(from), bytesOfPath(to));
    await chmod(bytesOfPath(folder), mode & 0o1777);
  }
}

/** Puts a link back where the command took it away or put another thing in its place. A folder that is gone with it stays gone. */
async function restoreLink(
  path: string,
  link: string,
  setAside: (path: string) => Promise<string>,
): Promise<boolean> {
  const isFolder = (await lstat(dirname(path)).catch(() => null))?.isDirectory() === true;
  if (!isFolder || (await readlink(bytesOfPath(path), "utf8").catch(() => null)) === link) return false;
  if (await isThere(path)) await setAside(path);
  await symlink(link, bytesOfPath(path));
  return true;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(bytesOfPath(path));
    return true;
  } catch (fault) {
    if (errorCode(fault) === "ENOENT" || errorCode(fault) === "ENOTDIR") return false;
    throw fault;
  }
}

const shown = 5;

/** Says which files were read-only, where a program complains of one. */
function describeLocked(
  guard: LaterGuard,
  allowed: readonly DeclaredChange[],
  outcome: Outcome,
): readonly string[] {
  const said = outcome.status === "success" ? JSON.stringify(outcome.content) : outcome.message;
  if (!/read-only file system|EROFS|resource busy|EBUSY|cross-device|EXDEV/i.test(said)) return [];
  const locked = lockedPaths(guard, allowed)?.locked ?? [];
  if (locked.length === 0) return [];
  const names = locked.slice(0, shown).map((path) => relative(guard.workspace, path));
  const more = locked.length > shown ? ` and ${locked.length - shown} more` : "";
  const { named, more: others } = guard.before;
  const isWhole = locked.some((path) => !named.has(path) && !others.includes(path));
  const whole = isWhole
    ? " There are too many of them, so folders that hold many are read-only as a whole."
    : "";
  return [
    `In the sandbox files that are executed later are read-only, and the folders above them cannot be moved: ${names.join(", ")}${more}.${whole} To change one, use write-file or edit-file, or a plain command that names it.`,
  ];
}

/** The outcome of a line of which something was taken back: it failed, whatever its programs said. */
function withTakenBack(outcome: Outcome, { notes }: TakenBack): Outcome {
  if (notes.length === 0) return outcome;
  if (outcome.status === "error") return withNotes(outcome, notes);
  const { label, changed } = outcome;
  return {
    status: "error",
    code: "not-approved",
    // Where a face shows the end of a message alone, that is what was taken back.
    message: [
      endOfOutput(outcome.content),
      "Not all of what the command made was approved. What else it changed stands.",
      ...notes.slice(0, mostTold),
      ...(notes.length > mostTold ? [`And ${notes.length - mostTold} more.`] : []),
      "The owner can give such a file its name back. To make one, use write-file or a plain command that names it.",
    ]
      .filter((line) => line !== "")
      .join("\n"),
    ...(label === undefined ? {} : { label }),
    ...(changed === undefined ? {} : { changed }),
  };
}

/** Lines of what was taken back that are told. */
const mostTold = 20;
/** Characters of the end of the output that stand beside a failure. */
const mostOutput = 2_000;

/** How a command ended, and the end of what it printed, in words. */
export function endOfOutput(content: Json): string {
  if (!isJsonObject(content)) return "";
  const { stdout = "", stderr = "", exitCode = 0 } = content;
  const text = `${String(stdout)}${String(stderr)}`.slice(-mostOutput).toWellFormed().trim();
  const ended = exitCode === 0 ? "" : `It ended with exit code ${String(exitCode)}. `;
  return text === "" ? ended.trim() : `${ended}The end of its output: ${text}`;
}

/** The outcome, with notes beside it. */
export function withNotes(outcome: Outcome, notes: readonly string[]): Outcome {
  if (notes.length === 0) return outcome;
  if (outcome.status === "error") return { ...outcome, message: [outcome.message, ...notes].join(" ") };
  if (!isJsonObject(outcome.content)) return outcome;
  const { note } = outcome.content;
  const all = [...(typeof note === "string" ? [note] : []), ...notes].join(" ");
  return { ...outcome, content: { ...outcome.content, note: all } };
}
