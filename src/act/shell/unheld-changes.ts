import { dirname, isAbsolute } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { changesOutside } from "./outside-places.ts";
import type { CommandPlan, PlannedCommand } from "./plan.ts";
import { readGitWords } from "./programs/git-words.ts";
import { scriptOf, startedProgram, withoutWrappers } from "./programs/unwrap-words.ts";
import { wordedChanges } from "./programs/worded-changes.ts";
import { changedByScript, type ScriptPlace } from "./script-changes.ts";

/** A change outside of the workspace of which no copy can be made, and why, with what to propose instead. */
export type UnheldChange = { readonly path: string; readonly why: string };

/** Finds what a line would change outside of the workspace and no copy can hold, by its words. */
export function findUnheldChange(plan: CommandPlan, place: ScriptPlace): UnheldChange | null {
  for (const { commands } of plan)
    for (const command of commands.filter(({ proof }) => proof === null)) {
      const found =
        bySaid(command, place) ??
        byHardLink(command, place) ??
        byGit(command, place) ??
        byHandedNames(command, commands, place) ??
        byScript(command, place);
      if (found !== null) return found;
    }
  return null;
}

function bySaid(command: PlannedCommand, { workspace }: ScriptPlace): UnheldChange | null {
  const changes = changesOutside(command, workspace);
  for (const { path, unheld } of changes) if (unheld !== undefined) return { path, why: unheld };
  const moved = command.worded.find(({ path, whole }) => whole === "moved" && path === workspace);
  return moved === undefined || changes.length === 0
    ? null
    : {
        path: moved.path,
        why: "it is the workspace itself, in which the command runs. Leave it to the owner",
      };
}

/** A hard link needs both names in one copy. */
function byHardLink(command: PlannedCommand, { workspace }: ScriptPlace): UnheldChange | null {
  const isLinked =
    startedProgram(command.argv) === "ln" && !command.argv.some((word) => /^-\w*s|^--symbolic$/.test(word));
  const [first] = isLinked ? changesOutside(command, workspace) : [];
  if (first === undefined) return null;
  const folders = new Set(command.worded.map(({ path }) => dirname(path)));
  const why = "a hard link there needs both names in one folder. Propose ln -s or cp";
  return folders.size < 2 ? null : { path: first.path, why };
}

const changingVerbs =
  /^(?:checkout|switch|merge|pull|rebase|reset|stash|cherry-pick|revert|restore|apply|am|clean|rm|mv|bisect|worktree|submodule|clone|fetch|push)$/;

/** Of a repository elsewhere only what a commit changes is kept. */
function byGit({ argv, repository }: PlannedCommand, { workspace }: ScriptPlace): UnheldChange | null {
  if (repository === null) return null;
  const { workTree } = repository;
  if (isInside(workTree, workspace) || isInside(workspace, workTree)) return null;
  const [verb = "", ...words] = readGitWords(withoutWrappers(argv).slice(1)).words;
  const names = /^(?:branch|tag|config|remote)$/.test(verb) && words.some((word) => !word.startsWith("-"));
  if (!names && !changingVerbs.test(verb)) return null;
  const why = `of a repository there only git add and git commit are kept. The owner starts a session in that folder (cd ${workTree} && passepartout), or runs it in a terminal`;
  return { path: workTree, why };
}

/** What `xargs` and `parallel` hand on is a name that nobody knows before they run. */
function byHandedNames(
  { argv, reads }: PlannedCommand,
  commands: readonly PlannedCommand[],
  { workspace }: ScriptPlace,
): UnheldChange | null {
  const isHanding = /(?:^|\/)(?:xargs|parallel)$/.test(argv[0] ?? "");
  if (!isHanding || !wordedChanges([...argv, "x"]).some(({ how }) => how !== "read")) return null;
  const read = [...reads, ...commands.flatMap((each) => each.reads)].map(({ path }) => path);
  const path = [...read, ...argv].find(
    (each) => isAbsolute(each) && !isInside(workspace, each) && !/^\/(?:usr|dev)\//.test(each),
  );
  const why =
    "the names that a command gets from another one are not known before it runs. Look for the files first, and name them as its words";
  return path === undefined ? null : { path, why };
}

function byScript(command: PlannedCommand, place: ScriptPlace): UnheldChange | null {
  const script = scriptOf(command.argv);
  if (script === null || changesOutside(command, place.workspace).length > 0) return null;
  const path = changedByScript(script, place);
  const why = `a script has no copy of what is there (${command.doubt}). Propose one plain command a line, each path in full, without cd, variables and patterns for what the line makes itself; or the owner starts a session in that folder`;
  return path === null ? null : { path, why };
}
