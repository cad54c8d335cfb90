import { isJsonObject } from "../../signal/json.ts";
import type { Outcome } from "../../signal/tool.ts";
import { withNotes } from "../shell/later-guard.ts";
import type { ShellPorts } from "../shell/shell-ports.ts";
import { findMissing } from "../steward/find-missing.ts";
import { adviceOn } from "../steward/package-manager.ts";

/** The outcome of a command, with what to do about the program or module that it lacked. */
export async function withAdvice(
  outcome: Outcome,
  { mask }: Pick<ShellPorts, "mask">,
  workspace: string | null,
): Promise<Outcome> {
  const missing = findMissing(outcome);
  if (missing === null) return outcome;
  const advice = mask(await adviceOn(missing, workspace));
  if (outcome.status === "error") return { ...outcome, message: `${outcome.message} ${advice}` };
  const content = isJsonObject(outcome.content) ? outcome.content : {};
  return withNotes({ ...outcome, content: { ...content, missing: missing.name } }, [advice]);
}
