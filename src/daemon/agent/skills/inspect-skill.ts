import type { InspectSkill } from "../../../perceive/draft-skill-command.ts";
import { describeFolderSkill } from "../../../shown/describe-folder-skill.ts";
import {
  describeBuiltIn,
  describeCheck,
  describeListed,
  problemBeneath,
} from "../../../shown/describe-listed-skill.ts";
import { builtInSkills } from "../../../skills/built-in/table.ts";
import { describeError } from "../../../text/describe-error.ts";
import type { CommandReply } from "../../commands/command-reply.ts";
import type { LoopResources } from "../resources/loop-resources.ts";
import { listDrafts } from "./kept-drafts.ts";

type InspectParts = Pick<LoopResources, "skills" | "folderSkills" | "policy" | "state">;

/** Shows a skill, or runs its tests, in a conversation as the command line does. */
export async function inspectSkill(
  parts: InspectParts,
  { verb, name }: Pick<InspectSkill, "verb" | "name">,
  session: string,
): Promise<CommandReply> {
  const { filter } = parts.policy;
  const draft = (await listDrafts(parts.policy)).find((each) => each.name === name);
  if (draft !== undefined) return { code: "skill", text: filter(`${name}: draft. ${draft.problem}`) };
  const text = await (verb === "test" ? testWords(parts, name) : showWords(parts, name, session));
  return text === null
    ? { code: "not-done", text: filter(`There is no skill ${name}. /skill lists them.`) }
    : { code: "skill", text: filter(text) };
}

async function showWords(
  { skills, folderSkills, policy, state }: InspectParts,
  name: string,
  session: string,
) {
  const builtIn = builtInSkills.find((skill) => skill.name === name);
  if (builtIn !== undefined) {
    const word = policy.skillBook.all().find(({ head }) => head.name === name);
    return describeBuiltIn(builtIn, word?.enabled ?? true);
  }
  const own = (await skills.list()).find((skill) => skill.name === name);
  if (own !== undefined) return describeListed(own);
  const workspace = (await state.sessions.get(session))?.workspace ?? null;
  const folder = (await folderSkills.list(workspace)).find((skill) => skill.name === name);
  if (folder === undefined) return null;
  return [
    `${folder.name}: ${folder.state}${problemBeneath(folder)}`,
    ...(folder.skill === null ? [] : describeFolderSkill(folder.skill)),
  ].join("\n");
}

async function testWords({ skills }: Pick<InspectParts, "skills">, name: string): Promise<string | null> {
  const own = (await skills.list()).map((skill) => skill.name);
  if (name === "" && own.length === 0) return "You taught no skill yet, so there is nothing to test.";
  if (name !== "" && !own.includes(name)) return null;
  const lines: string[] = [];
  for (const each of name === "" ? own : [name]) {
    try {
      lines.push(describeCheck(each, await skills.check(each)));
    } catch (error) {
      lines.push(`${each.padEnd(20)} ${describeError(error)}`);
    }
  }
  return lines.join("\n");
}
