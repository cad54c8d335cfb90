import { rmSync } from "node:fs";
import { join } from "node:path";
import { sessionNameOf } from "../../daemon/agent/resources/cap-of-job.ts";
import { draftingJob } from "../../daemon/agent/skills/drafting-job.ts";
import type { JailPort } from "../../signal/jail-work.ts";
import type { Label } from "../../signal/label.ts";
import type { AcceptedSkill } from "../../signal/skill.ts";
import { type CheckedSkill, checkSkill } from "../../skills/check-skill.ts";
import { draftsPlace, unmarkDraft } from "../../skills/drafts/draft-file.ts";
import type { Skills } from "../../skills/open-skills.ts";
import { listSkillFiles, readSkillText, writeNewSkill } from "../../skills/skill-folder.ts";

/** A file that was checked, and what puts exactly its text in force. */
export type CheckedFile = {
  readonly text: string;
  readonly checked: CheckedSkill;
  /** The label of what it was made from; undefined where all of it counts as its owner's own. */
  readonly label: Label | undefined;
  /** The version that the owner accepted before; null where there is none. */
  readonly before: AcceptedSkill | null;
  readonly install: (how?: { readonly mine: boolean }) => Promise<CheckedSkill>;
};

/** The drafts of skills, none of which is in force. */
export type SkillDrafts = {
  readonly drafts: () => Promise<readonly { readonly name: string; readonly path: string }[]>;
  /** Reads and checks a draft; null where there is none. `install` makes exactly this text a file of the owner's own and puts it in force; it throws where there is a skill of this name. */
  readonly draft: (name: string) => Promise<CheckedFile | null>;
};

/** The session in which a model drafts. */
export const draftingSession = sessionNameOf(draftingJob);

/** Opens the drafts in a folder of skills. */
export function openSkillDrafts(
  folder: string,
  skills: Pick<Skills, "labelOf" | "accept">,
  openJail: () => Promise<JailPort>,
): SkillDrafts {
  const place = join(folder, draftsPlace);
  return {
    drafts: async () =>
      (await listSkillFiles(place)).map(({ file }) => ({
        name: file.replace(/\.org$/, ""),
        path: join(place, file),
      })),
    async draft(name) {
      const file = `${name}.org`;
      if (!(await listSkillFiles(place)).some((one) => one.file === file)) return null;
      const text = await readSkillText(place, file);
      return {
        text,
        checked: await checkSkill({ file, text }, openJail),
        label: await skills.labelOf(file, text),
        before: null,
        async install(how) {
          const own = unmarkDraft(text);
          await writeNewSkill(folder, file, own);
          rmSync(join(place, file), { force: true });
          return await skills.accept(name, { text: own, from: null, mine: how?.mine ?? false });
        },
      };
    },
  };
}
