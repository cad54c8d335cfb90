import { lstat } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import { bottomLabel, joinLabels, type Label } from "../../../signal/label.ts";
import type { Caller, Outcome, Preparation } from "../../../signal/tool.ts";
import { isInside } from "../../../text/is-inside.ts";
import { canonicalJson, type JsonObject } from "../../../text/json.ts";
import { type HostPort, readHosts } from "../../egress/host-port.ts";
import { OtherNames } from "../../files/later-names.ts";
import { realPath } from "../../files/real-path.ts";
import { shownPath } from "../../files/shown-path.ts";
import { lostSoFar } from "../../loss/loss-of-turn.ts";
import { comparableLine } from "../../shell/comparable-line.ts";
import { parseLine } from "../../shell/entered-folder.ts";
import { execute, isHarmless, longestRun, valueOrMessage } from "../../shell/execute.ts";
import { findCredentials } from "../../shell/find-credentials.ts";
import { withNotes } from "../../shell/later-guard.ts";
import type { OutsidePlaces } from "../../shell/outside-places.ts";
import { type CommandPlan, type PlanEnvironment, planCommand } from "../../shell/plan.ts";
import { maxHosts, uniqueHosts } from "../../shell/planned-network.ts";
import { programsOfLine } from "../../shell/programs-of-line.ts";
import { type Execution, isOwnFolder, type ShellPorts } from "../../shell/shell-ports.ts";
import { skillFolders } from "../../shell/skill-folders.ts";
import { extentsOf } from "../../shell/turn-extents.ts";
import { describePlan } from "./describe-plan.ts";
import { dropsOfUndo } from "./drops-of-undo.ts";
import { effectsOfFailed, lackOf } from "./failed-trial.ts";
import { keepSecretsAway } from "./keep-secrets-away.ts";
import { labelOfHistory, labelOfReads, labelOfWords } from "./label-of-line.ts";
import { labelOfMade } from "./label-of-made.ts";
import { labelOfReadable, reachesHosts } from "./label-of-workspace.ts";
import { MadeChanges } from "./made-changes.ts";
import { changedPaths, outsideOf } from "./outside-of-line.ts";
import { executeOverOverlay } from "./over-repositories.ts";
import { prepareTried, tryLine, writtenPaths } from "./prepare-tried.ts";
import {
  type CommandJudging,
  digestOfScripts,
  effectsOf,
  isTriable,
  isTriableOverOverlay,
  reachEffects,
} from "./shell-effects.ts";
import { findTerminal, type PreparedLine, type ShellRequest, startOnTerminal } from "./start-on-terminal.ts";
import { tellStandIns } from "./tell-stand-ins.ts";
import { withAdvice } from "./with-advice.ts";

const schema = z.strictObject({
  cmd: z.string().min(1).max(20_000),
  network: z.array(z.string().max(300)).max(maxHosts).optional(),
  credentials: z.array(z.string().max(64)).max(maxHosts).optional(),
});

type Request = ShellRequest;

