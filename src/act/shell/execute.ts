import { isInside } from "../../signal/is-inside.ts";
import type { Label } from "../../signal/label.ts";
import type { Outcome } from "../../signal/tool.ts";
import { realPath } from "../files/real-path.ts";
import type { Confinement, Sandbox } from "../sandbox/bubblewrap.ts";
import { confine, type ProtectedPathsSearch } from "./confine.ts";
import { ownEnvironment, shortEnvironment } from "./environment.ts";
import { approvedChanges, guardWorkspace, tooManyToLock } from "./guard-workspace.ts";
import { closeLaterGuard, type LaterGuard, lockedPaths } from "./later-guard.ts";
import { describeLeftOut, findSecretsOfSearch, isSearch } from "./left-out-secrets.ts";
import { findChangedFile } from "./named-files.ts";
import { type CommandNetwork, type CommandOrigin, LineNetwork, type NetworkPorts } from "./network.ts";
import type { ShellParser } from "./parse.ts";
import type { CommandPlan, PlanEnvironment, PlannedCommand } from "./plan.ts";
import { findProtectedPaths, type ProtectedPaths } from "./protected-paths.ts";
import { runPipelines } from "./run.ts";
import type { ProcessSpec } from "./streams.ts";

/** The ports of the shell tool. */
export type ShellPorts = {
  readonly parser: ShellParser;
  /** Null if the machine has none. A command that is not proved harmless then runs unconfined, after approval. */
  readonly sandbox: Sandbox | null;
  readonly isSecretPath: (path: string) => boolean;
  /** State, configuration, rules and runtime folders: no command sees them. */
  readonly hidden: readonly string[];
  /** Folders that commands may read and never write, such as the installation. They win over `hidden`. Default: none. */
  readonly locked?: readonly string[];
  /** The owner's home folder; a leading `~` means it. */
  readonly home: string;
  /** The folders in which programs are looked up, as in `PATH`. */
  readonly searchPath: string;
  /** Masks keys in text that is shown or stored. */
  readonly mask: (text: string) => string;
  /** Default: 30 seconds. */
  readonly timeoutMilliseconds?: number;
  /** Default: 100,000. */
  readonly outputCharacters?: number;
  /** The label of the files that a command reads. Default: public. */
  readonly labelOfRead?: (use: { readonly path: string; readonly tree: boolean }) => Promise<Label>;
  /** Remembers the private text in the history of the repositories at or above some folders; the label of what git may print of it. Default: public. */
  readonly labelOfHistory?: (folders: readonly string[]) => Promise<Label>;
  /** Looks at what a line will write; what it gives is called once it ran, and labels that. Default: none. */
  readonly labelWritten?: (writes: CommandWrites) => Promise<() => Promise<void>>;
  /** The proxy to the hosts that are approved. Default: none, and a command that needs one is refused. */
  readonly network?: NetworkPorts;
  /** Default: five minutes, for commands with network. */
  readonly networkMilliseconds?: number;
  /** False for judging only: no path and no program is looked up, and nothing can run. */
  readonly resolve?: boolean;
};

/** What a command line writes, and the labels of what flows into it. */
export type CommandWrites = {
  /** The files that its output goes to, as real paths. */
  readonly paths: readonly string[];
  readonly workspace: string | null;
  /** The label of its output. */
  readonly label: Label;
  /** The label of the files that it reads. */
  readonly inputs: Label;
};

/** One run of a plan. */
export type Execution = {
  readonly ports: ShellPorts;
  readonly given: PlanEnvironment;
  readonly origin: CommandOrigin;
  readonly cancel: AbortSignal;
};

