import { dirname, join, relative } from "node:path";
import type { Outcome } from "../../signal/tool.ts";
import { isInside } from "../../text/is-inside.ts";
import { isJsonObject } from "../../text/json.ts";
import { entryIfThere } from "../files/status-if-there.ts";
import type { ProtectedPathsSearch } from "./confine.ts";
import { withNotes } from "./later-guard.ts";
import { repositoryAround } from "./linked-repository.ts";
import type { PlannedCommand } from "./plan.ts";
import { startedProgram } from "./programs/unwrap-words.ts";
import type { Execution, ShellPorts } from "./shell-ports.ts";
import { textOfFile } from "./text-of-file.ts";

/** What the commands saw: the workspace through the sandbox. */
type Seen = Pick<Execution, "given"> &
  Pick<ShellPorts, "sandbox"> & { readonly search: ProtectedPathsSearch };

/** How git says that it will not begin, since it takes files for changed, or cannot read one. */
const refusal =
  /unstaged changes|uncommitted changes|commit or stash|local changes|would be overwritten|unsupported file type|only add regular files/;

/**
 * What git says of a repository in which secret files are committed is not true in the sandbox, where these are masked: it takes them for changed, and cannot
 * add them. Tells the reader of its output which ones it named: as a note, and as `hidden`.
 */
export async function tellHiddenFromGit(
  outcome: Outcome,
  commands: readonly PlannedCommand[],
  { given, search, sandbox }: Seen,
): Promise<Outcome> {
  const { workspace } = given;
  if (sandbox === null || workspace === null || !commands.some(({ argv }) => startedProgram(argv) === "git"))
    return outcome;
  const said = outcome.status === "error" ? outcome.message : JSON.stringify(outcome.content);
  const { masked } = await search(workspace);
  const isRefused = refusal.test(said);
  const isTracked = isRefused ? await trackedTest(given.cwd) : () => false;
  const hidden: string[] = [];
  for (const { path } of masked) {
    const name = relative(workspace, path);
    const isMeant = said.includes(name) || isTracked(path);
    if (isInside(workspace, path) && isMeant && !(await isStream(path))) hidden.push(name);
  }
  if (hidden.length === 0) return outcome;
  const some = hidden.length > 3 ? `${hidden.slice(0, 3).join(", ")} and others` : hidden.join(", ");
  const told = withNotes(outcome, [
    `Commands do not see what is in secret files (${some}), so that git takes them for changed and cannot add them. To add or commit the other files, name them: git add FILE, git commit FILE.`,
    ...(isRefused
      ? [
          "So git may refuse a rebase, a merge, a pull, a stash or a commit of all files here, though its owner changed nothing. The owner does that step in a terminal; git checkout and git cherry-pick work here.",
        ]
      : []),
  ]);
  if (told.status === "error" || !isJsonObject(told.content)) return told;
  return { ...told, content: { ...told.content, hidden } };
}

/**
 * Whether the index of the repository around a folder has a file, as far as its names stand in it as they
 * are.
 */
async function trackedTest(cwd: string): Promise<(path: string) => boolean> {
  const repository = await repositoryAround(cwd);
  const index = repository === null ? null : await textOfFile(join(repository, "index"));
  if (repository === null || index === null) return () => false;
  return (path) => index.includes(`${relative(dirname(repository), path)}\0`);
}

/** Whether a path is a pipe or a socket: commands do not see it either, and git tracks none. */
async function isStream(path: string): Promise<boolean> {
  const status = await entryIfThere(path);
  return status !== null && (status.isFIFO() || status.isSocket());
}
