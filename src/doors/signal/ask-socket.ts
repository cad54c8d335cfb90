import { statSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
import { z } from "zod";
import { parseJson } from "../../text/parse-json.ts";

/**
 * Asks signal-cli by its Unix socket, over a connection of its own: a line of JSON there, a line back. Null
 * where
 * the answer is longer than `most` bytes. Throws where it is cut, and where it is cancelled.
 */
export async function askSocket(
  path: string,
  { body, id, most, signal }: SocketRequest,
): Promise<string | null> {
  const socket = connect({ path, signal });
  socket.write(`${body}\n`);
  let rest: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of socket) {
      const bytes = z.instanceof(Buffer).parse(piece);
      for (let from = 0; from < bytes.length; ) {
        const end = bytes.indexOf(0x0a, from);
        const part = bytes.subarray(from, end === -1 ? bytes.length : end);
        rest.push(part);
        size += part.length;
        if (size > most) return null;
        from += part.length + 1;
        if (end === -1) break;
        const line = Buffer.concat(rest).toString("utf8");
        if (isAnswerTo(line, id)) return line;
        rest = [];
        size = 0;
      }
    }
  } finally {
    socket.destroy();
  }
  throw new Error("the connection ended before the answer");
}

type SocketRequest = {
  readonly body: string;
  /** The id in the request, by which its answer is known. */
  readonly id: number;
  readonly most: number;
  readonly signal: AbortSignal;
};

/** signal-cli also tells of what nobody asked for. */
function isAnswerTo(line: string, id: number): boolean {
  return z.looseObject({ id: z.literal(id) }).safeParse(parseJson(line)).success;
}

/**
 * Why a socket is not used: anybody could have put it there. Null where it is, and where there is none yet.
 */
export function socketProblem(path: string): string | null {
  const folder = dirname(path);
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & 0o002) === 0) return null;
  return `everybody may write in ${folder}, so ${path} may be anybody's. Give signal-cli's daemon a folder of its own: --socket "$XDG_RUNTIME_DIR/signal-cli/socket"`;
}
