import { bottom } from "../signal/label.ts";
import type { Person } from "../signal/signal.ts";
import type { Asker, LabelOf, Preparation } from "../signal/tool.ts";
import { failure, success } from "../signal/tool.ts";
import type { MessageActuator } from "./interpret.ts";

/** What telling a person would do. Through the turn's own channel it is the person of the turn; a turn of nobody tells its owner; any other channel leads to somebody else. */
export function prepareTelling(
  { actuator, text }: { readonly actuator: MessageActuator; readonly text: string },
  asker: Asker,
  labelOf: LabelOf,
): Preparation {
  const own = actuator.name === asker.source;
  const person = personAt(own, asker);
  return {
    ok: true,
    effects: [
      {
        kind: "tell-person",
        target: `${person} on ${actuator.name}`,
        person,
        channel: actuator.name,
        session: asker.session,
        ownSession: own || person === "owner",
        label: labelOf(text),
        reversal: "final",
      },
    ],
    plan: { channel: actuator.name, session: asker.session, text },
    changes: [],
    resultLabel: bottom,
    async run() {
      const delivery = await actuator.tell(asker.session, text);
      return delivery.delivered
        ? success({ delivered: true })
        : failure({ code: "not-delivered", message: `The message was not delivered: ${delivery.reason}` });
    },
  };
}

function personAt(own: boolean, asker: Asker): Person {
  if (own) return asker.person;
  return asker.source === "system" && asker.person === "nobody" ? "owner" : "other";
}
