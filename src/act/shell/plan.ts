import { type Binary, findBinary } from "./binary.ts";
import type { ResolvedPathUse } from "./confine.ts";
import { doubtOfRepository } from "./git-repository.ts";
import type { Pipeline, Redirect, ShellProgram, SimpleCommand } from "./program.ts";
import type { PathUse, Proof } from "./programs/proof.ts";
import { proveHarmless } from "./programs/prove-harmless.ts";
import { isWithin } from "./real-path.ts";

/** One process that would run, with what is known about it. */
export type PlannedCommand = {
  readonly argv: readonly string[];
  /** Null if the program is not installed or was not looked up. */
  readonly binary: Binary | null;
  /** Why the command only reads, in words; null without a proof. */
  readonly proof: string | null;
  readonly doubt: string;
  readonly reads: readonly ResolvedPathUse[];
  /** Files of the workspace that an unproved command names, as they are now. A script is part of what is approved. */
  readonly files: readonly { readonly path: string; readonly stamp: string }[];
  /** The files that its output goes to, as real paths. */
  readonly writes: readonly { readonly path: string; readonly exists: boolean }[];
  /** The redirections, with the real paths of their files. */
  readonly redirects: readonly Redirect[];
  readonly assignments: SimpleCommand["assignments"];
};

/** A planned command line: its pipelines in order. */
export type CommandPlan = readonly {
  readonly commands: readonly PlannedCommand[];
  readonly negated: boolean;
  readonly next: Pipeline["next"];
}[];

/** The surroundings of a command, with the functions that read the world. With `mayLook` false, no path and no program is resolved. */
export type PlanEnvironment = {
  readonly cwd: string;
  readonly workspace: string | null;
  readonly searchPath: string;
  readonly mayLook: boolean;
  readonly resolvePath: (path: string) => Promise<string>;
  readonly exists: (path: string) => Promise<boolean>;
  /** A stamp that changes with a regular file; null for anything else. */
  readonly stamp: (path: string) => Promise<string | null>;
};

/** Works out what a command line would run, read and write, and does none of it. An opaque line is one `bash -c`. */
export async function planCommand(
  cmd: string,
  program: ShellProgram,
  given: PlanEnvironment,
): Promise<CommandPlan> {
  if (program.kind === "opaque") {
    const argv = ["bash", "--noprofile", "--norc", "-c", cmd];
    const command: SimpleCommand = { assignments: [], argv, redirects: [] };
    const proof: Proof = { harmless: false, doubt: program.reason };
    return [{ commands: [await planOne(command, proof, given)], negated: false, next: null }];
  }
  return Promise.all(
    program.pipelines.map(async ({ commands, negated, next }) => ({
      commands: await Promise.all(
        commands.map(async (command) => planOne(command, await judgeWords(command, given), given)),
      ),
      negated,
      next,
    })),
  );
}

/** Proves one command: by the grammar, and by what the grammar cannot see: variables, written files, the settings of a repository. */
async function judgeWords(command: SimpleCommand, given: PlanEnvironment): Promise<Proof> {
  const proof = proveHarmless(command.argv);
  if (!proof.harmless) return proof;
  const set = command.assignments.find(({ name, value }) => !isHarmlessVariable(name, value));
  if (set !== undefined) return { harmless: false, doubt: `it sets the variable ${set.name}` };
  const written = command.redirects.find((redirect) => writesTo(redirect));
  if (written !== undefined) {
    return {
      harmless: false,
      doubt: `its output goes to the file ${written.target}, and that cannot be undone`,
    };
  }
  if (proof.argv[0]?.endsWith("git") === true && given.mayLook && given.workspace !== null) {
    const found = await doubtOfRepository(given.cwd, given.workspace);
    if (found !== null) return { harmless: false, doubt: found };
  }
  return proof;
}

