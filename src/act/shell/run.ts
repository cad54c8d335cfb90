import type { ChildProcess } from "node:child_process";
import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import type { Outcome, OutputView } from "../../signal/tool.ts";
import { type Collector, openCollector } from "../../text/collector.ts";
import type { LeftFile } from "../trial/taken-out.ts";
import type { EndNote } from "./end-note.ts";
import { awaitGone, readFirstProcess } from "./first-process.ts";
import { killGroup } from "./kill-group.ts";
import { endedWithCommand, hearLeft } from "./left-behind.ts";
import type { RefusedAgain } from "./refused-again.ts";
import { notStarted, type ProcessStart, type StartedProcess, startProcesses } from "./start-processes.ts";
import {
  openStreams,
  type ProcessSpec,
  type ProcessStreams,
  pipeAll,
  RunError,
  requireUnchanged,
} from "./streams.ts";

/** Pipelines to run one after another, with their limits. */
export type PipelineRun = {
  readonly pipelines: readonly {
    readonly steps: readonly ProcessSpec[];
    readonly negated: boolean;
    readonly next: "&&" | "||" | ";" | null;
  }[];
  readonly cwd: string;
  readonly timeoutMilliseconds: number;
  /** How much is kept of standard output and of standard error, in characters. */
  readonly outputCharacters: number;
  /** Notes beside the output. */
  readonly notes: readonly string[];
  /** What is said when the run has ended, or failed or was ended, with what it said on standard error. */
  readonly endNote: (failed: boolean, errors: string) => EndNote;
  /** Told the first process of each sandbox; what it gives is called when that ended. Default: nobody is told. */
  readonly started?: SandboxStarted | undefined;
  /** Shows what they print while they run. Default: nothing is shown. */
  readonly view?: Pick<OutputView, "add"> | undefined;
  /** Told what is gone with each sandbox. Default: nobody is told. */
  readonly leftFiles?: (files: readonly LeftFile[]) => void;
  /**
   * Told that something was printed; ends the run once it only waits for a place that it may not reach.
   * Default: it runs on.
   */
  readonly waits?: Pick<RefusedAgain, "printed" | "signal">;
};

export type SandboxStarted = (pid: number) => () => void;

type Ending = "timed-out" | "stopped" | "unreachable";

type Running = {
  readonly view: PipelineRun["view"] | null;
  readonly printed: () => void;
  readonly processes: Set<StartedProcess>;
  readonly output: Collector;
  readonly errors: Collector;
  readonly stop: (ending: Ending) => void;
  ending: Ending | null;
  /** Whether a program ended that left others behind. */
  hasLeft: boolean;
};

/**
 * Runs pipelines of processes without a shell. The time limit and the signal each end all processes at once,
 * with their children. Output over the limit is left out in its middle, and ends nothing. Nothing stays in
 * the background.
 */
export async function runPipelines(run: PipelineRun, cancel: AbortSignal): Promise<Outcome> {
  const running = begin(run);
  const onAbort = (): void => running.stop("stopped");
  const timer = setTimeout(() => running.stop("timed-out"), run.timeoutMilliseconds);
  const onWait = (): void => running.stop("unreachable");
  cancel.addEventListener("abort", onAbort, { once: true });
  run.waits?.signal.addEventListener("abort", onWait, { once: true });
  if (cancel.aborted) onAbort();
  try {
    return outcome(run, running, await runList(run, running));
  } catch (fault) {
    running.stop("stopped");
    if (fault instanceof RunError) return { status: "error", code: fault.code, message: fault.message };
    throw fault;
  } finally {
    clearTimeout(timer);
    cancel.removeEventListener("abort", onAbort);
  }
}

function begin(run: PipelineRun): Running {
  const running: Running = {
    view: run.view ?? null,
    printed: () => run.waits?.printed(),
    processes: new Set(),
    output: openCollector(run.outputCharacters),
    errors: openCollector(run.outputCharacters),
    ending: null,
    hasLeft: false,
    stop: (ending) => {
      running.ending ??= ending;
      for (const { child, input, output, errors } of running.processes) {
        killGroup(child);
        for (const stream of [input, output, errors]) stream?.destroy();
      }
    },
  };
  return running;
}

async function runList(run: PipelineRun, running: Running): Promise<number> {
  let code = 0;
  let wanted = true;
  for (const pipeline of run.pipelines) {
    if (wanted && running.ending === null) {
      const ended = await runPipeline(pipeline.steps, run, running);
      code = pipeline.negated ? Number(ended === 0) : ended;
    }
    wanted = pipeline.next === "&&" ? code === 0 : pipeline.next === "||" ? code !== 0 : true;
  }
  return code;
}

function outcome(run: PipelineRun, running: Running, exitCode: number): Outcome {
  const [output, errors] = [running.output.collected(), running.errors.collected()];
  const [stdout, stderr] = [output.text, errors.text];
  const names = [...new Set(run.pipelines.flatMap(({ steps }) => steps.map(({ name }) => name)))].join(", ");
  const end = run.endNote(running.ending !== null || exitCode !== 0, stderr);
  if (running.ending === "stopped")
    return { status: "error", code: "stopped", message: `${names} was stopped.` };
  if (running.ending !== null) {
    const until = `${stdout}${stderr}`.slice(-2_000).replace(/\n$/, "");
    const seconds = `${names} was ended after ${run.timeoutMilliseconds / 1000} s.`;
    const waited = `${names} was ended, since it only waited for ${run.waits?.signal.reason}, which it may not reach.`;
    const why = running.ending === "timed-out" ? seconds : waited;
    const said = [why, end.note, end.advice, until === "" ? "It printed nothing." : ""];
    const reason = said.filter((part) => part !== "").join(" ");
    const message = until === "" ? reason : `The end of its output: ${until}\n${reason}`;
    return { status: "error", code: running.ending, message };
  }
  const cut = describeCut(Math.max(output.cutFrom ?? 0, errors.cutFrom ?? 0));
  const notes = [...run.notes, end.note].filter((part) => part !== "");
  const note = {
    ...(notes.length === 0 ? {} : { note: notes.join(" ") }),
    ...(end.advice === "" ? {} : { advice: end.advice }),
  };
  const background = running.hasLeft ? { background: endedWithCommand } : {};
  return { status: "success", content: { stdout, stderr, exitCode, ...cut, ...background, ...note } };
}

