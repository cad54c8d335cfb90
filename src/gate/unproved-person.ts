import type { Gate } from "./judge.ts";

/** Only the proved owner can allow actions. An unproved client may only converse. The owner decides on what another person asks for. */
export const unprovedPerson: Gate = {
  name: "unproved-person",
  priority: 900,
  revision: 1,
  answer(effect, { origin }) {
    if (origin.person === "owner" || origin.person === "nobody") return { result: "not-concerned" };
    const converses = effect.kind === "tell-person" || effect.kind === "call-model";
    if (converses) return { result: "passed", reason: "conversing is judged by its effects" };
    if (origin.person === "other") {
      return {
        result: "ask",
        code: "asked-by-another",
        reason: `somebody else asked for this (${effect.kind}), and only the owner can allow it`,
      };
    }
    return {
      result: "block",
      code: "unproved",
      reason: `a client that did not prove itself may converse and nothing more (${effect.kind})`,
    };
  },
};
