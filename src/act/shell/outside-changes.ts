import { basename, resolve } from "node:path";
import { isInside } from "../../signal/is-inside.ts";
import { pushAll } from "../../signal/lists.ts";
import type { Outcome } from "../../signal/tool.ts";
import { entryIfThere } from "../files/status-if-there.ts";
import { sandboxFolders, sandboxHome } from "../sandbox/bubblewrap.ts";
import type { LeftFile } from "../trial/taken-out.ts";
import { asFailure } from "./kept-outcome.ts";
import { withNotes } from "./later-guard.ts";
import { findNamedWords } from "./named-words.ts";
import type { PlannedCommand } from "./plan.ts";
import type { ResolvedChange } from "./said-changes.ts";
import type { Execution } from "./shell-ports.ts";

/** Paths that are named in words. */
const mostNamed = 5;

/** What came of a line. */
type Watched = {
  readonly outcome: Outcome;
  /** Whether what it was to do outside of the workspace was not done: then nothing of it is kept. */
  readonly isUndone: boolean;
};

/**
 * Runs commands, and tells where they were to change something outside of the workspace and did not: there
 * the sandbox changes nothing, or what they write is gone with it. What was to go there is then in no place,
 * so nothing of what the line changed may be kept; where it would run in the workspace itself, a line that
 * takes something away does not run.
 */
export async function runWatched<Run extends object>(
  run: Run,
  { commands, execution, runPlan }: Watching<Run>,
): Promise<Watched> {
  const { ports, given, overlay } = execution;
  const { workspace } = given;
  const left: LeftFile[] = [];
  const watched = { ...run, leftFiles: (files: readonly LeftFile[]) => pushAll(left, files) };
  if (ports.sandbox === null || workspace === null)
    return { outcome: await runPlan(run, execution), isUndone: false };
  const failure = (paths: readonly string[], how: "write" | "delete", stays: string): Failure => ({
    code: "outside-workspace",
    message: ports.mask([messageOf(paths, how, workspace), stays].filter((part) => part !== "").join(" ")),
  });
  const meant = await withStamps(commands.flatMap((command) => changesOutside(command, workspace)));
  const named = meant.map(({ path }) => path);
  const how = meant.some((each) => each.how === "delete") ? "delete" : "write";
  if (meant.length > 0 && overlay === null && takesAway(commands, workspace))
    return { outcome: { status: "error", ...failure(named, how, "Nothing was run.") }, isUndone: true };
  const begun = Date.now() / 1000;
  const outcome = await runPlan(watched, execution);
  const done = await Promise.all(meant.map(isDone));
  const stays = overlay === null ? "" : "Nothing of what the line changed in the workspace was kept.";
  if (meant.length > 0 && !done.includes(true))
    return { outcome: asFailure(outcome, failure(named, how, stays)), isUndone: true };
  const text = commands.flatMap(({ argv }) => argv).join("\n");
  const delivered = deliveredFiles(text, left, { cwd: given.cwd, begun });
  const isNamed = makeNamedTest(text, given.cwd);
  const lost = overlay === null ? [] : await overlay.takenOut(left, { files: delivered, isNamed });
  if (lost.length > 0)
    return { outcome: asFailure(outcome, failure(shownPaths(lost), "write", stays)), isUndone: true };
  const gone = shownPaths(delivered).map((path) => ports.mask(path));
  return { outcome: withNotes(outcome, gone.length === 0 ? [] : [goneWords(gone)]), isUndone: false };
}

function shownPaths(files: readonly LeftFile[]): readonly string[] {
  return files.map(({ path }) => path.replace(`${sandboxHome}/`, "~/").toWellFormed());
}

function goneWords(paths: readonly string[]): string {
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : "";
  const named = paths.slice(0, mostNamed).join(", ");
  return `${named}${more} ${paths.length === 1 ? "is" : "are"} gone: the sandbox has folders of its own there, which end with the command. What is to stay goes into the workspace.`;
}

/**
 * What a line wrote into a folder of the sandbox where its words say so, and did not use itself: its result.
 * What was read after it was written was a temporary file, and so was all below a path of which a part was
 * read. Where both happened in one tick of the clock, the words tell it by naming the path again. What
 * output goes to is a log.
 */
