import type { Feature } from "../../kernel/feature.ts";

/** Skills: read, accepted, drafted and repaired. */
export const skillsFeature: Feature = {
  commands: [
    {
      name: "skill",
      group: "Set up",
      spec: async () => (await import("./command-specs.ts")).skillSpec,
      load: async () => (await import("./skill.ts")).skillCommand,
    },
  ],
};

/** Checks that the skills that must be in force are. */
export async function loadSkillCheck() {
  return (await import("./check-mandatory-skills.ts")).checkMandatorySkills;
}
