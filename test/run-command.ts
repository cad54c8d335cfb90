import { EventEmitter } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { runCommand } from "../src/cli/command-line.ts";
import { program } from "../src/cli/program.ts";

/** What a command of the command line came to. */
export type Finished = { readonly code: number | null; readonly out: string; readonly err: string };

/** What a command finds in its process. */
export type Surroundings = {
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly input: string;
  /** Is given all that it printed so far, whenever it prints. */
  readonly onOutput?: ((out: string, err: string) => void) | undefined;
};

/** Runs a command of the command line in this process, with streams of its own: all but the start and the end of a process is as users have it. */
export async function runCommandHere(
  args: readonly string[],
  { environment, cwd, input, onOutput = () => undefined }: Surroundings,
): Promise<Finished> {
  const stdin = new PassThrough();
  stdin.end(input);
  const tell = (): void => onOutput(stdout.text(), stderr.text());
  const stdout = collect(tell);
  const stderr = collect(tell);
  const signals = new EventEmitter();
  const code = await runCommand(args, program, {
    env: environment,
    cwd: () => cwd,
    stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    on: (signal, listener) => signals.on(signal, listener),
    off: (signal, listener) => signals.off(signal, listener),
  });
  return { code, out: stdout.text(), err: stderr.text() };
}

function collect(tell: () => void): { readonly stream: Writable; readonly text: () => string } {
  const pieces: Buffer[] = [];
  const stream = new Writable({
    decodeStrings: true,
    write(piece: Buffer, _, done) {
      pieces.push(piece);
      tell();
      done();
    },
  });
  return { stream, text: () => Buffer.concat(pieces).toString("utf8") };
}
