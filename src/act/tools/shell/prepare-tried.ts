import { dirname, join, resolve } from "node:path";
import type { Effect } from "../../../signal/effect.ts";
import type { Label } from "../../../signal/label.ts";
import type { Caller, Outcome, Preparation, Trial } from "../../../signal/tool.ts";
import { isInside } from "../../../text/is-inside.ts";
import { canonicalJson, isJsonObject, type JsonObject } from "../../../text/json.ts";
import { entryIfThere } from "../../files/status-if-there.ts";
import { execute, trialTime } from "../../shell/execute.ts";
import { withKept } from "../../shell/kept-outcome.ts";
import { withNotes } from "../../shell/later-guard.ts";
import type { CommandPlan } from "../../shell/plan.ts";
import { readGitWords } from "../../shell/programs/git-words.ts";
import { findProtectedPaths } from "../../shell/protected-paths.ts";
import type { CommandWrites, Execution, RunOverlay, ShellPorts } from "../../shell/shell-ports.ts";
import { findUncopied } from "../../shell/uncopied-file.ts";
import { nothingKept } from "../../trial/command-overlays.ts";
import { diffsOf } from "../../trial/difference-diffs.ts";
import { differenceEffects } from "../../trial/difference-effects.ts";
import { forgedObjects } from "../../trial/forged-objects.ts";
import { giveUnheld } from "../../trial/give-unheld.ts";
import { findLackingCopies, notesOnLacking, refuseStandIns } from "../../trial/lacking-copies.ts";
import { type Sized, withinSize } from "../../trial/measure.ts";
import { type LeftFile, type MeantFiles, takenOut } from "../../trial/taken-out.ts";
import type { NewTrial, TriedCommand } from "../../trial/trials.ts";
import { unseenEffects } from "../../trial/unseen-by-work-tree.ts";
import { refuseUntracked, type SecretsOfLine, untrackedSecrets } from "../../trial/untracked-secrets.ts";
import { dropsOfUndo } from "./drops-of-undo.ts";
import {
  lossEffects,
  lostLogEffects,
  lostObjectEffects,
  lostRowEffects,
  withLostCommits,
} from "./loss-effects.ts";
import { RenameRuns } from "./rename-runs.ts";
import { tellStandIns } from "./tell-stand-ins.ts";

/** A line to try, with the arguments that it was proposed with. */
type LineTrial = Omit<Execution, "overlay"> & {
  readonly args: JsonObject;
  /** The label of all that it can read in the workspace. */
  readonly readable: Label;
};

/** Tries a line over an overlay: all of the workspace may be changed there, and nothing is kept. */
export async function tryLine(plan: CommandPlan, trial: LineTrial): ReturnType<Trial> {
  const { args, readable, ...execution } = trial;
  const { ports, given, origin, cancel } = execution;
  const { overlays } = ports;
  if (overlays === undefined || given.workspace === null)
    throw new Error("A line without overlays was to be tried.");
  const overlay = await overlays.open(given.workspace);
  if (typeof overlay === "string") {
    return notTried(overlay);
  }
  const { trials } = overlays;
  let hosts: readonly string[] = [];
  const missed = (found: readonly string[]): void => {
    hosts = found;
  };
  const line = { cmd: String(args["cmd"]), cwd: given.cwd, workspace: given.workspace, plan };
  const runs = new RenameRuns({ ...execution, ...line, overlays });
  const tryOver = (over: RunOverlay["overlay"]) => {
    const run = {
      overlay: over,
      isTrial: true,
      keep: () => Promise.resolve(nothingKept),
      takenOut: (left: readonly LeftFile[], meant: MeantFiles) => takenOut(over, left, meant),
      covered: runs.covered,
    };
    const trying = { turn: origin.turn, command: canonicalJson(args), overlay: over, readable };
    const executeOver: NewTrial["execute"] = async (ending, started) =>
      explained(
        await execute(plan, { ...execution, cancel: ending, overlay: run, started, missed }),
        given.cwd,
      );
    return trials.run({ ...trying, execute: executeOver }, cancel);
  };
  let tried = await tryOver(overlay);
  for (let next = await runs.next(tried.outcome); next !== null; next = await runs.next(tried.outcome))
    tried = await tryOver(next);
  const uncopied = await findUncopied(tried.outcome, given.workspace);
  // Words alone do not undo what a command did that ended well.
  if (uncopied !== null && (hasFailed(tried.outcome) || !tried.changed)) {
    trials.needFolder(origin.turn, canonicalJson(args), uncopied);
    // What the copy shows is asked about beside it, until the question is put.
    return notTried(uncopied, () => trials.drop(origin.turn));
  }
  if (given.network !== null || hosts.length === 0 || !hasFailed(tried.outcome)) return tried;
  const network = { network: hosts };
  trials.miss(origin.turn, canonicalJson({ ...args, ...network }));
  return { ...tried, lacks: { args: network, drop: () => trials.drop(origin.turn) } };
}

