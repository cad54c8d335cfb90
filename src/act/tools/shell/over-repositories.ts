import { randomUUID } from "node:crypto";
import type { FileDiff } from "../../../signal/file-diff.ts";
import { failure, type Outcome } from "../../../signal/tool.ts";
import { canonicalJson } from "../../../text/json.ts";
import { pushAll } from "../../../text/lists.ts";
import { lockNotes } from "../../files/lock-notes.ts";
import { execute } from "../../shell/execute.ts";
import type { OutsideRepository } from "../../shell/git-repository.ts";
import { asFailure } from "../../shell/kept-outcome.ts";
import { type OutsideCopies, placesIn } from "../../shell/outside-copies.ts";
import type { OutsidePlaces } from "../../shell/outside-places.ts";
import type { CommandPlan } from "../../shell/plan.ts";
import { findProtectedPaths } from "../../shell/protected-paths.ts";
import type { Execution, RunOverlay, ShellPorts } from "../../shell/shell-ports.ts";
import { findUncopied, notHeld } from "../../shell/uncopied-file.ts";
import { type CommandOverlays, type KeptChanges, nothingKept } from "../../trial/command-overlays.ts";
import { type Difference, findDifference } from "../../trial/difference.ts";
import { diffsOf } from "../../trial/difference-diffs.ts";
import { type ChangedPart, keepTogether } from "../../trial/keep-together.ts";
import { findLackingCopies, notesOnLacking, refuseStandIns } from "../../trial/lacking-copies.ts";
import { withinSize } from "../../trial/measure.ts";
import { foreignChanges } from "../../trial/repository-difference.ts";
import { takenOut } from "../../trial/taken-out.ts";
import { withoutTornCommit } from "../../trial/torn-commit.ts";
import { byName } from "../../trial/unnamed-changes.ts";
import { refuseUntracked, type SecretsOfLine, untrackedSecrets } from "../../trial/untracked-secrets.ts";
import type { Loss } from "./loss-effects.ts";
import type { MadeChanges } from "./made-changes.ts";
import { secretsOfLine } from "./prepare-tried.ts";
import { RenameRuns } from "./rename-runs.ts";
import type { PreparedLine } from "./start-on-terminal.ts";
import { findUntold } from "./untold-outside.ts";

type Overlay = RunOverlay["overlay"];

type Copies = {
  /** Of the workspace. */
  readonly overlay: Overlay;
  readonly overlays: CommandOverlays;
  readonly origin: Execution["origin"];
  /** What the line may take out of a repository. */
  readonly secrets: SecretsOfLine;
  /** What it takes away outside of the workspace is judged with this. */
  readonly loss: Loss;
  /** Told what no copy of the workspace can hold of what it does. */
  readonly unheld: (what: string) => void;
  /** Told what it changes in the workspace. */
  readonly changes: MadeChanges;
  readonly outside: OutsidePlaces;
  readonly given: Execution["given"];
  readonly ports: Pick<ShellPorts, "labelOfRead" | "gitOfOwner">;
  readonly view: Execution["view"];
  /** Ends what is opened. */
  readonly stack: AsyncDisposableStack;
};

type OverlaidLine = Pick<PreparedLine, "args" | "cmd" | "plan" | "outside" | "made" | "writes">;

/**
 * Runs a line over an overlay, and makes the workspace like it, also where the line failed or was ended.
 * Where it could not do there what it does, its next proposal in the turn runs in the workspace itself.
 */
export async function executeOverOverlay(
  line: OverlaidLine,
  execution: Omit<Execution, "overlay">,
  sources: Loss["sources"],
): Promise<Outcome> {
  const { ports, given } = execution;
  const { overlays } = ports;
  const { workspace, cwd } = given;
  if (overlays === undefined || workspace === null)
    throw new Error("A line without overlays was to run over one.");
  const overlay = await overlays.open(workspace);
  if (typeof overlay === "string")
    return failure({
      code: "no-overlay",
      message: `Nothing was run: what it changes could not be kept for an undo (${overlay}). Propose the command again.`,
    });
  const runs = new RenameRuns({ ...execution, overlays, workspace, cwd, cmd: line.cmd, plan: line.plan });
  const one = { overlays, workspace, sources, runs };
  let ran = await executeOver(line, execution, { ...one, overlay });
  while (ran.again !== null) ran = await executeOver(line, execution, { ...one, overlay: ran.again });
  return ran.outcome;
}

type OneRun = {
  readonly overlay: Overlay;
  readonly overlays: CommandOverlays;
  readonly workspace: string;
  readonly sources: Loss["sources"];
  readonly runs: RenameRuns;
};

/** `again`: the overlay for another run after it, and then nothing of it was kept. */
type Ran = { readonly outcome: Outcome; readonly again: Overlay | null };

