import type { Label } from "./label.ts";
import type { AcceptedSkill } from "./skill.ts";

/** The label of what stands in a skill's file: words of its owner, or of others where it was installed. */
export function labelOfSkill({ head, from }: Pick<AcceptedSkill, "head" | "from">): Label {
  const sources = [{ id: `skill:${head.name}`, path: "" }];
  return { integrity: from === null ? "user" : "untrusted", secrecy: "public", sources };
}