/** Where there is no overlay of the folder, the same line is judged without one: then its owner is asked. */
export function notTried(
  problem: string,
  drop: () => Promise<void> = () => Promise.resolve(),
): Awaited<ReturnType<Trial>> {
  const message = `It could not be tried: ${problem}. Nothing was run. Propose it again.`;
  return {
    outcome: { status: "error", code: "no-overlay", message },
    changed: false,
    lacks: { args: {}, drop },
  };
}

function hasFailed(outcome: Outcome): boolean {
  if (outcome.status === "error") return outcome.code === "unreachable";
  return isJsonObject(outcome.content) && outcome.content["exitCode"] !== 0;
}

/** A trial that failed since it may write nowhere else, or does not see a repository, says so. */
async function explained(outcome: Outcome, cwd: string): Promise<Outcome> {
  if (outcome.status !== "success" || !isJsonObject(outcome.content)) return outcome;
  const { exitCode, stderr } = outcome.content;
  const isRefused =
    exitCode !== 0 && /permission denied|operation not permitted|read-only file system/i.test(String(stderr));
  if (isRefused) return withNotes(outcome, [onlyTheWorkspace]);
  if (exitCode === 0) return outcome;
  if (/^error: .*alternate object path: \//m.test(String(stderr)))
    return withNotes(outcome, [objectsElsewhere]);
  const isHidden = /\bnot a git repository\b/i.test(String(stderr)) && (await hasOtherGit(cwd));
  return isHidden ? withNotes(outcome, [repositoryElsewhere]) : outcome;
}

/** Whether the `.git` of a folder, or of the next one above it that has one, is no folder itself. */
async function hasOtherGit(cwd: string): Promise<boolean> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const status = await entryIfThere(join(folder, ".git"));
    if (status !== null || folder === "/") return status?.isDirectory() === false;
  }
}

const onlyTheWorkspace =
  "It was tried in the sandbox: it could change the workspace alone, without network, other files or other rights. If it needs more, say what to the owner.";

const onlyPlainGit =
  "Only a git command that the line itself starts, without cd and without a script (git add, git commit, git status; git -C FOLDER), has it, once the owner said yes";

const repositoryElsewhere = `The repository of this work tree is not in the workspace. ${onlyPlainGit}, and only where the repository names this work tree, as that of a linked work tree or a submodule does, or was made apart (--separate-git-dir, .git as a link) and names none. For another one the owner runs git config core.worktree FOLDER once, with the path of the work tree.`;

const objectsElsewhere = `The repository is not damaged: it borrows objects from another one (.git/objects/info/alternates), which is not in the workspace. ${onlyPlainGit}.`;

/** What keeping the changes of a trial needs. */
type Keeping = {
  readonly ports: ShellPorts;
  readonly caller: Caller;
  readonly writes: Omit<CommandWrites, "paths">;
  readonly plan: CommandPlan;
  readonly cmd: string;
};

