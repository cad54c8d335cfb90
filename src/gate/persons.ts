import { sealedChannels } from "../signal/actuator.ts";
import type { Effect, TellPerson } from "../signal/effect.ts";
import type { Facts } from "../signal/facts.ts";
import { isNoMoreSecretThan } from "../signal/label.ts";
import { oneLine } from "../text/visible.ts";
import type { GateAnswer } from "./answer.ts";
import type { Gate } from "./judge.ts";

/**
 * The owner gate of messages to persons. The proved owner may be told anything, but what is private not by a
 * service that can read it. An unproved client gets public text of its own session and no more. Any other
 * person asks.
 */
export const persons: Gate = {
  name: "persons",
  priority: 500,
  revision: 2,
  answer(effect: Effect, facts: Facts) {
    if (effect.kind !== "tell-person") return { result: "not-concerned" };
    if (effect.person === "unproved" || facts.origin.person === "unproved") return conversing(effect, facts);
    if (effect.person === "owner") return tellingOwner(effect);
    const content = effect.label.secrecy === "public" ? "" : `, with ${effect.label.secrecy} content`;
    return {
      result: "ask",
      code: "tell-person",
      reason: `a message to ${oneLine(effect.target)} by ${effect.channel}${content}`,
    };
  },
};

function tellingOwner({ channel, label }: TellPerson): GateAnswer {
  if (!sealedChannels.has(channel) && !isNoMoreSecretThan(label, "public"))
    return {
      result: "block",
      code: "private-by-service",
      reason: `the service ${channel} could read this, and it is ${label.secrecy}. It can be read on this machine, in this session`,
    };
  return { result: "passed", reason: "a message to the proved owner" };
}

function conversing(effect: TellPerson, { origin }: Facts): GateAnswer {
  const block = (code: string, reason: string): GateAnswer => ({ result: "block", code, reason });
  if (effect.person !== "unproved" || origin.person !== "unproved") {
    return block(
      "unproved",
      "a client that did not prove itself may be answered in its own turn and may message nobody else",
    );
  }
  if (!effect.ownSession || effect.session !== origin.session) {
    return block("foreign-session", "a client that did not prove itself may see only its own session");
  }
  if (!isNoMoreSecretThan(effect.label, "public")) {
    return block("not-public", `a client that did not prove itself may not see ${effect.label.secrecy} text`);
  }
  return { result: "passed", reason: "public text to the client that asked" };
}
