import type { EndorsableValue } from "../signal/approval.ts";
import type { ReachHost } from "../signal/effect.ts";
import type { Flow } from "../signal/facts.ts";
import { isJsonArray, isJsonObject, type Json } from "../text/json.ts";
import type { CallWithVerdict } from "./judge-call.ts";

/** The asks that are about where a value comes from. Any other needs an answer of its own. */
const codes: ReadonlySet<string> = new Set(["foreign-value", "foreign-link", "reach-host"]);

/** The values that a question asks about because they do not come from the owner. */
export function endorsableValues({ prepared, verdict }: CallWithVerdict): readonly EndorsableValue[] {
  const { action, effects, facts } = prepared;
  const { args } = action.payload;
  return (facts.flows ?? []).flatMap((flow): readonly EndorsableValue[] => {
    const isAsked = verdict.asks.some(
      ({ code, effectIndex }) => codes.has(code) && effectIndex === flow.effectIndex,
    );
    if (!isAsked || flow.role === "link" || !strange.has(flow.origin)) return [];
    const effect = effects[flow.effectIndex];
    const argument = nameOf(flow);
    if (effect?.kind === "reach-host") return [{ argument, value: originOf(effect) }];
    const value = valueAt(isJsonObject(args) ? args : action.payload, flow.argument);
    return value === null ? [] : [{ argument, value }];
  });
}

const strange: ReadonlySet<Flow["origin"]> = new Set(["foreign", "pasted", "agent"]);

/** The name of an argument, or of the field inside it; an item of a list has the name of the list. */
function nameOf({ argument }: Flow): string {
  return argument.split("/").findLast((part) => !/^\d*$/.test(part)) ?? "";
}

function originOf({ scheme, target, port }: ReachHost): string {
  const host = target.includes(":") ? `[${target}]` : target;
  return new URL(`${scheme}://${host}:${port}`).origin;
}

function valueAt(value: Json, pointer: string): string | null {
  let held: Json | undefined = value;
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (isJsonArray(held)) held = held[Number(key)];
    else held = isJsonObject(held) && Object.hasOwn(held, key) ? held[key] : undefined;
  }
  return typeof held === "string" || typeof held === "number" ? String(held) : null;
}
