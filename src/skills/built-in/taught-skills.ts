import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const taughtSkills: BuiltInSkill = {
  ...everyTurn,
  name: "taught-skills",
  does: "loads the skills that the owner teaches, and judges what they do",
  commands: ["skill"],
  gates: ["skill-capabilities", "skill-narrowing", "taught-gates"],
  effects: [],
  cost: "the text of the skill that takes part",
  test: "src/skills/open-skills.test.ts › a file of prose, TypeScript and tests is found, checked, tested and in force, and is called in its jail",
};
