import type { BuiltInSkill } from "./built-in-skill.ts";
import { skillsWithTools } from "./skills-with-tools.ts";
import { skillsWithoutTools } from "./skills-without-tools.ts";

/** The skills of the program itself. */
export const builtInSkills: readonly BuiltInSkill[] = [...skillsWithoutTools, ...skillsWithTools];
