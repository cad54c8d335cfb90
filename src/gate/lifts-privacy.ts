import type { Effect, LiftedMark } from "../signal/effect.ts";
import { oneLine } from "../text/visible.ts";
import type { Gate } from "./judge.ts";

/** How many headings a question names. */
const mostNamed = 5;

/** A privacy tag, `:crypt:` or an origin mark is taken from a text only with the owner's yes: afterwards every reader of the file takes the text for public, or for the owner's own. */
export const liftsPrivacy: Gate = {
  name: "lifts-privacy",
  priority: 600,
  revision: 1,
  answer(effect) {
    const lifted = liftedBy(effect);
    if (lifted.length === 0) return { result: "not-concerned" };
    const open = lifted.find(({ mark }) => mark === "encryption");
    if (open !== undefined) {
      const reason = `'${oneLine(open.heading)}' ${loss.encryption}, and only the owner may do that`;
      return { result: "block", code: "exposes-secret", reason };
    }
    const named = lifted
      .slice(0, mostNamed)
      .map(({ heading, mark }) => `'${oneLine(heading)}' ${loss[mark]}`);
    const more = lifted.length > mostNamed ? [`and ${lifted.length - mostNamed} more`] : [];
    return { result: "ask", code: "lifts-privacy", reason: [...named, ...more].join("; ") };
  },
};

const loss: Readonly<Record<LiftedMark["mark"], string>> = {
  privacy: "would no longer be marked as private",
  encryption: "would lie open in the file",
  origin: "would lose the mark that says who wrote it",
};

function liftedBy(effect: Effect): readonly LiftedMark[] {
  return effect.kind === "write-path" ? (effect.lifts ?? []) : [];
}
