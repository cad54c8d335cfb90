import type { State } from "../../memory/state/state.ts";
import type { Policy } from "../../settings/policy.ts";
import type { ActionFacts } from "../../signal/action.ts";
import type { Effect } from "../../signal/effect.ts";
import type { Label } from "../../signal/label.ts";
import { type Turn, turnOrigin } from "../../signal/turn.ts";
import type { JudgeTelling } from "../../turn/step-ports.ts";

/** What judging a message to the person of a turn needs. */
export type JudgeTellingParts = {
  readonly policy: Pick<Policy, "judge" | "makeFacts" | "scan" | "filter">;
  readonly sessions: Pick<State["sessions"], "get">;
};

/**
 * Judges what is told to the person of a turn as one effect, with the label of what it tells. A turn that nobody started tells the owner.
 * The words are scanned as they would be shown: a secret that the filter masks is no finding.
 */
export function makeJudgeTelling({ policy, sessions }: JudgeTellingParts): JudgeTelling {
  return async (turn, text, label) => {
    const session = await sessions.get(turn.session);
    const findings = policy
      .scan(policy.filter(text))
      .map(({ rule }) => ({ rule, effectIndex: 0, where: "text" }));
    const facts = policy.makeFacts({
      action: replyFacts(turn),
      origin: turnOrigin(turn),
      workspace: session?.workspace ?? null,
      findings,
    });
    return policy.judge([tellingEffect(turn, label)], facts);
  };
}

function replyFacts({ signal }: Turn): ActionFacts {
  return { kind: "reply", target: signal.source, tool: null, explanation: "", problems: [] };
}

function tellingEffect({ signal, session }: Turn, label: Label): Effect {
  const person = signal.person === "nobody" ? "owner" : signal.person;
  return {
    kind: "tell-person",
    target: `${person} on ${signal.source}`,
    person,
    channel: signal.source,
    session,
    ownSession: true,
    label,
    reversal: "final",
  };
}
