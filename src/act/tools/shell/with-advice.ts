import type { Outcome } from "../../../signal/tool.ts";
import { isJsonObject } from "../../../text/json.ts";
import { withNotes } from "../../shell/later-guard.ts";
import type { ShellPorts } from "../../shell/shell-ports.ts";
import { findMissing } from "../../steward/find-missing.ts";
import { privilegesNote } from "../../steward/find-privileges.ts";
import { adviceOn } from "../../steward/package-manager.ts";

/** The outcome of a command, with what to do about the program, the module or the privileges that it lacked. */
export async function withAdvice(
  outcome: Outcome,
  { mask, sandbox }: Pick<ShellPorts, "mask" | "sandbox">,
  workspace: string | null,
): Promise<Outcome> {
  const unprivileged = sandbox === null ? null : privilegesNote(outcome);
  if (unprivileged !== null) return withNotes(outcome, [unprivileged]);
  const missing = findMissing(outcome);
  if (missing === null) return outcome;
  const advice = mask(await adviceOn(missing, workspace));
  if (outcome.status === "error") return { ...outcome, message: `${outcome.message} ${advice}` };
  const content = isJsonObject(outcome.content) ? outcome.content : {};
  const before = typeof content["advice"] === "string" ? `${content["advice"]} ` : "";
  return { ...outcome, content: { ...content, missing: missing.name, advice: before + advice } };
}
