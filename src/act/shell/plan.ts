import { isInside } from "../../text/is-inside.ts";
import type { CredentialBinding } from "../egress/credential.ts";
import type { HostPort } from "../egress/host-port.ts";
import { type Binary, type FoundProgram, findProgram } from "./binary.ts";
import type { ResolvedPathUse } from "./confine.ts";
import { expandGlobs } from "./expand-globs.ts";
import { findLoadedCode, type ProgramsSeen } from "./find-loaded-code.ts";
import { lookAtRepository, type OutsideRepository } from "./git-repository.ts";
import { inBatches } from "./in-batches.ts";
import { makeAboveTest } from "./looks-above.ts";
import { findNamedFiles, type NamedFile } from "./named-files.ts";
import { namedOnDisk } from "./names-on-disk.ts";
import { findOutsideRepository, obeyedFiles, readsOfRepository, treesOutside } from "./outside-repository.ts";
import { type PlannedChange, planChanges } from "./planned-changes.ts";
import { planNetwork } from "./planned-network.ts";
import type { Pipeline, Redirect, ShellProgram, SimpleCommand } from "./program.ts";
import type { Exclusion } from "./programs/exclusions.ts";
import type { PathUse, Proof } from "./programs/proof.ts";
import { proveHarmless } from "./programs/prove-harmless.ts";
import { asScript, isScript, startedProgram } from "./programs/unwrap-words.ts";
import {
  absolutePath,
  isOwnStream,
  type OutputFile,
  outputsOf,
  resolveRedirects,
  writesTo,
} from "./resolve-redirects.ts";
import { findSaidChanges, isInput, type ResolvedChange } from "./said-changes.ts";
import { mayRunOperands } from "./script-names.ts";
import { type CommitPlace, describeUnfollowed } from "./unfollowed-settings.ts";

/** One process that would run, with what is known about it. */
export type PlannedCommand = Pick<SimpleCommand, "assignments" | "found"> & {
  readonly argv: readonly string[];
  /** Null if the program is not installed or was not looked up. */
  readonly binary: Binary | null;
  readonly identity: FoundProgram["identity"];
  /** Why the command only reads, in words; null without a proof. */
  readonly proof: string | null;
  readonly doubt: string;
  readonly reads: readonly ResolvedPathUse[];
  /** How it leaves files out of a search; null if it searches no folder or has no proof. */
  readonly exclusion: Exclusion | null;
  /** The secret files that its words leave out of a search, as real paths. */
  readonly leftOut: readonly string[];
  /** The files that an unproved line names, runs or reads as scripts, as they are now. They are part of what is approved. Only the first unproved command of a line has them. */
  readonly files: readonly NamedFile[];
  /** The files that its output goes to. */
  readonly writes: readonly OutputFile[];
  /** What an unproved command says that it reads, writes and deletes, as real paths. */
  readonly worded: readonly ResolvedChange[];
  /** The repository outside of the workspace that it has a copy of; null for none. */
  readonly repository: OutsideRepository | null;
  /** What its commit lacks of the owner's settings of git, in words; null for nothing. */
  readonly unfollowed: string | null;
  /** What it says that it changes of the files that are executed later. */
  readonly changes: readonly PlannedChange[];
  /** The places on the network that it may reach through the proxy; empty for a proved command and without the sandbox. */
  readonly network: readonly HostPort[];
  /** The owner's values that are put in for it; none for a proved command and without the sandbox. */
  readonly credentials: readonly CredentialBinding[];
  /** The redirections, with the real paths of their files. */
  readonly redirects: readonly Redirect[];
};

/** A planned command line: its pipelines in order. */
export type CommandPlan = readonly {
  readonly commands: readonly PlannedCommand[];
  readonly negated: boolean;
  readonly next: Pipeline["next"];
}[];

/** The surroundings of a command, with the functions that read the world. With `mayLook` false, no path and no program is resolved. */
export type PlanEnvironment = CommitPlace &
  ProgramsSeen & {
    readonly cwd: string;
    readonly searchPath: string;
    readonly exists: (path: string) => Promise<boolean>;
    readonly home: string;
    /** Whether programs run in the sandbox. */
    readonly confined: boolean;
    readonly isSecretPath: (path: string) => boolean;
    /** Whether a folder is one of the agent itself, by its real path. */
    readonly isHidden: (folder: string) => Promise<boolean>;
    /** The places that the proposal names for the commands of the line; null where it leaves them to their words. */
    readonly network: readonly HostPort[] | null;
    /** The folders of the skills in force, which unproved commands see beside what they name. Default: none. */
    readonly skills?: readonly ResolvedPathUse[];
    /** The owner's values that the proposal names. Their places belong to the network of each unproved command. */
    readonly credentials: readonly CredentialBinding[];
  };