/** Parses a command line, plans what it would run and read, and prepares to run exactly that. */
export async function prepareShell(args: JsonObject, request: Request): Promise<Preparation> {
  const { ports, caller } = request;
  const asked = readArguments(args, ports);
  if (!asked.ok) return asked;
  const { cmd, network, credentials } = asked;
  const place = { cwd: caller.workspace ?? ports.home, workspace: caller.workspace };
  const program = await parseLine(cmd, { parser: ports.parser, home: ports.home, ...place });
  const terminal = findTerminal(program, request);
  if (terminal.kind === "refused") return refuse("terminal-taken", terminal.message);
  const onTerminal = terminal.kind === "there";
  const key = canonicalJson(args);
  const holdsCopies = () => canHoldCopies(request, key);
  const given = { ...planEnvironment(ports, caller), network, credentials, onTerminal, holdsCopies };
  const resolved = await valueOrMessage(() => planCommand(cmd, program, given));
  if (typeof resolved === "string")
    return refuse("unresolvable-path", `The command names a path that cannot be resolved: ${resolved}.`);
  const plan = await keepSecretsAway(resolved, given, ports);
  const outside = await outsideOf(plan, given, ports);
  if (typeof outside === "string") return refuse("outside-workspace", ports.mask(outside));
  const label = request.labelOf(cmd);
  const lack = lackOf(key, request);
  const parsed = { args, cmd, given, label, onTerminal, outside };
  const judging = { ...(await judgingOf(plan, parsed, request)), ...lack };
  const read = await labelOfReads(plan, ports);
  const tried = ports.overlays?.trials.find(caller.turn, key) ?? null;
  const mayReadAll = isTriableOverOverlay(plan, judging) || reachesHosts(plan) || outside.places.length > 0;
  const all = mayReadAll ? await labelOfAll(tried, given, ports) : bottomLabel;
  const labelOfInputs = joinLabels(read, all, await labelOfHistory(plan, given, ports));
  const resultLabel = joinLabels(label, printedLabel, labelOfInputs);
  const inputs = await labelOfMade(plan, { given, label, inputs: labelOfInputs }, ports);
  const writes = { workspace: caller.workspace, label: resultLabel, inputs };
  const keeping = { ports, caller, writes, cmd };
  if (tried !== null && lack.inFolder === null) return prepareTried(tried, { ...keeping, plan });
  const drops = await dropsOfUndo(judging.overlaid ? ports.overlays : undefined);
  const run = { overlaid: judging.overlaid, outside, drops: drops.sets, made: new MadeChanges() };
  const line: PreparedLine = { args, cmd, plan, given, writes, resultLabel, readable: all, ...run };
  const commands = plan.flatMap((part) => part.commands);
  const effects = [
    ...(await Array.fromAsync(commands, (command) => effectsOf(command, judging))).flat(),
    ...reachEffects(plan, joinLabels(label, labelOfInputs)),
    ...(await effectsOfFailed(args, lack, keeping)),
    ...drops.effects,
  ];
  const described = { ...describePlan(plan, given, { confined: given.confined, ...judging }), ...drops.plan };
  return {
    ok: true,
    effects,
    plan: described,
    comparable: comparableLine(plan, given.cwd, described),
    changes: [],
    preview: run.made.preview(resultLabel),
    resultLabel,
    toldByEffects: joinLabels(read, await labelOfWords(program, given, ports)),
    ...(onTerminal
      ? startOnTerminal(line, { request, effects, run: (execution) => runLine(line, request, execution) })
      : runsOf(line, request, terminal.kind === "missing" ? terminal.note : null)),
  };
}

/** The label of all that a line may read. Of the declared programs that is told by what its own look met. */
async function labelOfAll(
  tried: Parameters<typeof labelOfReadable>[0],
  { programs, workspace }: ReturnType<typeof planEnvironment>,
  ports: ShellPorts,
): Promise<Label> {
  await programs("planned");
  return labelOfReadable(tried, workspace, ports);
}

/** What a command prints is words of others. */
const printedLabel: Label = { ...bottomLabel, integrity: "untrusted" };

type Refusal = Extract<Preparation, { readonly ok: false }>;
type Asked =
  | Refusal
  | ({ readonly ok: true; readonly cmd: string } & Pick<PlanEnvironment, "network" | "credentials">);

function readArguments(args: JsonObject, ports: ShellPorts): Asked {
  const parsed = schema.safeParse(args);
  if (!parsed.success) {
    return refuse(
      "invalid-arguments",
      `The tool shell takes cmd, a command line of 1 to 20,000 characters, and may take network, a list of up to ${maxHosts} hosts.`,
    );
  }
  const { cmd } = parsed.data;
  const network = readNetwork(parsed.data.network ?? null);
  if (typeof network === "string") return refuse("invalid-arguments", network);
  if (cmd.includes("\0"))
    return refuse("invalid-arguments", "The command has a NUL character. Propose it without.");
  const credentials = findCredentials(parsed.data.credentials ?? [], ports);
  if (typeof credentials === "string") return refuse("no-credential", credentials);
  return { ok: true, cmd, network, credentials };
}

/** What running a line and trying it do. */
function runsOf(line: PreparedLine, request: Request, note: string | null): Runs {
  const { args, plan, given } = line;
  const { ports, caller } = request;
  const origin = originOf(caller);
  const told = async (outcome: Outcome): Promise<Outcome> =>
    withAdvice(note === null ? outcome : withNotes(outcome, [note]), ports, caller.workspace);
  return {
    run: async (cancel, view) => told(await runLine(line, request, { ports, given, origin, cancel, view })),
    trial: async (cancel, view) => {
      const { readable } = line;
      const tried = await tryLine(plan, { args, readable, ports, given, origin, cancel, view });
      return { ...tried, outcome: await told(tried.outcome) };
    },
  };
}

type Runs = Pick<Extract<Preparation, { ok: true }>, "run" | "trial">;

