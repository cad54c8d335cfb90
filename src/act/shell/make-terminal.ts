import { existsSync } from "node:fs";
import { quoteForShell } from "../../text/quote-for-shell.ts";
import type { TerminalSize } from "../../text/terminal-size.ts";

/** What makes a terminal, and tells its modes. */
export const terminalPrograms = { script: "/usr/bin/script", stty: "/usr/bin/stty" };

/** What makes a terminal is missing here, in words; null where it is there. */
export function terminalProblem(): string | null {
  const missing = Object.values(terminalPrograms).find((program) => !existsSync(program));
  if (missing === undefined) return null;
  const packages = missing === terminalPrograms.script ? "bsdutils (Debian) or util-linux" : "coreutils";
  return `${missing} is missing; install the package ${packages}`;
}

/** The words that start a program on a terminal of its own and of this size, which is made inside the sandbox. */
export function inTerminal(argv: readonly string[], { rows, columns }: TerminalSize): readonly string[] {
  const line = `${terminalPrograms.stty} rows ${rows} cols ${columns}; exec ${argv.map(quoteForShell).join(" ")}`;
  return [terminalPrograms.script, "-q", "-e", "-f", "-E", "always", "-c", line, "/dev/null"];
}