/** Plans a line and runs nothing. An opaque line, or a list with a missing program, becomes one `bash -c`. */
export async function planCommand(
  cmd: string,
  program: ShellProgram,
  given: PlanEnvironment,
): Promise<CommandPlan> {
  if (program.kind === "opaque") return planScript(cmd, program.reason, given);
  const commands = await withoutGlobs(program.pipelines, given);
  if (typeof commands === "string") return planScript(cmd, commands, given);
  const planned = await Array.fromAsync(
    inBatches(commands, async (command) => planOne(command, await judgeWords(command, given), given)),
  );
  const missing =
    planned.length > 1 && given.mayLook ? planned.find(({ binary }) => binary === null) : undefined;
  if (missing !== undefined) return planScript(cmd, `${missing.argv[0] ?? ""} is not there yet`, given);
  let next = 0;
  const plan = program.pipelines.map((pipeline) => {
    const first = next;
    next += pipeline.commands.length;
    return { ...pipeline, commands: planned.slice(first, next) };
  });
  return withNamedFiles(plan, commands.flatMap(textsOf), given);
}

/** The commands with their patterns resolved, unless the line may make files before it looks for them. */
async function withoutGlobs(
  pipelines: readonly Pipeline[],
  given: PlanEnvironment,
): Promise<readonly SimpleCommand[] | string> {
  const found: SimpleCommand[] = [];
  let changes = false;
  for (const { commands } of pipelines) {
    for (const command of commands) {
      if (changes && command.globs !== undefined) return "it has a pattern for files that it may make itself";
      const expanded = await expandGlobs(command, given);
      if (typeof expanded === "string") return expanded;
      found.push(given.mayLook ? await namedOnDisk(expanded, given.cwd) : expanded);
    }
    changes ||= commands.some(({ argv }) => !proveHarmless(argv).harmless);
  }
  return found;
}

/** A line that is not understood, or that has a program that is not there, runs as the script of one bash. */
async function planScript(cmd: string, reason: string, given: PlanEnvironment): Promise<CommandPlan> {
  const argv = asScript(cmd);
  const command: SimpleCommand = { assignments: [], argv, redirects: [] };
  const planned = await planOne(command, { harmless: false, doubt: reason }, given);
  const plan: CommandPlan = [{ commands: [planned], negated: false, next: null }];
  return withNamedFiles(plan, [cmd], given);
}

/** Binds the unproved commands to the files that the whole line names: a proved command may hand them their script. */
async function withNamedFiles(
  plan: CommandPlan,
  texts: readonly string[],
  given: PlanEnvironment,
): Promise<CommandPlan> {
  const unproved = plan.flatMap(({ commands }) => commands.filter(({ proof }) => proof === null));
  if (unproved.length === 0 || !given.mayLook) return plan;
  const { cwd, workspace, home, isSecretPath } = given;
  const runsCode = unproved.some(({ argv }) => mayRunOperands(argv));
  const repositories = unproved.flatMap(({ repository }) => repository ?? []);
  const obeyed = (await Promise.all(repositories.map(obeyedFiles))).flat();
  const isUnseen = makeAboveTest(
    given,
    plan.flatMap(({ commands }) => commands),
  );
  const request = { cwd, workspace, home, texts, obeyed, runsCode, isSecretPath, isUnseen };
  const named = await findNamedFiles(request);
  const files = [...named, ...(await findLoadedCode(unproved, named, { ...given, runsCode, isUnseen }))];
  return plan.map((part) => ({
    ...part,
    commands: part.commands.map((command) => (command === unproved[0] ? { ...command, files } : command)),
  }));
}

function textsOf({ argv, assignments, redirects }: SimpleCommand): readonly string[] {
  return [
    ...argv,
    ...assignments.map(({ value }) => value),
    ...redirects.filter(({ op }) => op.startsWith("<")).map(({ target }) => target),
  ];
}

/** Proves one command: by the grammar, and by what the grammar cannot see: variables, written files, the settings of a repository. */
async function judgeWords(command: SimpleCommand, given: PlanEnvironment): Promise<Proof> {
  if (given.onTerminal === true)
    return { harmless: false, doubt: "it runs on a terminal, and what is typed there decides what it does" };
  const proof = proveHarmless(command.argv);
  if (!proof.harmless) return proof;
  if (proof.onlyConfined !== undefined && !given.confined)
    return { harmless: false, doubt: proof.onlyConfined };
  const set = command.assignments.find(({ name, value }) => !isHarmlessVariable(name, value));
  if (set !== undefined) return { harmless: false, doubt: `it sets the variable ${set.name}` };
  const written = command.redirects.find((redirect) => writesTo(redirect));
  if (written !== undefined) {
    return {
      harmless: false,
      doubt: `its output goes to the file ${written.target}`,
    };
  }
  if (given.mayLook && startedProgram(proof.argv) === "git") {
    const folder = proof.folder === undefined ? given.cwd : await given.resolvePath(proof.folder);
    const found = await lookAtRepository(folder, given.workspace ?? given.cwd);
    if (found.doubt !== null) return { harmless: false, doubt: found.doubt };
    const own = found.outside === null ? [] : [found.outside.folder];
    const elsewhere = treesOutside([...own, ...found.lenders], given.workspace ?? given.cwd);
    return { ...proof, reads: [...proof.reads, ...elsewhere] };
  }
  return proof;
}

