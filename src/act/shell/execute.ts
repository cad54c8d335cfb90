import type { Outcome } from "../../signal/tool.ts";
import type { Confinement } from "../sandbox/bubblewrap.ts";
import { explainNoSandbox } from "../sandbox/sandbox-lack.ts";
import type { ProtectedPathsSearch } from "./confine.ts";
import {
  confineEach,
  type Looks,
  lookAtPrograms,
  rememberSearches,
  seenEnvironment,
} from "./confine-each.ts";
import { ownEnvironment } from "./environment.ts";
import { findChangedFile, findMovedPath } from "./find-changed-file.ts";
import { gitSettings } from "./git-settings.ts";
import { approvedChanges, guardWorkspace } from "./guard-workspace.ts";
import { tellHiddenFromGit } from "./hidden-from-git.ts";
import { keepGuard } from "./kept-guard.ts";
import { withKept } from "./kept-outcome.ts";
import { closeLaterGuard, withNotes } from "./later-guard.ts";
import { tellingLeft } from "./left-behind.ts";
import { describeLeftOut, findSecretsOfSearch, isSearch } from "./left-out-secrets.ts";
import { inTerminal } from "./make-terminal.ts";
import { type CommandNetwork, LineNetwork } from "./network.ts";
import { mayOpenStreams } from "./opens-streams.ts";
import { runWatched } from "./outside-changes.ts";
import { OverlayViews, type PlacedView } from "./overlay-views.ts";
import type { CommandPlan, PlannedCommand } from "./plan.ts";
import { withTrialLimits } from "./process-limits.ts";
import type { ShownPrograms } from "./program-folders.ts";
import { openFromRoot } from "./redirect-file.ts";
import { RefusedAgain } from "./refused-again.ts";
import { tellEnd } from "./refused-renames.ts";
import { tellHiddenStayed } from "./removals.ts";
import { type PipelineRun, runPipelines } from "./run.ts";
import type { Execution, ShellPorts } from "./shell-ports.ts";
import type { ProcessSpec } from "./streams.ts";
import { followThem } from "./unfollowed-settings.ts";
import { findUnseenPrograms } from "./unseen-programs.ts";
import { WorkInSandboxes } from "./work-in-sandbox.ts";

/** Runs a judged plan if the files and programs are still as they were judged. Every refusal is an outcome with its reason. */
export async function execute(plan: CommandPlan, execution: Execution): Promise<Outcome> {
  const { ports, given, origin } = execution;
  const commands = plan.flatMap((part) => part.commands);
  if (!given.mayLook)
    return fail("not-resolved", "The command was only judged and cannot be run. Propose it again.");
  const programs = await lookAtPrograms(commands, execution);
  const refused = await refuseChanged(commands, programs, ports);
  if (refused !== null) return refused;
  const search = rememberSearches(ports.isSecretPath);
  const isTrial = execution.overlay?.isTrial === true;
  const allowed = commands.flatMap(approvedChanges);
  const isGuarded = !isHarmless(plan) && ports.sandbox !== null && !isTrial;
  const guard = isGuarded ? await guardWorkspace(given.workspace, allowed) : null;
  if (typeof guard === "string") return fail("cannot-confine", guard);
  const work = isTrial ? new WorkInSandboxes(execution.overlay?.overlay.upper ?? "") : null;
  const waits = work === null ? null : new RefusedAgain(() => performance.now(), work.measure);
  const opened = await LineNetwork.open(
    ports.sandbox === null ? [] : commands,
    ports.network ?? null,
    origin,
    (place) => void waits?.refused(place),
  );
  if (typeof opened === "string") return fail("no-network", opened);
  await using network = opened;
  await using overlayViews = new OverlayViews(execution.overlay);
  const wrap = await wrapper(plan, execution, { search, guard, network, overlayViews, programs });
  if (typeof wrap === "string") return fail("cannot-confine", wrap);
  const forget = await keepGuard(ports.guards, guard, { allowed, milliseconds: timeLimit(commands, ports) });
  const notes = [...programs.problems.map(ports.mask), ...(await notesOf(commands, execution, search))];
  const unseen = await findUnseenPrograms(commands, execution, programs);
  const ran = await runWatched(
    {
      cwd: given.cwd,
      timeoutMilliseconds: isTrial ? trialTime(ports) : timeLimit(commands, ports),
      outputCharacters: ports.outputCharacters ?? 100_000,
      notes,
      endNote: (failed, errors) =>
        tellEnd({ failed, errors }, execution, { unseen: unseen(failed), network }),
      pipelines: plan.map((part) => ({ ...part, steps: part.commands.map(wrap) })),
      started: work?.watch(execution.started) ?? execution.started,
      view: execution.view,
      ...(waits === null ? {} : { waits }),
    },
    { commands, execution, runPlan },
  );
  const outcome = await tellHidden(ran.outcome, commands, { execution, search });
  execution.missed?.(network.missing());
  const kept = ran.isUndone ? undefined : await execution.overlay?.keep(outcome);
  const told = kept === undefined ? outcome : withKept(outcome, kept);
  const guarded = guard === null ? null : await closeLaterGuard(guard, allowed, told);
  await forget();
  if (guarded !== null && guarded.outcome !== told) await kept?.seal(guarded.renamed);
  return guarded?.outcome ?? told;
}