function deliveredFiles(
  text: string,
  left: readonly LeftFile[],
  { cwd, begun }: { readonly cwd: string; readonly begun: number },
): readonly LeftFile[] {
  const places = { home: sandboxHome, cwd };
  const targets = [...text.matchAll(/>[>|]?\s*([^\s;|&()<>]+)/g)].map(([, target = ""]) => target);
  const logs = new Set(findNamedWords(targets.join("\n"), places));
  const made = left.filter(({ path, changed }) => changed > begun - tick && !logs.has(path));
  if (made.length === 0) return [];
  const delivered = findNamedWords(text, places).flatMap((word) => {
    const [named = ""] = word.split("*", 1);
    if (!sandboxFolders.some((folder) => named.startsWith(`${folder}/`) && named !== `${folder}/`)) return [];
    const files = made.filter(({ path }) => path.startsWith(named));
    const isNamedAgain = text.split(basename(named)).length > 2;
    const isUsed = files.some(({ changed, read }) => read > changed || (read === changed && isNamedAgain));
    return isUsed ? [] : files;
  });
  return [...new Set(delivered)];
}

/**
 * Makes the test whether a line names a path, or a folder above it that is not the folder that it runs in:
 * it works on that, and what it deletes there without naming it is a cache or a build.
 */
function makeNamedTest(text: string, cwd: string): (path: string) => boolean {
  if (/(?:^|[\s/'"])\*(?:$|[\s;|&)'"])/.test(text)) return () => true;
  const named = findNamedWords(text, { home: sandboxHome, cwd })
    .map((word) => ({ folder: resolve(cwd, word.split("*", 1)[0] ?? ""), isWhole: !word.includes("*") }))
    .filter(({ folder }) => !isInside(folder, cwd));
  return (path) =>
    named.some(({ folder, isWhole }) => (isWhole ? isInside(folder, path) : path.startsWith(folder)));
}

/** Seconds that the times of files may be behind the clock. */
const tick = 0.05;

type Watching<Run> = {
  readonly commands: readonly PlannedCommand[];
  readonly execution: Execution;
  readonly runPlan: (run: Run, execution: Execution) => Promise<Outcome>;
};

type Failure = { readonly code: string; readonly message: string };

type Meant = ResolvedChange & { readonly stamp: string };

/**
 * What is there before a line runs. A folder that is written into changes whenever anybody puts something
 * there: what it is to get counts by itself.
 */
async function withStamps(changes: readonly ResolvedChange[]): Promise<readonly Meant[]> {
  const found: Meant[] = [];
  for (const change of changes) {
    const status = await entryIfThere(change.path);
    if (change.how === "write" && status?.isDirectory() === true) continue;
    found.push({ ...change, stamp: stampOf(status) });
  }
  return found;
}

async function isDone({ path, how, stamp }: Meant): Promise<boolean> {
  const now = stampOf(await entryIfThere(path));
  return how === "delete" ? now === "" : now !== stamp;
}

function takesAway(commands: readonly PlannedCommand[], workspace: string): boolean {
  return commands.some(({ worded }) =>
    worded.some(({ how, path }) => how === "delete" && isInside(workspace, path)),
  );
}

/**
 * What the program of a command would change by itself; what its output goes to is opened outside of the
 * sandbox.
 */
function changesOutside(
  { proof, worded, writes, repository }: PlannedCommand,
  workspace: string,
): readonly ResolvedChange[] {
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
  return /^\/(?:dev|proc|sys)\//.test(path) && !sandboxFolders.some((folder) => isInside(folder, path));
}

function stampOf(status: Awaited<ReturnType<typeof entryIfThere>>): string {
  return status === null ? "" : [status.ino, status.size, status.mtimeMs, status.ctimeMs].join(" ");
}

function messageOf(changed: readonly string[], how: "write" | "delete", workspace: string): string {
  const paths = [...new Set(changed.map((path) => path.toWellFormed()))];
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : "";
  const files =
    how === "write"
      ? "Write such a file with write-file or edit-file, or let output go there (COMMAND > FILE)"
      : "A file is written there with write-file";
  return `Nothing was changed outside of the workspace ${workspace}: a command in the sandbox changes the workspace alone, and not ${paths.slice(0, mostNamed).join(", ")}${more}. ${files}; anything else there the owner does in a terminal of their own.`;
}
