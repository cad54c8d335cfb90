import { builtInSkills } from "../../../skills/built-in/table.ts";
import type { LookUpParts } from "../../commands/look-up.ts";
import { listSkillsOf } from "../resources/folder-skills.ts";
import type { LoopResources } from "../resources/loop-resources.ts";

/** Milliseconds for all providers together. */
const patience = 30_000;

/** What the commands that list skills and models look up. */
export function listedAbilities(
  resources: LoopResources,
): Pick<LookUpParts, "listSkills" | "inspectSkill" | "builtInSkills" | "offeredModels"> {
  return {
    async listSkills(session) {
      const { listDrafts } = await import("./kept-drafts.ts");
      return [...(await listSkillsOf(resources, session)), ...(await listDrafts(resources.policy))];
    },
    inspectSkill: async (command, session) =>
      (await import("./inspect-skill.ts")).inspectSkill(resources, command, session),
    builtInSkills: builtInSkills.length,
    async offeredModels() {
      const { exploreCascade } = await import("../../../reason/providers/explore-models.ts");
      const { words } = await exploreCascade(resources.policy.config, AbortSignal.timeout(patience));
      return words;
    },
  };
}