/** Why a line cannot run as it was judged; null where all is as it was. */
async function refuseChanged(
  commands: readonly PlannedCommand[],
  { stamps }: ShownPrograms,
  { mask }: ShellPorts,
): Promise<Outcome | null> {
  const missing = commands.find(({ binary }) => binary === null);
  if (missing !== undefined) return notInstalled(mask(missing.argv[0] ?? ""));
  const moved = await findMovedPath(commands);
  if (moved !== null)
    return fail(
      "path-changed",
      `${moved} leads elsewhere than when it was judged. Propose the command again.`,
    );
  const files = commands.find(({ proof }) => proof === null)?.files ?? [];
  const changed = await findChangedFile(files, stamps);
  if (changed === null) return null;
  return fail("file-changed", `${changed} is not as it was when it was judged. Propose the command again.`);
}

/** Tells the reader of an outcome what of it is so because secret files are hidden. */
async function tellHidden(
  outcome: Outcome,
  commands: readonly PlannedCommand[],
  { execution, search }: { readonly execution: Execution; readonly search: ProtectedPathsSearch },
): Promise<Outcome> {
  const { ports, given } = execution;
  if (ports.sandbox === null) return outcome;
  const told = await tellHiddenFromGit(outcome, commands, { given, search, sandbox: ports.sandbox });
  return tellHiddenStayed(told, given.workspace, search);
}

/** Runs the commands of a plan; one on a terminal until it ends by itself or is stopped. */
async function runPlan(run: PipelineRun, { terminal, cancel }: Execution): Promise<Outcome> {
  const [step] = run.pipelines.flatMap(({ steps }) => steps);
  if (terminal === undefined || step === undefined) return runPipelines(run, cancel);
  cancel.addEventListener("abort", () => terminal.stop("stopped"), { once: true });
  if (cancel.aborted) terminal.stop("stopped");
  const outcome = await terminal.run(step, { cwd: run.cwd, started: run.started });
  const { note, advice } = run.endNote(outcome.status === "error", JSON.stringify(outcome));
  return withNotes(
    outcome,
    [...run.notes, note, advice].filter((part) => part !== ""),
  );
}

/** Milliseconds that a line runs at most. */
export function longestRun(plan: CommandPlan, ports: ShellPorts): number {
  return plan.reduce((sum, { commands }) => sum + timeLimit(commands, ports), 0);
}

/** Milliseconds. */
function timeLimit(commands: readonly PlannedCommand[], ports: ShellPorts): number {
  const usual = ports.timeoutMilliseconds ?? 30_000;
  return commands.some(({ network }) => network.length > 0)
    ? Math.max(usual, ports.networkMilliseconds ?? 300_000)
    : usual;
}

/** Milliseconds. */
export function trialTime({
  timeoutMilliseconds: usual = 30_000,
  trialMilliseconds = 300_000,
}: ShellPorts): number {
  return Math.max(usual, trialMilliseconds);
}

/**
 * What the reader of the output must know: what confined nothing, what searches left out, what commits lack.
 */
async function notesOf(
  commands: readonly PlannedCommand[],
  { ports, given }: Execution,
  search: ProtectedPathsSearch,
): Promise<readonly string[]> {
  const searches = commands.filter(isSearch);
  const confined = ports.sandbox !== null;
  const secrets = await Promise.all(
    confined ? searches.map((command) => findSecretsOfSearch(command, search)) : [],
  );
  const leftOut = confined
    ? secrets.flatMap(({ found }) => found.map(({ path }) => path))
    : searches.flatMap((command) => command.leftOut);
  const said = describeLeftOut(leftOut, given.cwd);
  const unfollowed = new Set(commands.flatMap((command) => command.unfollowed ?? []));
  return [
    ...(confined ? [] : [`It ran without confinement, because ${explainNoSandbox().why}.`]),
    ...(said === null ? [] : [ports.mask(said)]),
    ...[...unfollowed].map((words) => `${words}. ${followThem}`),
  ];
}

function notInstalled(name: string): Outcome {
  const why = name.includes("/") ? "no program has that path" : "it is in no folder of PATH";
  return fail("not-installed", `${name} is not installed on this machine (${why}).`);
}

