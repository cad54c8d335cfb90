import type { Outcome } from "../../signal/tool.ts";
import { isJsonObject } from "../../text/json.ts";

/** How programs that make somebody root say that they may not. */
const refusals: readonly RegExp[] = [
  /^sudo: (?:The "no new privileges" flag is set|effective uid is not 0|\S+ is owned by uid \d+, should be 0|\S+ must be owned by uid 0)/m,
  /^(?:pkexec must be setuid root|doas: (?:not installed setuid|Operation not permitted)|su: must be run from a terminal|su: (?:cannot set groups|Authentication failure))/m,
];

/** What to say where a command failed since it wanted to become root in the sandbox; null for every other outcome. */
export function privilegesNote(outcome: Outcome): string | null {
  if (outcome.status === "error" || !isJsonObject(outcome.content)) return null;
  const { exitCode, stderr, stdout } = outcome.content;
  const said = `${String(stderr)}\n${String(stdout)}`.slice(-20_000).replaceAll("\r", "");
  if (!(Number(exitCode) > 0) || !refusals.some((refusal) => refusal.test(said))) return null;
  return "No command becomes root here: the sandbox gives nobody new privileges, and trying again changes nothing. To install a program, propose install-program, which asks the owner; for anything else, tell the owner the command to run in a terminal of their own.";
}
