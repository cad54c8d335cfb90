import type { FileHandle } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import { type Binary, isBinaryUnchanged } from "./binary.ts";
import type { Redirect } from "./program.ts";
import { type OpenParent, openRedirect } from "./redirect-file.ts";

/** One process to start: the words that really run, including the confinement. */
export type ProcessSpec = {
  /** The name of the program, for messages. */
  readonly name: string;
  readonly argv: readonly string[];
  /** The programs that must be unchanged right before the start. */
  readonly binaries: readonly Binary[];
  /** The targets that are files are judged real paths. */
  readonly redirects: readonly Redirect[];
  readonly environment: ReadonlyMap<string, string>;
  /** Whether it may open its streams by their names, such as `/dev/stdout`: then they must be pipes. */
  readonly opensStreams: boolean;
  /** The filter of system calls that the program of the sandbox reads; null without one. */
  readonly filter: Uint8Array | null;
  /** Whether the program of the sandbox says on descriptor 4 which process is the first in it. */
  readonly informs: boolean;
  /**
   * How it is known whether it left programs behind: it says so, or its process group shows it; null: not.
   */
  readonly left: "told" | "in-group" | null;
  /** Opens the folder around the file of a redirection, as the process sees it. */
  readonly openParent: OpenParent;
  /**
   * Finds a name that its sandbox would resolve and that leads elsewhere by now; null for none. Default:
   * there is none.
   */
  readonly findMoved?: () => Promise<string | null>;
};

/** Ends a run with an error outcome. `runPipelines` catches it. */
export class RunError extends Error {
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

type Sink = { readonly to: "output" | "errors" } | { readonly to: "file"; readonly fd: number };
/** The ends of the three standard streams of a process. */
export type ProcessStreams = {
  readonly input:
    | { readonly from: "before" }
    | { readonly from: "file"; readonly fd: number }
    | { readonly from: "text"; readonly text: string };
  readonly output: Sink;
  readonly errors: Sink;
};

/** Opens the files of a process's redirections in their order and adds them to `files`; the caller closes them. */
export async function openStreams(step: ProcessSpec, files: FileHandle[]): Promise<ProcessStreams> {
  let streams: ProcessStreams = {
    input: { from: "before" },
    output: { to: "output" },
    errors: { to: "errors" },
  };
  for (const { fd, op, target } of step.redirects) {
    if (op === "<<<") streams = { ...streams, input: { from: "text", text: `${target}\n` } };
    else if (op === ">&") {
      streams = fd === 1 ? { ...streams, output: streams.errors } : { ...streams, errors: streams.output };
    } else {
      const file = await openRedirect(
        target,
        op === "<" ? "<" : op.endsWith(">>") ? ">>" : ">",
        step.openParent,
      ).catch((fault: unknown) => {
        const reason = fault instanceof Error ? fault.message : String(fault);
        throw new RunError("redirection-failed", `${step.name} was not run: ${reason}.`, { cause: fault });
      });
      files.push(file);
      const sink: Sink = { to: "file", fd: file.fd };
      if (op === "<") streams = { ...streams, input: { from: "file", fd: file.fd } };
      else if (op.startsWith("&")) streams = { ...streams, output: sink, errors: sink };
      else streams = fd === 1 ? { ...streams, output: sink } : { ...streams, errors: sink };
    }
  }
  return streams;
}

/** Throws where a program is another one than was judged, or a name of its sandbox leads elsewhere. */
export async function requireUnchanged(steps: readonly ProcessSpec[]): Promise<void> {
  for (const { binaries, findMoved } of steps) {
    for (const binary of binaries) {
      if (await isBinaryUnchanged(binary)) continue;
      throw new RunError(
        "binary-changed",
        `${binary.path} is no longer the file that was judged. Propose the command again.`,
      );
    }
    const moved = await findMoved?.();
    if (moved !== null && moved !== undefined)
      throw new RunError(
        "path-changed",
        `The rest of the line was not run: ${moved}, which must be kept from commands, leads elsewhere by now.`,
      );
  }
}

/** Pipes several streams into one, which ends after the last of them. When the reader ends, so do the writers, as with a pipe. */
export function pipeAll(sources: readonly Readable[], target: Writable): void {
  let open = sources.length;
  if (open === 0) target.end();
  const leave = (): void => {
    for (const source of sources) source.destroy();
  };
  target.on("error", leave);
  target.on("close", leave);
  for (const source of sources) {
    source.pipe(target, { end: false });
    source.on("close", () => {
      open -= 1;
      if (open === 0) target.end();
    });
  }
}
