import { isJsonObject } from "./json.ts";
import type { Outcome } from "./tool.ts";

/** Why a call did not come off: it failed, or its command ended with another code than 0. Null where it did. */
export function failedOutcome(outcome: Outcome): string | null {
  if (outcome.status === "error") return outcome.message;
  const { content } = outcome;
  const code = isJsonObject(content) ? content["exitCode"] : undefined;
  return typeof code === "number" && code !== 0 ? `It ended with the code ${code}.` : null;
}