/** Runs a line, over an overlay where what it changes can be undone, and labels what it wrote. */
async function runLine(
  line: PreparedLine,
  { ports, caller }: Request,
  execution: Omit<Execution, "overlay">,
): Promise<Outcome> {
  const { args, plan, given, writes, overlaid, outside, drops, made } = line;
  if (isHarmless(plan)) return execute(plan, { ...execution, overlay: null });
  const begun = Date.now();
  const ends = execution.terminal === undefined ? { milliseconds: longestRun(plan, ports) } : {};
  const labelWritten = await ports.labelWritten?.({
    paths: [...writtenPaths(plan), ...changedPaths(outside)],
    ...writes,
    ...ends,
  });
  await ports.overlays?.dropSets(drops);
  const outcome = overlaid
    ? await executeOverOverlay(line, execution, caller.sources ?? null)
    : await execute(plan, { ...execution, overlay: null });
  await labelWritten?.();
  await ports.overlays?.outputs.keep({ workspace: caller.workspace, args }, made.paths);
  // What it fetched or cloned is history as well.
  await labelOfHistory(plan, given, ports);
  return tellStandIns(outcome, { workspace: caller.workspace, begun }, ports);
}

/** Whether there are overlays of the workspace over which a line, by its words, can do what it does. */
async function canHoldCopies({ ports, caller }: Request, line: string): Promise<boolean> {
  const { overlays, sandbox } = ports;
  if (overlays === undefined || sandbox === null || overlays.trials.whyFolder(caller.turn, line) !== null)
    return false;
  const { workspace } = caller;
  return workspace !== null && workspace !== "/" && (await overlays.problem(workspace)) === null;
}

function originOf({ turn, session }: Caller): Execution["origin"] {
  return { turn, session };
}

type Parsed = {
  readonly args: JsonObject;
  readonly cmd: string;
  readonly given: PlanEnvironment;
  readonly label: Label;
  readonly onTerminal: boolean;
  readonly outside: OutsidePlaces;
};

/** What the commands of a line are judged with. */
async function judgingOf(
  plan: CommandPlan,
  { args, cmd, given, label, onTerminal, outside }: Parsed,
  request: Request,
): Promise<Omit<CommandJudging, "missed" | "inFolder">> {
  const { ports, caller } = request;
  const sources = caller.sources ?? null;
  const overlaid = !isHarmless(plan) && (await given.holdsCopies?.()) === true;
  const triable = isTriable(plan, { ports, overlaid, onTerminal, workspace: caller.workspace });
  const folder = given.cwd;
  const lostBefore = async () =>
    sources === null || ports.resolve === false
      ? []
      : (await lostSoFar({ ...ports, sources, folder })).map((path) => shownPath(path, folder));
  const extents = await extentsOf(plan, { ...given, cmd, parser: ports.parser, sources, lostBefore });
  const { workspace } = caller;
  const scripts = digestOfScripts(plan, ports.overlays?.outputs.of({ workspace, args }));
  const others = given.mayLook ? new OtherNames() : null;
  return { label, ports, others, overlaid, workspace, outside, triable, onTerminal, extents, scripts };
}

function refuse(code: string, message: string): Refusal {
  return { ok: false, code, message };
}

/** The places that a proposal names; or which of them is none that can be reached, in words. */
function readNetwork(named: readonly string[] | null): readonly HostPort[] | null | string {
  if (named === null) return null;
  const wrong = named.find((text) => readHosts(text) === null);
  if (wrong !== undefined)
    return `'${wrong}' in network is not a host on the public Internet. Write HOST or HOST:PORT, such as registry.example.org.`;
  return uniqueHosts(named.flatMap((text) => readHosts(text) ?? []));
}

function planEnvironment(
  ports: ShellPorts,
  caller: Caller,
): Omit<PlanEnvironment, "network" | "credentials" | "holdsCopies"> &
  Required<Pick<PlanEnvironment, "programs">> {
  const mayLook = ports.resolve !== false;
  const cwd = caller.workspace ?? ports.home;
  return {
    cwd,
    workspace: caller.workspace,
    searchPath: ports.searchPath,
    mayLook,
    resolvePath: (path) => (mayLook ? realPath(cwd, path) : Promise.resolve(resolve(cwd, path))),
    exists: (path) => (mayLook ? exists(path) : Promise.resolve(false)),
    home: ports.home,
    confined: ports.sandbox !== null,
    isSecretPath: ports.isSecretPath,
    isHidden: async (folder) => isOwnFolder(await realPath(cwd, folder), ports),
    skills: skillFolders(caller, ports.home),
    programs: programsOfLine(ports, caller),
    unfollowed: async () => (await ports.gitOfOwner?.())?.unfollowed ?? new Set(),
    isForbidden: (path) => ports.isSecretPath(path) || ports.hidden.some((folder) => isInside(folder, path)),
  };
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}
