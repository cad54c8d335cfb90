import type { Extent } from "../signal/effect.ts";
import type { Gate } from "./judge.ts";
import { oneLine } from "./visible.ts";

/** Asks before more is deleted, stopped or replaced at once than the owner's words of this turn name. The question shows what it is, how much, and what stays. */
export const extent: Gate = {
  name: "extent",
  priority: 480,
  revision: 1,
  answer(effect) {
    if (effect.kind !== "run-program" || effect.extent === undefined || effect.extent.unnamed === 0)
      return { result: "not-concerned" };
    return { result: "ask", code: "extent", reason: reasonOf(oneLine(effect.argv.join(" ")), effect.extent) };
  },
};

function reasonOf(command: string, { kind, count, shown, unnamed, others }: Extent): string {
  if (count === null) return `\`${command}\` acts on ${kind} that are not known before it runs`;
  const more = count > shown.length ? `, and ${count - shown.length} more` : "";
  const named = unnamed === count ? "none of them" : `${count - unnamed} of them`;
  const stays = others.length === 0 ? "" : `; beside them stay ${others.map(oneLine).join(", ")}`;
  return `\`${command}\` acts on ${count} ${kind}, and your message names ${named}: ${shown.map(oneLine).join(", ")}${more}${stays}`;
}