/** Prepares to keep what a command changed in its trial: its effects are those of the difference, and its run makes the workspace like it. */
export async function prepareTried(
  tried: TriedCommand,
  { ports, caller, writes, plan, cmd }: Keeping,
): Promise<Preparation> {
  const { overlay, outcome, ranFor, difference, digest } = tried;
  const { label } = writes;
  const secrets = secretsOfLine(plan, ports, overlay.folder);
  const untracked = await withinSize(() => untrackedSecrets({ ...difference, overlay }, secrets));
  const { masked } = await findProtectedPaths(overlay.folder, ports.isSecretPath);
  const lacking = await findLackingCopies(
    difference,
    masked.map(({ path }) => path),
  );
  const refused =
    (untracked.ok ? refuseUntracked(untracked.value) : untracked.error.message) ??
    refuseStandIns(lacking, overlay.folder);
  if (refused !== null) {
    await ports.overlays?.trials.drop(caller.turn);
    return { ok: false, code: "secrets-untracked", message: ports.mask(refused), label };
  }
  const drops = await dropsOfUndo(ports.overlays);
  const effects = await effectsOfTried(tried, { ports, caller, writes, cmd });
  if (!effects.ok) {
    await ports.overlays?.trials.drop(caller.turn);
    return { ok: false, ...effects.error, label };
  }
  return {
    ok: true,
    effects: [...effects.value, ...drops.effects],
    plan: { tried: digest, workspace: overlay.folder, ...drops.plan },
    changes: [],
    preview: { label, diffs: () => diffsOf(difference) },
    resultLabel: label,
    ranFor,
    async run(_cancel, view) {
      const { overlays } = ports;
      if (overlays === undefined) throw new Error("A trial without overlays was to be kept.");
      const since = Number(overlay.begun / 1_000_000n);
      const paths = writtenPaths(plan);
      const labelWritten = await ports.labelWritten?.({ paths, ...writes, since, milliseconds: 0 });
      const { turn, session } = caller;
      await overlays.dropSets(drops.sets);
      const held = { ...difference, unheld: new Map() };
      const exchanged = await overlays.keep(overlay, { turn, session }, held, view);
      const left = await giveUnheld(difference, overlay, exchanged.made);
      const kept = { ...exchanged, conflicts: [...exchanged.conflicts, ...left] };
      await labelWritten?.();
      await overlays.trials.drop(turn);
      const ran = { workspace: overlay.folder, begun: since };
      const notes = notesOnLacking(lacking, overlay.folder).map(ports.mask);
      return tellStandIns(withNotes(withKept(outcome, kept), notes), ran, ports);
    },
  };
}

/** The effects of keeping what a command changed in its trial. */
export async function effectsOfTried(
  { overlay, difference, parsed, verified }: TriedCommand,
  { ports, caller, writes: { label }, cmd }: Omit<Keeping, "plan">,
): Promise<Sized<readonly Effect[]>> {
  const judging = { overlay, label, isSecretPath: ports.isSecretPath, parsed };
  const loss = { sources: caller.sources ?? null, ports, cmd, workspace: overlay.folder, label };
  return withinSize(async () => [
    ...(await withLostCommits(await differenceEffects(difference, judging), { overlay, difference }, loss)),
    ...(await unseenEffects(difference, { overlay, label })),
    ...(await forgedObjects(difference, { overlay, label, verified, longest: trialTime(ports) })),
    ...(await lossEffects({ overlay, difference }, loss)),
    ...(await lostRowEffects(difference, loss)),
    ...(await lostObjectEffects({ overlay, difference }, loss)),
    ...(await lostLogEffects({ overlay, difference }, loss)),
  ]);
}

/** Which secret files a line may take out of a repository: those that its words name. */
export function secretsOfLine(
  plan: CommandPlan,
  { isSecretPath }: Pick<ShellPorts, "isSecretPath">,
  cwd: string,
): SecretsOfLine {
  const named = plan
    .flatMap(({ commands }) => commands)
    .flatMap(({ argv }) => {
      const { folder, words } = readGitWords(argv.slice(1));
      return words.map((word) => resolve(cwd, folder, word));
    })
    .filter(isSecretPath);
  return { isSecretPath, isNamed: (path) => named.some((each) => isInside(each, path)) };
}

/** The files that the output of a line goes to. */
export function writtenPaths(plan: CommandPlan): readonly string[] {
  return plan.flatMap(({ commands }) => commands.flatMap(({ writes }) => writes.map(({ path }) => path)));
}
