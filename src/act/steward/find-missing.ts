import type { Outcome } from "../../signal/tool.ts";
import { isJsonObject } from "../../text/json.ts";

/** What a command lacked: a program, or a module of Python or Node. */
export type Missing = { readonly kind: "program" | "python" | "node"; readonly name: string };

/** A name that a package manager may be given. At its end stands no `-`, which apt reads as a removal. */
export const plainName = /^[A-Za-z0-9](?:[A-Za-z0-9+._-]{0,59}[A-Za-z0-9+])?$/;

/** How programs say that another program is missing. The last group is its name. */
const missingMessages: readonly RegExp[] = [
  /^(?:\/(?:usr\/)?bin\/)?(?:bash|sh|dash|zsh|ksh)(?:\[\d+\])?: (?:line \d+: |\d+: )?([^\s:]+): (?:command )?not found$/m,
  /^[^\s:]+: (?:line )?\d+: ([^\s:]+): (?:command )?not found$/m,
  /^(?:zsh|fish)(?::\d+)?: (?:command not found|Unknown command): ([^\s:]+)$/m,
  /^(?:\/usr\/bin\/)?(?:env|nohup|timeout|nice|xargs|sudo|time|watch|find)[^\n]*?: [‘'"`]?([^\s:‘’'"`]+)[’'"`]?: (?:No such file or directory|command not found)$/m,
  /^make(?:\[\d+\])?: ([^\s:]+): No such file or directory$/m,
  /\bspawn(?:Sync)? ([^\s/]+) ENOENT\b/,
  /\bFileNotFoundError: \[Errno 2\] No such file or directory: '([^'/\s]+)'$/m,
];

const pythonModule = /\bModuleNotFoundError: No module named '([A-Za-z0-9_]+)(?:\.[\w.]+)?'/;
const nodeModule = /\bCannot find (?:module|package) '((?:@[\w.-]+\/)?[A-Za-z0-9][\w.-]*)(?:\/[^']*)?'/;

/** What a command lacked, by its outcome alone; null where that is not known. The output may be anybody's words: what follows from it is only a proposal. */
export function findMissing(outcome: Outcome): Missing | null {
  if (outcome.status === "error") {
    const name = outcome.code === "not-installed" ? /^(\S+) is not installed/.exec(outcome.message)?.[1] : "";
    return programOf(name);
  }
  if (!isJsonObject(outcome.content) || !(Number(outcome.content["exitCode"]) > 0)) return null;
  const said = `${String(outcome.content["stderr"])}\n${String(outcome.content["stdout"])}`.slice(-20_000);
  const python = pythonModule.exec(said)?.[1];
  if (python !== undefined) return { kind: "python", name: python };
  const node = nodeModule.exec(said)?.[1];
  if (node !== undefined) return { kind: "node", name: node };
  return programOf(
    missingMessages.map((pattern) => pattern.exec(said)?.[1]).find((name) => name !== undefined),
  );
}

function programOf(name: string | undefined): Missing | null {
  return name !== undefined && plainName.test(name) ? { kind: "program", name } : null;
}
