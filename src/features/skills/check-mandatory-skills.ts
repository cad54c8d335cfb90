import { skillsFolder } from "../../daemon/agent/resources/open-own-skills.ts";
import type { HealthCheck } from "../../health/health-check.ts";
import { loadPolicy } from "../../settings/policy.ts";
import type { StartContext } from "../../settings/start-context.ts";
import { findMissing } from "../../skills/find-missing-mandates.ts";
import { listSkillFiles } from "../../skills/skill-folder.ts";

/** Checks that the skills of `MANDATORY_SKILLS` are in force, by what was accepted and which files there are. Nothing is loaded or changed. */
export async function checkMandatorySkills({
  environment,
}: Pick<StartContext, "environment">): Promise<readonly HealthCheck[]> {
  const policy = loadPolicy(environment);
  const { mandatorySkills } = policy.config;
  if (mandatorySkills.length === 0 || policy.skillBook.fault() !== null) return [];
  const folder = skillsFolder(policy);
  const files = (await listSkillFiles(folder)).map(({ file }) => file);
  const missing = findMissing(mandatorySkills, { folder, files, accepted: policy.skillBook.all() });
  return missing.map(({ name, text }) => ({
    name: "skills",
    result: "bad",
    text: `the agent answers but does not act, since the mandatory skill ${name} is not in force: ${text}.`,
  }));
}