function isHarmlessVariable(name: string, value: string): boolean {
  if (/^(?:LANG|LC_[A-Z]+)$/.test(name)) return /^[A-Za-z0-9_.@-]*$/.test(value);
  return name === "TZ" && /^[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*$/.test(value);
}

function isFile(redirect: Redirect): boolean {
  return redirect.op !== "<<<" && redirect.op !== ">&";
}

function writesTo(redirect: Redirect): boolean {
  return isFile(redirect) && redirect.op !== "<" && redirect.target !== "/dev/null";
}

async function planOne(
  command: SimpleCommand,
  judged: Proof,
  given: PlanEnvironment,
): Promise<PlannedCommand> {
  const [program = ""] = judged.harmless ? judged.argv : command.argv;
  const binary = given.mayLook ? await findBinary(program, given.searchPath, given.cwd) : null;
  const proof = doubtBinary(judged, binary, given.workspace);
  const argv = proof.harmless ? proof.argv : command.argv;
  const redirects = await Promise.all(
    command.redirects.map(async (redirect) =>
      isFile(redirect) ? { ...redirect, target: await given.resolvePath(redirect.target) } : redirect,
    ),
  );
  const inputs = command.redirects
    .filter(({ op }) => op === "<")
    .map(({ target }): PathUse => ({ path: target, access: "contents", tree: false }));
  const named = proof.harmless ? proof.reads : await outsideOperands(command, given);
  const reads = [...named, ...inputs].filter(({ path }) => path !== "/dev/null" && path !== "/dev/stdin");
  return {
    argv,
    binary,
    proof: proof.harmless ? proof.why : null,
    doubt: proof.harmless ? "" : proof.doubt,
    reads: await Promise.all(reads.map((use) => resolveUse(use, given))),
    files: proof.harmless ? [] : await filesNamed(command, given),
    writes: await Promise.all(
      redirects
        .filter(writesTo)
        .map(async ({ target }) => ({ path: target, exists: await given.exists(target) })),
    ),
    redirects,
    assignments: command.assignments,
  };
}

/** The name of a program proves nothing about a file in the workspace, which the agent may have written. */
function doubtBinary(proof: Proof, binary: Binary | null, workspace: string | null): Proof {
  if (!proof.harmless || binary === null || workspace === null) return proof;
  const own = [binary.path, binary.real].some((path) => isWithin(path, workspace));
  return own ? { harmless: false, doubt: `${binary.path} is a program of the workspace` } : proof;
}

async function resolveUse(use: PathUse, given: PlanEnvironment): Promise<ResolvedPathUse> {
  const written = use.path.startsWith("/") ? use.path : `${given.cwd}/${use.path}`;
  return { ...use, path: await given.resolvePath(use.path), written };
}

async function filesNamed(command: SimpleCommand, given: PlanEnvironment): Promise<PlannedCommand["files"]> {
  if (!given.mayLook) return [];
  const words = new Set(command.argv.flatMap((word) => word.split(/[\s'"`=;|&<>()]+/)));
  const found: { path: string; stamp: string }[] = [];
  for (const word of [...words].filter((each) => /^[^\0]{1,4096}$/.test(each))) {
    const path = await given.resolvePath(word).catch(() => null);
    if (path === null || given.workspace === null || !isWithin(path, given.workspace)) continue;
    const stamp = await given.stamp(path);
    if (stamp !== null) found.push({ path, stamp });
  }
  return found;
}

/** The existing paths outside the workspace that an unproved command names. It sees them and nothing else outside the workspace. */
async function outsideOperands(command: SimpleCommand, given: PlanEnvironment): Promise<readonly PathUse[]> {
  if (!given.mayLook || command.argv[0] === "bash") return [];
  const found: PathUse[] = [];
  for (const word of command.argv.slice(1)) {
    if (!/^\/.*[^/]/.test(word) || word.includes("\0")) continue;
    const path = await given.resolvePath(word);
    const inside =
      given.workspace !== null && (path === given.workspace || path.startsWith(`${given.workspace}/`));
    if (!inside && (await given.exists(path))) found.push({ path: word, access: "contents", tree: true });
  }
  return found;
}
