import { basename, join, relative, resolve } from "node:path";
import type { Outcome } from "../../signal/tool.ts";
import { isInside } from "../../text/is-inside.ts";
import { pushAll } from "../../text/lists.ts";
import { sandboxFolders, sandboxHome } from "../sandbox/bubblewrap.ts";
import type { LeftFile } from "../trial/taken-out.ts";
import { asFailure } from "./kept-outcome.ts";
import { withNotes } from "./later-guard.ts";
import { findNamedWords } from "./named-words.ts";
import type { PlannedCommand } from "./plan.ts";
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
 * Runs commands, and tells where they wrote into a folder of the sandbox itself, which is gone with it. What
 * was to go there is then in no place, so nothing of what took it away is kept.
 */
export async function runWatched<Run extends object>(
  run: Run,
  { commands, execution, runPlan }: Watching<Run>,
): Promise<Watched> {
  const { ports, given, overlay } = execution;
  const { workspace } = given;
  if (ports.sandbox === null || workspace === null)
    return { outcome: await runPlan(run, execution), isUndone: false };
  const left: LeftFile[] = [];
  const watched = { ...run, leftFiles: (files: readonly LeftFile[]) => pushAll(left, files) };
  const begun = Date.now() / 1000;
  const outcome = await runPlan(watched, execution);
  const text = commands.flatMap(({ argv }) => argv).join("\n");
  const delivered = deliveredFiles(text, left, { cwd: given.cwd, workspace, begun });
  const isNamed = makeNamedTest(text, given.cwd);
  const lost = overlay === null ? [] : await overlay.takenOut(left, { files: delivered, isNamed });
  if (lost.length > 0) {
    // Of a trial that failed nothing is kept in any case, and it says so itself.
    const kept =
      overlay?.isTrial === true ? "" : " Nothing of what the line changed in the workspace was kept.";
    const message = ports.mask(`${messageOf(shownPaths(lost), workspace)}${kept}`);
    return { outcome: asFailure(outcome, { code: "outside-workspace", message }), isUndone: true };
  }
  const gone = shownPaths(delivered).map((path) => ports.mask(path));
  if (gone.length === 0) return { outcome, isUndone: false };
  return { outcome: withoutResult(outcome, goneWords(gone), overlay?.isTrial === true), isUndone: false };
}

/** A line whose result is in no place has failed, also where its programs do not know that. */
function withoutResult(outcome: Outcome, gone: string, isTrial: boolean): Outcome {
  if (outcome.status === "error") return withNotes(outcome, [gone]);
  const { changed } = outcome;
  const message = isTrial ? gone : `${gone} What the line changed in the workspace stands.`;
  return asFailure(outcome, {
    code: "outside-workspace",
    message,
    ...(changed === undefined ? {} : { changed }),
  });
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
 * output goes to is a log. A folder of the sandbox with the workspace in it is no place for temporary files:
 * what was left between the two is a result, whatever the words.
 */
function deliveredFiles(
  text: string,
  left: readonly LeftFile[],
  { cwd, workspace, begun }: { readonly cwd: string; readonly workspace: string; readonly begun: number },
): readonly LeftFile[] {
  const places = { home: sandboxHome, cwd };
  const targets = [...text.matchAll(/>[>|]?\s*([^\s;|&()<>]+)/g)].map(([, target = ""]) => target);
  const logs = new Set(findNamedWords(targets.join("\n"), places));
  const fresh = left.filter(({ changed }) => changed > begun - tick);
  const made = fresh.filter(({ path }) => !logs.has(path));
  const above = sandboxFolders.find((folder) => isInside(folder, workspace));
  const [beside] = above === undefined ? [] : relative(above, workspace).split("/");
  const isBeside = ({ path }: LeftFile): boolean =>
    above !== undefined && path.startsWith(`${join(above, beside ?? "")}/`);
  const delivered = findNamedWords(text, places).flatMap((word) => {
    const [start = ""] = word.split("*", 1);
    const named = start.startsWith("../") ? resolve(cwd, start) : start;
    if (!sandboxFolders.some((folder) => named.startsWith(`${folder}/`) && named !== `${folder}/`)) return [];
    const files = made.filter(({ path }) => path.startsWith(named));
    const isNamedAgain = text.split(basename(named)).length > 2;
    const isUsed = files.some(({ changed, read }) => read > changed || (read === changed && isNamedAgain));
    return isUsed ? [] : files;
  });
  return [...new Set([...fresh.filter(isBeside), ...delivered])];
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

function messageOf(lost: readonly string[], workspace: string): string {
  const paths = [...new Set(lost.map((path) => path.toWellFormed()))];
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : "";
  return `Nothing was changed outside of the workspace ${workspace}: the sandbox has folders of its own at ${paths.slice(0, mostNamed).join(", ")}${more}, which end with the command. Name the path as a word of cp or mv in the line itself: then the owner is asked, and it is written there.`;
}
