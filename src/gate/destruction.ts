import { findDestruction } from "./find-destruction.ts";
import type { Gate } from "./judge.ts";
import { oneLine } from "./visible.ts";

/** Blocks what destroys a system, a disk or a home folder, or opens a connection behind the parser's back: nobody means it, and an approval is too easily given. It only objects; what it does not know still has to be proved harmless elsewhere. */
export const destruction: Gate = {
  name: "destruction",
  priority: 650,
  revision: 2,
  answer(effect, facts) {
    if (effect.kind !== "run-program" || effect.proof !== null) return { result: "not-concerned" };
    const what = findDestruction(effect.argv, facts.folders.home);
    if (what === null) return { result: "not-concerned" };
    const command = oneLine(effect.argv.join(" "));
    return {
      result: "block",
      code: "destruction",
      reason: `\`${command}\` ${what}, which is never done here`,
    };
  },
};
