import type { OwnerCommand } from "../perceive/commands.ts";
import type { JsonObject } from "../text/json.ts";
import type { SubmitResult } from "../turn/submit-result.ts";

/** A yes, with the offer that it takes by its id. */
export function approvalOf({ token, value, offer }: JsonObject): OwnerCommand {
  const named = typeof token === "string" ? token : "";
  if (offer === "rule") return { kind: "always", token: named, keep: true };
  const endorses = value === true || offer === "value";
  return { kind: "approve", token: named, ...(endorses ? { value: true } : {}) };
}

/** Whether a yes names an offer that there is not. */
export function namesNoOffer({ offer }: JsonObject): boolean {
  return typeof offer === "string" && offer !== "value" && offer !== "rule";
}

/** The refusal of such a yes. */
export const noOffer: SubmitResult = {
  kind: "refused",
  code: "no-offer",
  text: "The question has no such offer, so nothing was answered.",
};