function isHarmlessVariable(name: string, value: string): boolean {
  if (/^(?:LANG|LC_[A-Z]+)$/.test(name)) return /^[A-Za-z0-9_.@-]*$/.test(value);
  return name === "TZ" && /^[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*$/.test(value);
}

async function planOne(
  command: SimpleCommand,
  judged: Proof,
  given: PlanEnvironment,
): Promise<PlannedCommand> {
  const [program = ""] = judged.harmless ? judged.argv : command.argv;
  const { binary, identity } = await identifyProgram(program, given);
  const proof = await doubtPrograms(judged, { binary, identity }, given);
  const argv = proof.harmless ? proof.argv : command.argv;
  const redirects = await resolveRedirects(command.redirects, given.resolvePath);
  const inputs = command.redirects
    .filter(({ op }) => op === "<")
    .map(({ target }): PathUse => ({ path: target, access: "contents", tree: false }));
  const named = proof.harmless ? proof.reads : await outsideOperands(command, given);
  const repository = proof.harmless ? null : await findOutsideRepository(command.argv, given);
  const ofRepository = proof.harmless ? [] : await readsOfRepository(command.argv, repository, given);
  const hasDash = await given.exists(await given.resolvePath("-"));
  const reads = [...named, ...ofRepository, ...inputs].filter(({ path }) => !isInput(path, hasDash));
  return {
    argv,
    binary,
    identity,
    proof: proof.harmless ? proof.why : null,
    doubt: proof.harmless ? "" : proof.doubt,
    reads: (await Promise.all(reads.map((use) => resolveUse(use, given)))).filter(
      ({ path }) => !isOwnStream(path, redirects),
    ),
    found: command.found ?? [],
    exclusion: proof.harmless ? (proof.exclusion ?? null) : null,
    leftOut: [],
    files: [],
    writes: await outputsOf(command.redirects, given),
    repository,
    unfollowed: proof.harmless || !given.confined ? null : await describeUnfollowed(command.argv, given),
    worded: proof.harmless ? [] : await findSaidChanges(command, given),
    changes: proof.harmless ? [] : await changesOf(command, given),
    network: proof.harmless || !given.confined ? [] : await planNetwork(command.argv, given),
    credentials: proof.harmless || !given.confined ? [] : given.credentials,
    redirects,
    assignments: command.assignments,
  };
}

/** The name of a program proves nothing about a file in the workspace, which the agent may have written, or about one that stands before the system's own. */
async function doubtPrograms(proof: Proof, first: FoundProgram, given: PlanEnvironment): Promise<Proof> {
  if (!proof.harmless) return proof;
  const started = await Promise.all((proof.starts ?? []).map((name) => identifyProgram(name, given)));
  for (const { binary, identity } of [first, ...started]) {
    if (binary === null) continue;
    if (identity === "shadowed")
      return { harmless: false, doubt: `${binary.path} is not the system's own program of this name` };
    const { workspace } = given;
    if (workspace !== null && [binary.path, binary.real].some((path) => isInside(workspace, path)))
      return { harmless: false, doubt: `${binary.path} is a program of the workspace` };
  }
  return proof;
}

function identifyProgram(
  program: string,
  { mayLook, searchPath, cwd }: PlanEnvironment,
): Promise<FoundProgram> {
  return mayLook
    ? findProgram(program, searchPath, cwd)
    : Promise.resolve({ binary: null, identity: "absent" });
}

async function resolveUse(use: PathUse, given: PlanEnvironment): Promise<ResolvedPathUse> {
  return { ...use, path: await given.resolvePath(use.path), written: absolutePath(use.path, given.cwd) };
}

/** The existing paths outside the workspace that an unproved command names. It sees them and nothing else outside the workspace. */
async function outsideOperands(command: SimpleCommand, given: PlanEnvironment): Promise<readonly PathUse[]> {
  if (!given.mayLook || isScript(command.argv)) return [];
  const found: PathUse[] = [];
  for (const word of command.argv.slice(1)) {
    if (!/^\/.*[^/]/.test(word) || word.includes("\0")) continue;
    const path = await given.resolvePath(word);
    const inside = given.workspace !== null && isInside(given.workspace, path);
    if (!inside && (await given.exists(path))) found.push({ path: word, access: "contents", tree: true });
  }
  return found;
}

async function changesOf({ argv }: SimpleCommand, given: PlanEnvironment): Promise<readonly PlannedChange[]> {
  const { workspace, resolvePath, exists } = given;
  return given.mayLook && workspace !== null ? planChanges(argv, { workspace, resolvePath, exists }) : [];
}