/** Runs a judged plan if the files and programs are still as they were judged. Every refusal is an outcome with its reason. */
export async function execute(plan: CommandPlan, execution: Execution): Promise<Outcome> {
  const { ports, given, origin, cancel } = execution;
  const commands = plan.flatMap((part) => part.commands);
  if (!given.mayLook)
    return fail("not-resolved", "The command was only judged and cannot be run. Propose it again.");
  const missing = commands.find(({ binary }) => binary === null);
  if (missing !== undefined) {
    const name = ports.mask(missing.argv[0] ?? "");
    return fail(
      "not-installed",
      `${name} is not installed on this machine (it is in no folder of PATH). Install it or use another program.`,
    );
  }
  const moved = await findMovedPath(commands);
  if (moved !== null)
    return fail(
      "path-changed",
      `${moved} leads elsewhere than when it was judged. Propose the command again.`,
    );
  const changed = await findChangedFile(commands.find(({ proof }) => proof === null)?.files ?? []);
  if (changed !== null)
    return fail("file-changed", `${changed} is not as it was when it was judged. Propose the command again.`);
  const search = rememberSearches(ports.isSecretPath);
  const guard = isHarmless(plan) || ports.sandbox === null ? null : await guardWorkspace(given.workspace);
  if (typeof guard === "string") return fail("cannot-confine", guard);
  const opened = await LineNetwork.open(
    ports.sandbox === null ? [] : commands,
    ports.network ?? null,
    origin,
  );
  if (typeof opened === "string") return fail("no-network", opened);
  await using network = opened;
  const wrap = await wrapper(plan, execution, { search, guard, network });
  if (typeof wrap === "string") return fail("cannot-confine", wrap);
  const outcome = await runPipelines(
    {
      cwd: given.cwd,
      timeoutMilliseconds: timeLimit(commands, ports),
      outputCharacters: ports.outputCharacters ?? 100_000,
      notes: await notesOf(commands, execution, search),
      endNote: (failed) => {
        const note = network.note(failed);
        return note === null ? null : ports.mask(note);
      },
      pipelines: plan.map((part) => ({ ...part, steps: part.commands.map(wrap) })),
    },
    cancel,
  );
  return guard === null ? outcome : closeLaterGuard(guard, commands.flatMap(approvedChanges), outcome);
}

/** Milliseconds. */
function timeLimit(commands: readonly PlannedCommand[], ports: ShellPorts): number {
  const usual = ports.timeoutMilliseconds ?? 30_000;
  return commands.some(({ network }) => network.length > 0)
    ? Math.max(usual, ports.networkMilliseconds ?? 300_000)
    : usual;
}

/** What the reader of the output must know: that nothing confined it, and what its searches left out. */
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
  return [
    ...(confined
      ? []
      : ["It ran without confinement, because bubblewrap (bwrap) is not installed or not allowed."]),
    ...(said === null ? [] : [ports.mask(said)]),
  ];
}

function fail(code: string, message: string): Outcome {
  return { status: "error", code, message };
}

/** Finds a path that leads elsewhere than when it was judged: a link may have changed. */
async function findMovedPath(commands: readonly PlannedCommand[]): Promise<string | null> {
  for (const { reads } of commands) {
    for (const use of reads) {
      const now = await valueOrMessage(async () => ({ path: await realPath("/", use.written) }));
      if (typeof now === "string" || now.path !== use.path) return use.written;
    }
  }
  return null;
}

/** What was opened and looked up for a line: how folders are searched, what of the workspace is executed later, and the network. */
type Looks = {
  readonly search: ProtectedPathsSearch;
  readonly guard: LaterGuard | null;
  readonly network: LineNetwork;
};

