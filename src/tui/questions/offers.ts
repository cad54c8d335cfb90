import type { ApprovalQuestion } from "../../shown/approval-question.ts";
import { makeOffers, type Offer } from "../../signal/offer.ts";
import type { JsonObject } from "../../text/json.ts";
import { withShortHome } from "../screen/short-path.ts";

/** The offers of a question as they are shown, in the order of their numbers. A daemon of an older version gives no list, and says them in words of its own. */
export function offersOf(question: ApprovalQuestion, home: string): readonly Offer[] {
  return listed(question).map((offer) => ({
    ...offer,
    words: offer.words.map((line) => withShortHome(line, home)),
  }));
}

function listed({ offers, endorsable = [], rule, workspace }: ApprovalQuestion): readonly Offer[] {
  const told = { values: endorsable, rule: rule === undefined ? [] : [rule], workspace };
  return offers ?? makeOffers(told).offers ?? [];
}

/** The request that takes an offer. A daemon that gave no list knows no ids. */
export function requestOf({ token, offers }: ApprovalQuestion, { id }: Pick<Offer, "id">): JsonObject {
  if (offers !== undefined) return { action: "approve", token, offer: id };
  return id === "value" ? { action: "approve", token, value: true } : { action: "always", token, keep: true };
}
