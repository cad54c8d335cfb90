import type { Effect } from "../signal/effect.ts";
import { type Flow, isTrustedOrigin } from "../signal/facts.ts";
import { oneLine } from "../text/visible.ts";
import type { Gate } from "./judge.ts";

/** Where an effect goes and what it acts on must come from the owner: this turn's words, the owner's contacts, a record or source that the words name. A value of others, or of the model alone, asks. */
export const informationFlow: Gate = {
  name: "information-flow",
  priority: 650,
  revision: 4,
  answer(effect, { flows }, index) {
    const own = (flows ?? []).filter(({ effectIndex }) => effectIndex === index);
    if (own.length === 0) return { result: "not-concerned" };
    if (own.some((flow) => !isPossible(flow, effect))) {
      return {
        result: "block",
        code: "impossible-flow",
        reason: "its values are said to come from where such an effect cannot take them",
      };
    }
    const strange = own.filter(({ origin }) => !isTrustedOrigin[origin]);
    if (strange.length === 0)
      return { result: "passed", reason: `its values come from you (${describeOrigins(own)})` };
    // Its owner gate asks for every host, and says where the address comes from.
    if (effect.kind === "reach-host") return { result: "not-concerned" };
    if (effect.kind === "use-service" && effect.act === "read")
      return { result: "passed", reason: "reading is free" };
    return {
      result: "ask",
      code: strange.some(({ role }) => role === "link") ? "foreign-link" : "foreign-value",
      reason: describeFlows(strange, effect),
    };
  },
};

/** A link that stands in a named source may only be fetched, and a code only confirms. */
function isPossible({ origin }: Flow, effect: Effect): boolean {
  const act = effect.kind === "use-service" ? effect.act : effect.kind;
  if (origin === "link") return act === "fetch" || act === "reach-host";
  return origin !== "confirmation" || act === "credential";
}

/** How many values a reason names. */
const mostNamed = 4;

function describeFlows(flows: readonly Flow[], effect: Effect): string {
  const named = flows.slice(0, mostNamed).map((flow) => describeFlow(flow, effect));
  const more = flows.length - named.length;
  return [...named, ...(more === 0 ? [] : [`${more} more of its values are not yours`])].join(" and ");
}

/** Of an act that nothing declares no words could name a value: its owner gate says why it asks. */
function describeFlow({ argument, role, origin }: Flow, effect: Effect): string {
  const place = oneLine(argument.slice(1).replaceAll("/", "."));
  if (origin === "pasted") return `${place} stands only in words that were pasted, and those license nothing`;
  const whose = origin === "foreign" ? "from content of others" : "the model's own";
  if (role === "link") return `an address inside ${place} is ${whose}`;
  const isDeclared = effect.kind !== "use-service" || effect.act !== "unknown";
  return `${place} is ${whose}${isDeclared ? ", and your words do not name it" : ""}`;
}

function describeOrigins(flows: readonly Flow[]): string {
  return [...new Set(flows.map(({ origin }) => origin))].sort().join(", ");
}
