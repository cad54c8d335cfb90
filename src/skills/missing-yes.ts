import { joinLabels } from "../signal/label.ts";
import { labelOfSkill } from "../signal/label-of-skill.ts";
import type { AcceptedSkill } from "../signal/skill.ts";

type Version = Pick<AcceptedSkill, "head" | "label"> & { readonly link: string | undefined };

/** What a yes of the owner is missing for; null where none is needed. */
export function missingYes(
  { head: { name, capabilities }, label, link }: Version,
  accepted: AcceptedSkill | null,
): string | null {
  const say = `To say yes: passepartout skill enable ${name}`;
  if (accepted !== null && accepted.from !== null)
    return `${name}.org came from ${accepted.from} and differs from what you installed; that version stays in force. ${say}`;
  const kept = accepted === null ? "" : " The version before it stays in force.";
  if (isWiderThan(label, accepted))
    return `${name}.org holds ${label?.integrity === "untrusted" ? "words of others" : "private text"}.${kept} ${say}`;
  if (link !== undefined)
    return `${name}.org is a link to ${link}, where others than you may change it, so each change asks.${kept} ${say}`;
  const added = capabilities.filter((word) => !(accepted?.head.capabilities ?? []).includes(word));
  if (added.length === 0) return null;
  return `${name}.org wants to call ${added.join(", ")}.${kept} ${say}`;
}

/** Whether a version has words of others, or private ones, that the accepted version had not. */
function isWiderThan(label: Version["label"], before: AcceptedSkill | null): boolean {
  if (label === undefined) return false;
  if (before === null) return true;
  const had = labelOfSkill(before);
  const { integrity, secrecy } = joinLabels(had, label);
  return integrity !== had.integrity || secrecy !== had.secrecy;
}