async function executeOver(
  { args, cmd, plan, outside, made, writes }: OverlaidLine,
  execution: Omit<Execution, "overlay">,
  { overlay, overlays, workspace, sources, runs }: OneRun,
): Promise<Ran> {
  const { ports, given, origin, view } = execution;
  await using stack = new AsyncDisposableStack();
  stack.use(overlay);
  const secrets = secretsOfLine(plan, ports, given.cwd);
  let uncopied: string | null = null;
  const run = await overRepositories(plan, {
    overlay,
    unheld: (what) => {
      uncopied = notHeld(what);
    },
    overlays,
    origin,
    secrets,
    loss: { sources, ports, cmd, workspace, label: writes.label },
    changes: made,
    outside,
    given,
    view,
    ports,
    stack,
  });
  if (typeof run === "string") return { outcome: failure({ code: "no-overlay", message: run }), again: null };
  const ran: { again: Overlay | null } = { again: null };
  const keep: RunOverlay["keep"] = async (ended) => {
    ran.again = await runs.next(ended);
    return ran.again === null ? run.keep(ended) : nothingKept;
  };
  const outcome = await execute(plan, {
    ...execution,
    overlay: { ...run, covered: runs.covered, keep },
  }).catch(async (fault: unknown) => {
    await ran.again?.[Symbol.asyncDispose]();
    throw fault;
  });
  if (ran.again !== null) return { outcome, again: ran.again };
  uncopied ??= await findUncopied(outcome, workspace);
  if (uncopied === null) return { outcome, again: null };
  overlays.trials.needFolder(origin.turn, canonicalJson(args), uncopied);
  const again = "Propose it again: then it runs in the folder itself, once the owner said yes.";
  const message = `It ran over a copy of the folder, and did not do all there: ${uncopied}. ${again}`;
  const failed = asFailure(outcome, { code: "not-made", message, changed: made.paths });
  return { outcome: failed, again: null };
}

/**
 * An overlay of the workspace for a line, with copies of the repositories outside of it that its git
 * commands need. All that the line changed is kept, or nothing where it changed more of a repository than a
 * commit does. Gives the reason where a repository cannot be copied.
 */
async function overRepositories(plan: CommandPlan, over: Copies): Promise<RunOverlay | string> {
  const { overlay, overlays, outside, given, ports, stack } = over;
  const needed = plan.flatMap(({ commands }) => commands.flatMap(({ repository }) => repository ?? []));
  const repositories = [...new Map(needed.map((each) => [each.folder, each])).values()];
  const copies: (readonly [OutsideRepository, Overlay])[] = [];
  let all = overlay;
  for (const repository of repositories) {
    const copy = await overlays.open(repository.folder, all);
    if (typeof copy === "string")
      return `Nothing was run: the repository ${repository.folder} is outside the workspace, and there is no copy of it for the command (${copy}). Leave this command to the owner.`;
    stack.use(copy);
    copies.push([repository, copy]);
    all = copy;
  }
  const parts: OutsideCopies["copies"][number][] = [];
  for (const place of outside.places) {
    const places = await placesIn(place, { plan, given, ports, outside });
    const copy = await overlays.openPart(place, places, all);
    if (typeof copy === "string")
      return `Nothing was run: there is no copy of what the command changes in ${place.folder}, outside of the workspace (${copy}). Leave this command to the owner.`;
    stack.use(copy);
    parts.push({ place, copy });
    all = copy;
  }
  return {
    overlay: { ...all, folder: overlay.folder, upper: overlay.upper, copied: overlay.copied },
    isTrial: false,
    keep: () => keepCopies(over, { copies, parts }),
    takenOut: (left, meant) => takenOut(overlay, left, meant),
    ...(parts.length === 0 ? {} : { outside: { copies: parts, links: outside.links } }),
  };
}

type OpenCopies = {
  readonly copies: readonly (readonly [OutsideRepository, Overlay])[];
  readonly parts: OutsideCopies["copies"];
};

