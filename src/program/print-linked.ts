import { pathToFileURL } from "node:url";
import type { Io } from "../kernel/io.ts";
import { escapeForTerminal } from "../text/visible.ts";

/** A line that begins with the name of a file: the name as it is shown, its real absolute path, and what follows. */
export type LinkedLine = { readonly shown: string; readonly path: string; readonly rest: string };

/**
 * Prints lines that begin with the name of a file. On a terminal the name is a link to it (OSC 8), which a click opens; terminals without links show
 * the name alone. Nothing but the path stands in the link.
 */
export function printLinked(io: Io, lines: readonly LinkedLine[]): void {
  const { TERM: kind = "", NO_COLOR: plain = "" } = io.environment;
  const links = io.outIsTerminal && kind !== "dumb" && kind !== "" && plain === "";
  if (!links) {
    io.out(lines.map(({ shown, rest }) => `${shown}${rest}\n`).join(""));
    return;
  }
  const linked = lines.map(({ shown, path, rest }) => {
    const target = pathToFileURL(path);
    return `\x1b]8;;${target.href}\x1b\\${escapeForTerminal(shown)}\x1b]8;;\x1b\\${escapeForTerminal(rest)}\n`;
  });
  io.output.write(linked.join(""));
}
