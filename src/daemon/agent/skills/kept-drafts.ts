import { join } from "node:path";
import type { Policy } from "../../../settings/policy.ts";
import { draftsPlace } from "../../../skills/drafts/draft-file.ts";
import { listSkillFiles } from "../../../skills/skill-folder.ts";
import { skillsFolder } from "../resources/open-own-skills.ts";

type KeptDraft = { readonly name: string; readonly state: "draft"; readonly problem: string };

/** The skills that a model drafted and that wait for the owner's yes. */
export async function listDrafts(policy: Policy): Promise<readonly KeptDraft[]> {
  const files = await listSkillFiles(join(skillsFolder(policy), draftsPlace));
  return files.map(({ file }) => {
    const name = file.replace(/\.org$/, "");
    const problem = `A model wrote it, and it is not in force. To look at it and say yes: passepartout skill enable ${name}`;
    return { name, state: "draft", problem };
  });
}
