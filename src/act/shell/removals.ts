import { basename, relative } from "node:path";
import type { Outcome } from "../../signal/tool.ts";
import { isInside } from "../../text/is-inside.ts";
import type { Confinement } from "../sandbox/bubblewrap.ts";
import type { ProtectedPathsSearch } from "./confine.ts";
import { withNotes } from "./later-guard.ts";
import type { PlannedCommand } from "./plan.ts";

const removers = new Set(["rm", "rmdir", "unlink"]);

/** Where the system keeps its own programs, by real paths. */
const systemPrograms = /^\/(?:usr\/)?bin\/[^/]+$/;

/**
 * The files and folders that a command deletes, where it does nothing else: the system's own `rm` reads no
 * contents and makes nothing. None for any other command, and for one with variables of its own, which may
 * load other code into it.
 */
export function onlyRemoved({ argv, binary, assignments, worded }: PlannedCommand): readonly string[] {
  const isRemover =
    binary !== null &&
    assignments.length === 0 &&
    removers.has(basename(argv[0] ?? "")) &&
    systemPrograms.test(binary.path) &&
    systemPrograms.test(binary.real);
  return isRemover ? worded.flatMap(({ path, how }) => (how === "delete" ? [path] : [])) : [];
}

/**
 * A search that leaves out what a command deletes and can neither read nor write: covered secrets could not
 * be deleted.
 */
export function withoutRemoved(
  search: ProtectedPathsSearch,
  removed: readonly string[],
): ProtectedPathsSearch {
  return async (folder, limit) => {
    const found = await search(folder, limit);
    const masked = found.masked.filter(({ path }) => !removed.some((each) => isInside(each, path)));
    return { ...found, masked };
  };
}

/**
 * Adds to the doubt of a command which secret files go with the folders that it deletes, so that a question
 * names them.
 */
export async function nameSecretsRemoved(
  command: PlannedCommand,
  cwd: string,
  {
    search,
    isSecretPath,
  }: { readonly search: ProtectedPathsSearch; readonly isSecretPath: (path: string) => boolean },
): Promise<PlannedCommand> {
  const removed = onlyRemoved(command);
  const found = await Promise.all(removed.map((path) => search(path)));
  const secrets = found
    .flatMap(({ masked }) => masked)
    .filter(({ path }) => isSecretPath(path) && !removed.includes(path));
  if (secrets.length === 0) return command;
  return { ...command, doubt: `${command.doubt}; secret files go with it: ${listNames(secrets, cwd)}` };
}

/**
 * Says why a command would delete or move only a part of a folder: something in it is hidden from the
 * command. Null where nothing is.
 */
export function refuseHalfRemoval(
  { worded }: Pick<PlannedCommand, "worded">,
  { masked }: Pick<Confinement, "masked">,
  cwd: string,
): string | null {
  for (const { path, tree, whole } of worded) {
    if (whole === undefined || !tree) continue;
    const hidden = masked.filter((mask) => mask.path !== path && isInside(path, mask.path));
    if (hidden.length === 0) continue;
    const name = relative(cwd, path) || ".";
    return `${name} would be ${whole} in part only, since it holds what this command may not see (${listNames(hidden, cwd)}). Nothing was ${whole}. ${wayOf[whole]}`;
  }
  return null;
}

const wayOf = {
  deleted:
    "To delete all of it, propose rm as a command of its own, not in a script and without network, so that it can be undone; what belongs to the agent itself stays.",
  moved:
    "Commands cannot move it as a whole: the owner can, in a terminal of their own. Or move what else is in it, by its names.",
} as const;

/**
 * Names the hidden files where a program complains that it could not delete, move or copy one of them: to
 * the program they are mounts.
 */
export async function tellHiddenStayed(
  outcome: Outcome,
  workspace: string | null,
  search: ProtectedPathsSearch,
): Promise<Outcome> {
  const said = outcome.status === "error" ? outcome.message : JSON.stringify(outcome.content);
  if (workspace === null || !/resource busy|EBUSY|cannot create special file/i.test(said)) return outcome;
  const { masked } = await search(workspace);
  const byPath = masked.filter(({ path }) => said.includes(relative(workspace, path)));
  const hidden = byPath.length > 0 ? byPath : masked.filter(({ path }) => said.includes(basename(path)));
  if (hidden.length === 0) return outcome;
  return withNotes(outcome, [
    `Commands do not see what is in secret files, and a script cannot delete, move or copy them: ${listNames(hidden, workspace)} stayed. What the command changed elsewhere may stand; look at it before you go on. To delete a folder with such a file, propose rm as a command of its own.`,
  ]);
}

const mostShown = 5;

function listNames(hidden: Confinement["masked"], folder: string): string {
  const shown = hidden.slice(0, mostShown).map(({ path }) => relative(folder, path).toWellFormed());
  return `${shown.join(", ")}${hidden.length > mostShown ? ` and ${hidden.length - mostShown} more` : ""}`;
}
