import type { Extent, RunProgram, WritePath } from "../signal/effect.ts";
import { oneLine } from "../text/visible.ts";
import type { Gate } from "./judge.ts";
import { isTriable } from "./programs.ts";

/** Blocks an extent that contradicts itself, and asks before more is deleted, stopped or replaced at once than the owner's words of this turn name. The question shows what it is, how much, and what stays. */
export const extent: Gate = {
  name: "extent",
  priority: 480,
  revision: 8,
  answer(effect) {
    if ((effect.kind !== "run-program" && effect.kind !== "write-path") || effect.extent === undefined)
      return { result: "not-concerned" };
    const { count, shown, unnamed } = effect.extent;
    if (count !== null && Math.max(unnamed, shown.length) > count)
      return {
        result: "block",
        code: "malformed-extent",
        reason: "the extent of the command contradicts itself",
      };
    if (unnamed === 0) return { result: "not-concerned" };
    const asked = { result: "ask", code: "extent", reason: reasonOf(effect, effect.extent) } as const;
    const isShown = effect.kind === "run-program" && effect.extent.shownByTrial === true && isTriable(effect);
    return isShown ? { ...asked, trial: true } : asked;
  },
};

function subjectOf(effect: RunProgram | WritePath): string {
  if (effect.kind === "run-program") return `\`${oneLine(effect.argv.join(" "))}\` acts on`;
  if (effect.ownBranch === true) return "the branch that is checked out would no longer have";
  return effect.tree === true || effect.extent?.kind !== "files"
    ? "what the command changed in its trial deletes, empties or overwrites"
    : "what this call writes empties or overwrites";
}

function reasonOf(
  effect: RunProgram | WritePath,
  { kind, count, shown, unnamed, others, earlier }: Extent,
): string {
  const subject = subjectOf(effect);
  if (count === null) {
    const most = shown.length === 0 ? "" : `, of these at most: ${shown.map(oneLine).join(", ")}`;
    return `${subject} ${oneLine(kind)} that ${effect.kind === "write-path" ? "nobody can count" : "are not known before it runs"}${most}`;
  }
  const more = count > shown.length ? `, and ${count - shown.length} more` : "";
  const list = shown.length === 0 ? "" : `: ${shown.map(oneLine).join(", ")}${more}`;
  const named = unnamed === count ? "none of them" : `${count - unnamed} of them`;
  const stays = others.length === 0 ? "" : `; beside them stay ${others.map(oneLine).join(", ")}`;
  const sum = earlier === undefined ? "" : `${earlier} of them before it in this turn, `;
  return `${subject} ${count} ${oneLine(kind)}, ${sum}and your message plainly asks for ${named}${list}${stays}`;
}