/** Keeps what a line changed, or nothing where it changed more outside of the workspace than it may. */
async function keepCopies(over: Copies, { copies, parts }: OpenCopies): Promise<KeptChanges> {
  const { overlay, overlays, origin, secrets, changes, unheld, ports, view } = over;
  const differences: ChangedPart[] = [];
  const branches: FileDiff[] = [];
  for (const [repository, copy] of copies) {
    const found = await withinSize(() => findDifference(copy));
    if (!found.ok) return refused(found.error.message);
    const foreign = await foreignChanges(found.value, repository);
    if (foreign.length > 0) return refused(refusal(foreign, repository));
    const difference = { ...found.value, modes: [], times: [] };
    differences.push([copy, difference]);
    pushAll(branches, (await diffsOf(difference)).filter(tellsCommit));
  }
  const own = await withinSize(() => findDifference(overlay));
  if (!own.ok) return refused(own.error.message);
  for (const [path, gets] of own.value.unheld) unheld(`${path} ${gets}`);
  const deletes = own.value.exchanges.some(({ was }) => was !== null);
  for (const { place, copy } of parts) {
    const found = await withinSize(() => findDifference(copy));
    if (!found.ok) return refused(found.error.message);
    const { difference, unnamed, altered } = await byName(found.value, place);
    if (altered.length > 0) return refused(alteredWords(altered));
    const isLeft = place.isScratch && !deletes;
    if (unnamed.length > 0 && !isLeft) return refused(refusalOf(unnamed));
    const untold = await findUntold([copy, difference], { ...over, named: place.named });
    if (untold !== null) return refused(over.loss.ports.mask(untold));
    differences.push([copy, difference]);
  }
  for (const [copy, difference] of [[overlay, own.value] as const, ...differences]) {
    const found = await withinSize(() => untrackedSecrets({ ...difference, overlay: copy }, secrets));
    const problem = found.ok ? refuseUntracked(found.value) : found.error.message;
    if (problem !== null) return refused(problem);
    const whole = await withoutTornCommit(difference, copy);
    if (typeof whole === "string") return refused(whole);
  }
  const { masked } = await findProtectedPaths(overlay.folder, secrets.isSecretPath);
  const covered = masked.map(({ path }) => path);
  const exchanges = [own.value, ...differences.map(([, each]) => each)].flatMap((each) => each.exchanges);
  const lacking = await findLackingCopies({ exchanges }, covered);
  const stands = refuseStandIns(lacking, overlay.folder);
  if (stands !== null) return refused(over.loss.ports.mask(stands));
  const paths = differences.flatMap(([, { exchanges }]) => exchanges.map(({ path }) => path));
  const locked = await lockNotes(paths);
  if (typeof locked === "string") return refused(locked);
  await using _ = locked;
  const outside = differences.slice(copies.length).map(([, difference]) => difference);
  const shown = (await diffsOf(joined([own.value, ...outside]))).map((each) =>
    secrets.isSecretPath(each.path) ? { ...each, diff: "" } : each,
  );
  const diffs = [...shown, ...branches];
  const all = [...differences, [overlay, own.value] as const];
  const by = { ...origin, line: randomUUID() };
  const kept = await changes.keep(diffs, ports, () =>
    keepTogether(all, (copy, difference) => overlays.keep(copy, by, difference, view)),
  );
  const notes = notesOnLacking(lacking, overlay.folder).map(over.loss.ports.mask);
  return { ...kept, notes: [...kept.notes, ...notes] };
}

/** Whether a file of a repository says where its work tree is now: the branch, or `HEAD`. */
function tellsCommit({ path }: FileDiff): boolean {
  return /\/(?:refs\/heads\/.+|HEAD)$/.test(path) && !path.includes("/logs/");
}

/** What is shown of changes in several folders. */
function joined(differences: readonly Difference[]): Pick<Difference, "exchanges" | "modes" | "unheld"> {
  return {
    exchanges: differences.flatMap(({ exchanges }) => exchanges),
    modes: differences.flatMap(({ modes }) => modes),
    unheld: new Map(differences.flatMap(({ unheld }) => [...unheld])),
  };
}

function refused(why: string): KeptChanges {
  return { ...nothingKept, conflicts: [why] };
}

const mostNamed = 5;

/** Why nothing is kept of what left something else in the place of a file that was to be edited. */
function alteredWords(altered: readonly string[]): string {
  return `It was to change what a file or folder outside of the workspace holds, and ${altered.slice(0, mostNamed).join("; ")}. Look at what the command runs. What is meant is proposed as cp, mv, ln or chmod, which the question names.`;
}

/** Why nothing is kept of what changed more outside of the workspace than the question named. */
function refusalOf(unnamed: readonly string[]): string {
  const named = unnamed.slice(0, mostNamed).join(", ");
  const more = unnamed.length > mostNamed ? ` and ${unnamed.length - mostNamed} more` : "";
  return `It would also have changed ${named}${more}, outside of the workspace, which its words do not name. Propose a command that names each path that it changes there as a word of its own, with what it puts there made by a line before, or leave it to the owner.`;
}

function refusal(foreign: readonly string[], { folder }: OutsideRepository): string {
  const named = foreign.slice(0, mostNamed).join(", ");
  const more = foreign.length > mostNamed ? ` and ${foreign.length - mostNamed} more` : "";
  return `It would also have changed ${named}${more}. Of the repository ${folder}, which is outside the workspace, only what a commit on the branch of this work tree changes is kept: no hooks, settings, other branches or other work trees. Leave this command to the owner.`;
}
