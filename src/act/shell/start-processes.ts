import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { sendFilter } from "../sandbox/bubblewrap.ts";
import { furtherPipes } from "./left-behind.ts";
import { type ChildEnd, type ChildPipe, closeDescriptor, openPipes } from "./open-pipes.ts";
import { type ProcessSpec, type ProcessStreams, RunError } from "./streams.ts";

/** A process with its streams; null where it has a file instead, or nothing. */
export type StartedProcess = {
  readonly child: ChildProcess;
  readonly input: Writable | null;
  readonly output: Readable | null;
  readonly errors: Readable | null;
  /** Resolves once its output and errors, that of its children included, have ended. */
  readonly closed: Promise<void>;
};

/** A process to start, and where its streams lead. */
export type ProcessStart = { readonly step: ProcessSpec; readonly streams: ProcessStreams };

/** What is asked right before the processes start, and what is told each of them as soon as it runs. */
export type Starting = {
  readonly cwd: string;
  readonly mayStart: () => boolean;
  readonly started: (process: StartedProcess, index: number) => void;
};

/**
 * Starts the processes of a pipeline at once. None of them shares a stream with another, or with this
 * process. Null where `mayStart` says no. Throws where one cannot be started: those before it run.
 */
export async function startProcesses(
  starts: readonly ProcessStart[],
  { cwd, mayStart, started }: Starting,
): Promise<readonly StartedProcess[] | null> {
  const wanted = starts.map(({ streams }, index) => pipesOf(streams, index === 0));
  const ends = wanted.flatMap((all) => all.filter((end) => end !== null));
  const pipes = starts.some(({ step }) => step.opensStreams) ? ((await openPipes(ends)) ?? []) : [];
  const left = [...pipes];
  const take = (end: ChildEnd | null): OwnPipe => (end === null ? null : (left.shift() ?? "socket"));
  let isStarted = false;
  try {
    if (!mayStart()) return null;
    const processes = starts.map((each, index) => {
      const process = start(each, (wanted[index] ?? []).map(take), cwd);
      started(process, index);
      return process;
    });
    isStarted = true;
    return processes;
  } finally {
    if (!isStarted) for (const { stream } of pipes) stream.destroy();
    // Nothing is awaited here: what a process says of its end is heard from now on.
    for (const { fd } of pipes) closeDescriptor(fd);
  }
}

/** A pipe, a socket where there are no pipes, or null where the process has a file or nothing. */
type OwnPipe = ChildPipe | "socket" | null;

/** What the process has at its end of a pipe, for each of its three streams; null for no pipe. */
function pipesOf({ input, output, errors }: ProcessStreams, isFirst: boolean): readonly (ChildEnd | null)[] {
  const isRead = input.from === "text" || (input.from === "before" && !isFirst);
  return [
    isRead ? "reads" : null,
    output.to === "file" ? null : "writes",
    errors.to === "file" ? null : "writes",
  ];
}

function start({ step, streams }: ProcessStart, pipes: readonly OwnPipe[], cwd: string): StartedProcess {
  const [program = "", ...args] = step.argv;
  const { input, output, errors } = streams;
  const stdio: StdioOptions = [
    descriptorOf(pipes[0]) ?? (input.from === "file" ? input.fd : "ignore"),
    descriptorOf(pipes[1]) ?? (output.to === "file" ? output.fd : "ignore"),
    descriptorOf(pipes[2]) ?? (errors.to === "file" ? errors.fd : "ignore"),
    step.filter === null ? "ignore" : "pipe",
    ...furtherPipes(step),
  ];
  const child = spawnStep({ ...step, cwd }, () =>
    spawn(program, args, { cwd, env: Object.fromEntries(step.environment), detached: true, stdio }),
  );
  sendFilter(child, step.filter);
  const streamOf = (pipe: OwnPipe | undefined) => (pipe === "socket" ? undefined : (pipe?.stream ?? null));
  const own = {
    input: streamOf(pipes[0]) ?? child.stdin,
    output: streamOf(pipes[1]) ?? child.stdout,
    errors: streamOf(pipes[2]) ?? child.stderr,
  };
  // Who reads may end before it read all, or not start.
  for (const end of ["exit", "close"]) child.on(end, () => own.input?.destroy());
  own.input?.on("error", () => own.input?.destroy());
  if (input.from === "text") own.input?.end(input.text);
  return { child, ...own, closed: closed([own.output, own.errors]) };
}

/** What the system refuses at once, such as too many words, is told as what it says later. */
function spawnStep({ name, cwd }: Named, spawned: () => ChildProcess): ChildProcess {
  let child: ChildProcess;
  try {
    child = spawned();
  } catch (fault) {
    if (!(fault instanceof Error) || !("syscall" in fault)) throw fault;
    throw notStarted({ name, cwd }, fault);
  }
  if (Array.isArray(child.stdio)) return child;
  // Without streams there are too many open files, which Node says once more, later.
  child.once("error", () => {});
  throw notStarted({ name, cwd }, new Error("too many files are open"));
}

/** A program, and the folder that it was to run in. */
type Named = { readonly name: string; readonly cwd: string };

/**
 * The end of a run of which a program could not be started. Node names the program where it is its folder
 * that is gone.
 */
export function notStarted({ name, cwd }: Named, fault: Error): RunError {
  const isFolderGone = "code" in fault && fault.code === "ENOENT" && !existsSync(cwd);
  const why = isFolderGone ? `the folder ${cwd} is gone; its disk may not be mounted` : fault.message;
  const words = `${name} could not be started: ${why}.`;
  return new RunError("not-started", words, { cause: fault });
}

function descriptorOf(pipe: OwnPipe | undefined): number | "pipe" | null {
  return pipe === "socket" ? "pipe" : (pipe?.fd ?? null);
}

async function closed(streams: readonly (Readable | null)[]): Promise<void> {
  const open = streams.filter((stream) => stream !== null && !stream.closed);
  await Promise.all(open.flatMap((stream) => (stream === null ? [] : [once(stream, "close")])));
}
