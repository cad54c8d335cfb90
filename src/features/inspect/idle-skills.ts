import { locateJailWorker } from "../../act/sandbox/jail.ts";
import { openJailThreads } from "../../act/sandbox/jail-threads.ts";
import {
  labelSkillText,
  type OwnSkills,
  openOwnSkills,
} from "../../daemon/agent/resources/open-own-skills.ts";
import { openPieceLabels } from "../../program/label-pieces.ts";
import type { Policy } from "../../settings/policy.ts";
import type { AcceptedSkill } from "../../signal/skill.ts";

/** The skills of the owner as the agent would have them now, to be asked in the jail. Nothing of it is kept. */
export async function openIdleSkills(
  policy: Policy,
  report: (problem: string) => void,
): Promise<OwnSkills & AsyncDisposable> {
  const jails = openJailThreads(locateJailWorker());
  const skills = openOwnSkills({
    policy: { config: policy.config, skillBook: readOnly(policy.skillBook) },
    jails,
    labelPieces: openPieceLabels(policy),
    labelText: labelSkillText(policy, null),
    report,
    keepFailure: async () => undefined,
  });
  await skills.refresh();
  return {
    ...skills,
    async [Symbol.asyncDispose]() {
      await skills[Symbol.asyncDispose]();
      await jails[Symbol.asyncDispose]();
    },
  };
}

/** The book of accepted skills, which forgets what is put into it. */
function readOnly(book: Policy["skillBook"]): Policy["skillBook"] {
  const kept = new Map<string, AcceptedSkill>();
  return {
    ...book,
    all: () => [...book.all().filter(({ head }) => !kept.has(head.name)), ...kept.values()],
    keep: (skill) => void kept.set(skill.head.name, skill),
    keepFolder: () => undefined,
    drop: () => undefined,
  };
}
