import { joinLabels, type Label, sourceOfSkill } from "./label.ts";
import type { AcceptedSkill } from "./skill.ts";

type LabelledSkill = Pick<AcceptedSkill, "from" | "label"> & { readonly head: { readonly name: string } };

/** The label of what stands in a skill's file: words of its owner, or of others where it was installed or made from theirs. */
export function labelOfSkill({ head, from, label }: LabelledSkill): Label {
  const sources = [sourceOfSkill(head.name)];
  const own: Label = { integrity: from === null ? "user" : "untrusted", secrecy: "public", sources };
  return label === undefined ? own : joinLabels(own, label);
}

/** Whether a text with this label may become a skill of the owner's own by their yes: no words of others, and nothing private, are in it. */
export function isOwnText({ integrity, secrecy }: Label): boolean {
  return integrity !== "untrusted" && secrecy === "public";
}

/** Whether all that stands in a skill's file counts as its owner's own words. */
export function isOwnSkill(skill: LabelledSkill): boolean {
  return isOwnText(labelOfSkill(skill));
}