function fail(code: string, message: string): Outcome {
  return { status: "error", code, message };
}

type PlacingLooks = Looks & { readonly overlayViews: OverlayViews };

/** What each command may see, placed in the overlay of its line. Gives the reason where that is not safe. */
async function placeEach(
  plan: CommandPlan,
  execution: Execution,
  looks: PlacingLooks,
): Promise<ReadonlyMap<PlannedCommand, PlacedView> | string> {
  const commands = plan.flatMap((part) => part.commands);
  const views = await confineEach(commands, execution, looks);
  return typeof views === "string" ? views : looks.overlayViews.placeEach(views);
}

/** Returns the function that turns a planned command into a process, confined if there is a sandbox; or the reason why that is not safe. */
async function wrapper(
  plan: CommandPlan,
  execution: Execution,
  looks: PlacingLooks,
): Promise<((command: PlannedCommand) => ProcessSpec) | string> {
  const { ports, overlay, terminal } = execution;
  const { sandbox } = ports;
  const informs = sandbox !== null && (overlay !== null || terminal !== undefined);
  const harmless = isHarmless(plan);
  const ofOwner = (await ports.gitOfOwner?.()) ?? { safe: [], filters: [] };
  const environment = (command: PlannedCommand): ReadonlyMap<string, string> =>
    new Map([
      ...(sandbox !== null || harmless ? seenEnvironment(command, looks) : ownEnvironment(ports)),
      ...(terminal === undefined ? [] : [["TERM", "xterm-256color"] as const]),
      ...gitSettings(command, ofOwner),
      ...command.assignments.map(({ name, value }) => [name, value] as const),
    ]);
  const step = (
    command: PlannedCommand,
    argv: readonly string[],
    started: ReadonlyMap<string, string>,
    placed?: PlacedView,
  ): ProcessSpec => ({
    name: ports.mask(command.argv[0] ?? ""),
    argv,
    binaries: command.binary === null ? [] : [command.binary],
    redirects: command.redirects,
    environment: started,
    opensStreams: mayOpenStreams(command),
    filter: sandbox?.filter ?? null,
    informs,
    left: howLeft(command, execution),
    openParent: placed?.openFolder ?? openFromRoot,
    ...(placed === undefined ? {} : { findMoved: placed.findMoved }),
  });
  const limits = overlay?.isTrial === true ? await withTrialLimits() : [];
  const exact = (command: PlannedCommand): readonly string[] => {
    const words = [...limits, command.binary?.path ?? "", ...command.argv.slice(1)];
    return terminal === undefined ? words : inTerminal(words, terminal.size.start);
  };
  if (sandbox === null) return (command) => step(command, exact(command), environment(command));
  const places = await placeEach(plan, execution, looks);
  if (typeof places === "string") return places;
  // Variables are set inside the sandbox: outside, bubblewrap itself would load what LD_PRELOAD names.
  return (command) => {
    const placed = places.get(command);
    if (placed === undefined) throw new Error("A command of the plan has no view.");
    const { enter, confinement: view } = placed;
    const network = looks.network.of(command);
    const confined =
      network === null ? { ...view, environment: environment(command) } : withNetwork(view, network);
    const seen = { ...confined, informs };
    const argv =
      network === null
        ? exact(command)
        : network.wrap(exact(command), [...network.variables, ...environment(command)]);
    const watched = howLeft(command, execution) === "told" ? tellingLeft(argv) : argv;
    return step(command, [...enter, ...sandbox.argv(watched, seen)], new Map(), placed);
  };
}

/**
 * What was proved to only read leaves nothing behind, and a program on a terminal is ended by whoever opened
 * it.
 */
function howLeft({ proof }: PlannedCommand, { ports, terminal }: Execution): ProcessSpec["left"] {
  if (proof !== null || terminal !== undefined) return null;
  return ports.sandbox === null ? "in-group" : "told";
}

/** A view with the way out. Only the bridge gets the variables of the sandbox; it gives the command its own. */
function withNetwork(view: Confinement, { readable, required }: CommandNetwork): Confinement {
  return { ...view, readable: [...view.readable, ...readable], required, environment: new Map() };
}

/** True if every command of the plan was proved to only read. */
export function isHarmless(plan: CommandPlan): boolean {
  return plan.every(({ commands }) => commands.every(({ proof }) => proof !== null));
}

/** The value, or the message of the error that prevented it. */
export async function valueOrMessage<T>(act: () => Promise<T>): Promise<T | string> {
  try {
    return await act();
  } catch (fault) {
    if (fault instanceof Error) return fault.message;
    throw fault;
  }
}
