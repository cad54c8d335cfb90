import { sealedChannels } from "../signal/actuator.ts";
import type { Effect } from "../signal/effect.ts";
import { privateTextRule } from "../signal/facts.ts";
import { oneLine } from "../text/visible.ts";
import type { Gate } from "./judge.ts";
import { waysOn } from "./model-calls.ts";

/**
 * Keeps private text in. A passage that stands in a text that is or was private asks before it goes to a
 * host, to another person than the owner, or by a service that can read it, and no model that is not local
 * gets it.
 */
export const privateText: Gate = {
  name: "private-text",
  priority: 600,
  revision: 3,
  answer(effect, { findings }, index) {
    const found = findings.some(({ effectIndex, rule }) => effectIndex === index && rule === privateTextRule);
    if (!found || !leaves(effect)) return { result: "not-concerned" };
    const reason = `words of a private text would leave by ${effect.kind} ${oneLine(effect.target)}`;
    return effect.kind === "call-model"
      ? { result: "block", code: "private-leaves", reason: `${reason}; ${waysOn}` }
      : { result: "ask", code: "private-leaves", reason };
  },
};

function leaves(effect: Effect): boolean {
  if (effect.kind === "tell-person") return effect.person !== "owner" || !sealedChannels.has(effect.channel);
  if (effect.kind === "call-model") return effect.local !== true;
  if (effect.kind === "use-service") return effect.act !== "read";
  return effect.kind === "reach-host";
}
