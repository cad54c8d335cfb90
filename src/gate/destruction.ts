import { oneLine } from "../text/visible.ts";
import { findDestruction } from "./find-destruction.ts";
import type { Gate } from "./judge.ts";

/** Blocks commands that destroy a system, a disk or a home folder, or open a connection past the parser. Nobody means such a command, and an approval is given too easily. It only objects: other commands must still be proved harmless. */
export const destruction: Gate = {
  name: "destruction",
  priority: 650,
  revision: 3,
  answer(effect, facts) {
    if (effect.kind !== "run-program" || effect.proof !== null) return { result: "not-concerned" };
    const what = findDestruction(effect.argv, facts.folders.home);
    if (what === null) return { result: "not-concerned" };
    const command = oneLine(effect.argv.join(" "));
    return {
      result: "block",
      code: "destruction",
      reason: `\`${command}\` ${what}, which is never allowed`,
    };
  },
};
