import { bottomLabel } from "../signal/label.ts";
import type { Person } from "../signal/signal.ts";
import type { Caller, LabelArgument, Preparation } from "../signal/tool.ts";
import { failure, success } from "../signal/tool.ts";
import type { Work } from "./actuators.ts";

/**
 * Prepares a message to a person. The turn's own channel leads to the person of the turn; a turn that nobody
 * started tells the owner; any other channel leads to another person, unless it reaches the owner alone.
 */
export function prepareMessage(
  { channel, tell, reaches, text }: Work & { readonly kind: "tell" },
  caller: Caller,
  labelOf: LabelArgument,
): Preparation {
  const own = channel === caller.source;
  const person = personAt(own, caller, reaches);
  return {
    ok: true,
    effects: [
      {
        kind: "tell-person",
        target: `${person} on ${channel}`,
        person,
        channel,
        session: caller.session,
        ownSession: own || person === "owner",
        label: labelOf(text),
        reversal: "final",
      },
    ],
    plan: { channel, session: caller.session, text },
    changes: [],
    resultLabel: bottomLabel,
    async run() {
      const delivery = await tell(caller.session, text);
      return delivery.delivered
        ? success({ delivered: true })
        : failure({ code: "not-delivered", message: `The message was not delivered: ${delivery.reason}` });
    },
  };
}

function personAt(own: boolean, caller: Caller, reaches: "owner" | "other"): Person {
  if (own) return caller.person;
  if (reaches === "owner") return "owner";
  return caller.source === "system" && caller.person === "nobody" ? "owner" : "other";
}