/** Says that a part of the output is not kept, and how to have it. */
function describeCut(characters: number): { readonly cut?: string } {
  if (characters === 0) return {};
  return {
    cut: `The command ran to its end and printed ${characters.toLocaleString("en-US")} characters; their middle is not kept. To have all of it, write it into a file and read that, or print less.`,
  };
}

async function runPipeline(
  steps: readonly ProcessSpec[],
  run: PipelineRun,
  running: Running,
): Promise<number> {
  await requireUnchanged(steps);
  const files: FileHandle[] = [];
  try {
    const starts: ProcessStart[] = [];
    for (const step of steps) starts.push({ step, streams: await openStreams(step, files) });
    const mayStart = (): boolean => running.ending === null;
    const ended: Promise<number>[] = [];
    const started = (each: StartedProcess, index: number): void => {
      running.processes.add(each);
      ended.push(awaitEnd(each, steps[index], { run, running }));
    };
    try {
      const processes = await startProcesses(starts, { cwd: run.cwd, mayStart, started });
      if (processes === null) return 1;
      connectAll(processes, starts, running);
      const codes = await Promise.all(ended);
      return codes.at(-1) ?? 0;
    } catch (fault) {
      // What did not start ends the others. What they changed is looked at only once they are gone.
      running.stop("stopped");
      await Promise.allSettled(ended);
      throw fault;
    }
  } finally {
    await Promise.all(files.map((file) => file.close()));
  }
}

/** Resolves to the exit code when the process, its streams and all that runs in its sandbox have ended. Kills what is left in its process group. */
function awaitEnd(
  ending: StartedProcess,
  step: ProcessSpec | undefined,
  { run, running }: { readonly run: PipelineRun; readonly running: Running },
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const name = step?.name ?? "";
  const { child, closed } = ending;
  child.on("error", (fault) => reject(notStarted({ name, cwd: run.cwd }, fault)));
  // Nobody reads what it prints any more. The fault is told once it is gone.
  closed.catch(() => killGroup(child));
  child.on("exit", () => {
    if (killGroup(child) && step?.left === "in-group") running.hasLeft = true;
  });
  hearLeft(child, ({ programs, files }) => {
    running.hasLeft ||= programs;
    run.leftFiles?.(files);
  });
  const insideEnds = watchInside(child, run);
  child.on("close", (code, signal) => {
    const exitCode = code ?? (signal === null ? 1 : 128 + (signalNumbers.get(signal) ?? 9));
    const end = (): void => {
      running.processes.delete(ending);
      insideEnds(() => resolve(exitCode), reject);
    };
    closed.then(end, reject);
  });
  return promise;
}

/** Learns which process is the first of a sandbox; gives the function that waits for its end. */
function watchInside(
  child: ChildProcess,
  { started }: PipelineRun,
): (then: () => void, failed: (fault: unknown) => void) => void {
  const pipe = child.stdio[4];
  if (!(pipe instanceof Readable)) return (then) => then();
  const told = readFirstProcess(pipe).then((first) => ({
    first,
    ended: first === null ? undefined : started?.(first.pid),
  }));
  const gone = async (): Promise<void> => {
    const { first, ended } = await told;
    if (first !== null) await awaitGone(first);
    ended?.();
  };
  return (then, failed) => void gone().then(then, failed);
}

const signalNumbers = new Map<string, number>([
  ["SIGHUP", 1],
  ["SIGINT", 2],
  ["SIGABRT", 6],
  ["SIGKILL", 9],
  ["SIGSEGV", 11],
  ["SIGPIPE", 13],
  ["SIGTERM", 15],
]);

function connectAll(
  processes: readonly StartedProcess[],
  starts: readonly ProcessStart[],
  running: Running,
): void {
  for (const [index, each] of processes.entries()) {
    connect(each, {
      plan: starts[index]?.streams,
      following: processes[index + 1],
      reads: starts[index + 1]?.streams.input,
      running,
    });
  }
}

function connect(
  from: StartedProcess,
  given: {
    readonly plan: ProcessStreams | undefined;
    readonly following: StartedProcess | undefined;
    readonly reads: ProcessStreams["input"] | undefined;
    readonly running: Running;
  },
): void {
  const { plan, following, running } = given;
  const next = given.reads?.from === "before" ? (following?.input ?? null) : null;
  const piped: Readable[] = [];
  for (const [stream, sink] of [
    [from.output, plan?.output],
    [from.errors, plan?.errors],
  ] as const) {
    if (stream === null || sink === undefined || sink.to === "file") continue;
    if (sink.to === "errors") collect(stream, running.errors, running);
    else if (following === undefined) collect(stream, running.output, running);
    else if (next === null) stream.destroy();
    else piped.push(stream);
  }
  if (next !== null) pipeAll(piped, next);
}

function collect(stream: Readable, collector: Collector, running: Running): void {
  stream.on("data", (bytes: Buffer) => {
    if (running.ending !== null) return;
    running.printed();
    const piece = collector.add(bytes);
    running.view?.add(piece);
  });
}
