import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { close, constants, open } from "node:fs";
import { Socket } from "node:net";
import { promisify } from "node:util";
import { errorCode } from "../files/fallible.ts";

/**
 * A pipe between this process and a child: a stream here, and the descriptor for the child, which is closed
 * here once the child has it.
 */
export type ChildPipe = { readonly stream: Socket; readonly fd: number };

/** Which end of a pipe a child has. */
export type ChildEnd = "reads" | "writes";

const openFile = promisify(open);

/**
 * How many pipes one shell makes: it names descriptors by one digit, the first three and the last are its
 * own.
 */
const mostOfShell = 6;

/**
 * Makes pipes, which Node has none of: the sockets that it gives to children cannot be opened again by the
 * names of their streams, such as `/dev/stdout`. Null where they cannot be made.
 */
export async function openPipes(
  ends: readonly ChildEnd[],
  script: PipeScript = scriptFor,
): Promise<readonly ChildPipe[] | null> {
  // Only Linux opens what another process holds.
  if (process.platform !== "linux") return null;
  const pairs: Pair[] = [];
  try {
    for (let from = 0; from < ends.length; from += mostOfShell)
      await openPairs(Math.min(ends.length - from, mostOfShell), { pairs, script });
  } catch (fault) {
    for (const { reader, writer } of pairs) for (const fd of [reader, writer]) closeDescriptor(fd);
    if (errorCode(fault) === "") throw fault;
    return null;
  }
  return pairs.map(({ reader, writer }, index) =>
    ends[index] === "reads"
      ? { fd: reader, stream: new Socket({ fd: writer, readable: false, writable: true }) }
      : { fd: writer, stream: new Socket({ fd: reader, readable: true, writable: false }) },
  );
}

type Pair = { readonly reader: number; readonly writer: number };
/** The script of the shell that holds so many pipes. */
type PipeScript = (count: number) => string;

/** Adds so many pipes to others. */
async function openPairs(
  count: number,
  { pairs, script }: { readonly pairs: Pair[]; readonly script: PipeScript },
): Promise<void> {
  const stdio: StdioOptions = ["pipe", "pipe", "ignore"];
  const maker = spawn("/bin/sh", ["-c", script(count)], { stdio, env: {} });
  const ended = once(maker, "close");
  try {
    const number = await saidNumber(maker, ended);
    for (let index = 0; index < count; index += 1) {
      const path = `/proc/${number}/fd/${3 + index}`;
      const reader = await openFile(path, constants.O_RDONLY);
      const writer = await openFile(path, constants.O_WRONLY).catch((fault: unknown) => {
        closeDescriptor(reader);
        throw fault;
      });
      pairs.push({ reader, writer });
    }
  } finally {
    maker.stdin?.end();
    await ended;
  }
}

/** The process number that a shell says; a word that is none where it ends before that. */
async function saidNumber(maker: ChildProcess, ended: Promise<unknown>): Promise<string> {
  const said = once(maker.stdout ?? maker, "data").then(([bytes]) => String(bytes).trim());
  return Promise.race([said, ended.then(() => "gone")]);
}

/**
 * A shell that holds the reading ends of pipes from descriptor 3 on, and says its number, until its input
 * ends.
 */
function scriptFor(count: number): string {
  let held = `exec /bin/sh -c 'echo $$; read -r _ <&9'`;
  for (let index = count - 1; index >= 0; index -= 1) held = `: | { exec ${3 + index}<&0; ${held}; }`;
  return `exec 9<&0; ${held}`;
}

/** Closes a descriptor some time soon. A fault of that is a fault of this program. */
export function closeDescriptor(fd: number): void {
  close(fd, (fault) => {
    if (fault !== null) throw fault;
  });
}