/** Returns the function that turns a planned command into a process, confined if there is a sandbox; or the reason why that is not safe. */
async function wrapper(
  plan: CommandPlan,
  execution: Execution,
  looks: Looks,
): Promise<((command: PlannedCommand) => ProcessSpec) | string> {
  const { ports } = execution;
  const { sandbox } = ports;
  const harmless = isHarmless(plan);
  const environment = (command: PlannedCommand): ReadonlyMap<string, string> =>
    new Map([
      ...(sandbox !== null || harmless ? shortEnvironment(command.proof !== null) : ownEnvironment(ports)),
      ...command.assignments.map(({ name, value }) => [name, value] as const),
    ]);
  const step = (
    command: PlannedCommand,
    argv: readonly string[],
    started: ReadonlyMap<string, string>,
  ): ProcessSpec => ({
    name: ports.mask(command.argv[0] ?? ""),
    argv,
    binaries: command.binary === null ? [] : [command.binary],
    redirects: command.redirects,
    environment: started,
    filter: sandbox?.filter ?? null,
  });
  const exact = (command: PlannedCommand): readonly string[] => [
    command.binary?.path ?? "",
    ...command.argv.slice(1),
  ];
  if (sandbox === null) return (command) => step(command, exact(command), environment(command));
  const views = await confineEach(
    plan.flatMap((part) => part.commands),
    execution,
    looks,
  );
  if (typeof views === "string") return views;
  // Variables are set inside the sandbox: outside, bubblewrap itself would load what LD_PRELOAD names.
  return (command) => {
    const view = views.get(command);
    if (view === undefined) throw new Error("A command of the plan has no view.");
    const network = looks.network.of(command);
    const confined =
      network === null ? { ...view, environment: environment(command) } : withNetwork(view, network);
    const argv =
      network === null
        ? exact(command)
        : network.wrap(exact(command), [...network.variables, ...environment(command)]);
    return step(command, sandbox.argv(argv, confined), new Map());
  };
}

/** A view with the way out. Only the bridge gets the variables of the sandbox; it gives the command its own. */
function withNetwork(view: Confinement, { readable, required }: CommandNetwork): Confinement {
  return { ...view, readable: [...view.readable, ...readable], required, environment: new Map() };
}

/** What each command may see: what it was judged to need, and nothing that only another command of the line needs. */
async function confineEach(
  commands: readonly PlannedCommand[],
  { ports, given }: Execution,
  { search, guard }: Looks,
): Promise<ReadonlyMap<PlannedCommand, Confinement> | string> {
  const views = new Map<PlannedCommand, Confinement>();
  for (const command of commands) {
    const later = guard === null ? { locked: [], pinned: [] } : lockedPaths(guard, approvedChanges(command));
    if (later === null) return tooManyToLock(given.workspace ?? "");
    const view = await confine({
      cwd: given.cwd,
      workspace: given.workspace,
      harmless: command.proof !== null,
      reads: command.reads.filter(({ path }) => command.proof !== null || !ports.isSecretPath(path)),
      needsWholeWorkspace: /^(?:\/usr)?(?:\/bin\/)?(?:git|df|file)$/.test(command.argv[0] ?? ""),
      programs: foreignProgram(command.binary?.path ?? "", command.binary?.real ?? "", given.workspace),
      hidden: ports.hidden.filter((path) => ports.locked?.includes(path) !== true),
      locked: ports.locked ?? [],
      search,
      later,
      environment: new Map(),
    });
    if (typeof view === "string") return view;
    views.set(command, view);
  }
  return views;
}

/** Searches each folder once for all commands of a line. */
function rememberSearches(isSecretPath: (path: string) => boolean): ProtectedPathsSearch {
  const known = new Map<string, Promise<ProtectedPaths>>();
  return (folder, limit) => {
    const key = `${limit ?? ""} ${folder}`;
    const found = known.get(key) ?? findProtectedPaths(folder, isSecretPath, limit);
    known.set(key, found);
    return found;
  };
}

/** A program outside the system folders and the workspace: only its own file becomes visible. */
function foreignProgram(
  path: string,
  real: string,
  workspace: string | null,
): readonly { from: string; to: string }[] {
  const known = ["/usr", "/bin", "/sbin", ...(workspace === null ? [] : [workspace])];
  return [path, real]
    .filter((file) => file !== "" && !known.some((folder) => isInside(folder, file)))
    .map((to) => ({ from: real, to }));
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
