import { isJsonObject } from "../text/json.ts";
import type { Outcome } from "./tool.ts";

/** How a call ended, in a word or two: `success`, `error`, or `exit code 2` of a command. */
export function endingOf(outcome: Outcome): string {
  const { status } = outcome;
  const code = status === "success" && isJsonObject(outcome.content) ? outcome.content["exitCode"] : 0;
  return typeof code === "number" && code !== 0 ? `exit code ${code}` : status;
}

/** Why a call did not come off: it failed, or its command ended with another code than 0. Null where it did. */
export function failedOutcome(outcome: Outcome): string | null {
  if (outcome.status === "error") return outcome.message;
  const { content } = outcome;
  const code = isJsonObject(content) ? content["exitCode"] : undefined;
  return typeof code === "number" && code !== 0 ? `It ended with the code ${code}.` : null;
}
