import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { usualMemory } from "../../../act/sandbox/jail-threads.ts";
import { sha256 } from "../../../machine/digest.ts";
import { describeSkill, describeTests } from "../../../shown/describe-skill.ts";
import { type Label, secrecyOf } from "../../../signal/label.ts";
import { builtInSkills } from "../../../skills/built-in/table.ts";
import { type CheckedSkill, checkSkill } from "../../../skills/check-skill.ts";
import { draftsPlace, markDraft } from "../../../skills/drafts/draft-file.ts";
import { draftOrder } from "../../../skills/drafts/draft-order.ts";
import { findDraftProblem, type KnownNames } from "../../../skills/drafts/find-draft-problem.ts";
import { readDraft } from "../../../skills/drafts/read-draft.ts";
import { firstFile } from "../../../skills/first-file.ts";
import { piecesOfSkill } from "../../../skills/pieces-of-skill.ts";
import { largestSkill, readSkillFile, skillName } from "../../../skills/read-skill-file.ts";
import { listSkillFiles, writeNewSkill } from "../../../skills/skill-folder.ts";
import { beginOf } from "../../../text/cut-text.ts";
import { escapeInvisible, quoteLines } from "../../../text/escape-invisible.ts";
import type { Loop } from "../../../turn/turn-loop.ts";
import type { CommandReply } from "../../commands/command-reply.ts";
import { askForText } from "../models/ask-for-text.ts";
import type { LoopResources } from "../resources/loop-resources.ts";
import { skillsFolder } from "../resources/open-own-skills.ts";
import { cutOffDraft, draftingJob } from "./drafting-job.ts";

/** What drafting needs. */
export type DraftSkillParts = Pick<
  LoopResources,
  "state" | "policy" | "skills" | "folderSkills" | "jails" | "clock"
> & { readonly loop: Loop };

/**
 * A name for a skill, and what it is for, in the owner's words, which have `label`. `session` is where they
 * said it: its model is asked.
 */
export type DraftRequest = {
  readonly name: string;
  readonly sentence: string;
  readonly session: string;
  readonly label: Label;
};

/** How often a model is asked: once, and again for each draft that was refused. */
const mostTries = 3;
const longestSentence = 2000;
/** What became of one try. The text is there where a file could be read from the answer. */
type Tried = {
  readonly text: string;
  readonly checked: CheckedSkill | null;
  readonly problem: string | null;
};

/** Has a model draft a skill from a sentence, tries it in the jail, and leaves it as a file that is not in force. Without a model it writes a first file. */
export async function draftSkill(parts: DraftSkillParts, request: DraftRequest): Promise<CommandReply> {
  const { policy, state } = parts;
  const { name, sentence, session } = request;
  const problem = await problemOf(parts, request);
  if (problem !== null) return { code: "not-done", text: `${problem} Nothing was written.` };
  const folder = skillsFolder(policy);
  if (policy.cascade().order.length === 0) {
    const path = await writeNewSkill(folder, `${name}.org`, firstFile(name));
    const text = `No model is set up, so ${path} is a first file to edit, and not what you described. Then: passepartout skill test ${name}`;
    return { code: "skill-first-file", text, data: { name, state: "first file", path, problem: null } };
  }
  const model = await state.chosenModels.of(session);
  const problems: string[] = [];
  let last: { readonly answer: string; readonly problem: string } | null = null;
  let tried: Tried | null = null;
  // A model writes it; the owner's sentence is a part of what it is made of.
  const label: Label = { ...secrecyOf([request.label]), integrity: "agent" };
  let made = label;
  while (problems.length < mostTries) {
    const text = draftOrder(request, last);
    const given = await askForText(parts, {
      job: draftingJob,
      tier: "reasoning",
      text,
      label,
      model,
      ownWords: true,
      ifCutOff: cutOffDraft(name),
    });
    if (!given.ok) {
      const why = `No draft of ${name} was made: ${given.reason}`;
      if (tried === null) return { code: given.code, text: `${why} Nothing was written.` };
      problems.push(why);
      break;
    }
    made = given.label;
    tried = await tryDraft(parts, name, given.text);
    if (tried.problem === null) break;
    problems.push(tried.problem);
    last = { answer: given.text, problem: tried.problem };
  }
  if (tried === null) throw new Error("A model was never asked.");
  const refused = tried.problem;
  const text = markDraft(tried.text, { name, sentence, problem: refused });
  const path = await writeNewSkill(join(folder, draftsPlace), `${name}.org`, text);
  await state.origins.keep([sha256(text), ...piecesOfSkill(`${name}.org`, tried.text).whole], made);
  return replyOf({ name, path, text: tried.text, checked: tried.checked, problems, refused });
}

/** Why nobody is asked at all; null where a model is. */
async function problemOf(
  { policy, skills, folderSkills }: DraftSkillParts,
  { name, sentence }: DraftRequest,
): Promise<string | null> {
  if (!skillName.test(name))
    return "The name of a skill has small letters, digits and hyphens, and begins with a letter.";
  if (builtInSkills.some((skill) => skill.name === name))
    return `${name} is the name of a built-in skill. Choose another one.`;
  const folder = skillsFolder(policy);
  const has = async (place: string) =>
    (await listSkillFiles(place)).some(({ file }) => file === `${name}.org`);
  if ((await has(folder)) || (await skills.list()).some((skill) => skill.name === name))
    return `There is a skill ${name} already. Choose another name.`;
  if ((await folderSkills.list(null)).some((skill) => skill.name === name))
    return `There is a skill ${name} with a SKILL.md already. Choose another name.`;
  if (await has(join(folder, draftsPlace)))
    return `There is a draft of ${name} already: ${join(folder, draftsPlace, `${name}.org`)}. Put it in force with passepartout skill enable ${name}, or remove that file.`;
  if (policy.filter(sentence) !== sentence)
    return "Your words hold a secret, which no model is told and no skill is given. Say it without.";
  if (sentence.trim() === "") return `Say in a sentence what the skill is for: /skill new ${name} SENTENCE`;
  return sentence.length > longestSentence
    ? `What the skill is for has more than ${longestSentence} characters. Say it in fewer.`
    : null;
}

/** Reads, loads and tests a draft. Nothing of it runs outside of the jail. */
async function tryDraft({ skills, jails }: DraftSkillParts, name: string, answer: string): Promise<Tried> {
  const file = `${name}.org`;
  const read = readDraft(answer, randomUUID());
  if (!read.ok) return { text: beginOf(answer, largestSkill), checked: null, problem: read.problem };
  const { text } = read;
  const checked = await checkSkill({ file, text }, () =>
    jails.take(usualMemory, new AbortController().signal),
  );
  const parsed = readSkillFile(file, text);
  if (!checked.ok || !parsed.ok)
    return { text, checked, problem: checked.ok ? "It cannot be read." : checked.problem };
  const draft = { head: checked.head, declared: checked.declared, code: parsed.code };
  return { text, checked, problem: findDraftProblem(draft, namesOf(skills.inForce())) };
}

function namesOf(inForce: ReturnType<LoopResources["skills"]["inForce"]>): KnownNames {
  const callable = builtInSkills.flatMap(({ tools }) => tools);
  const declared = inForce.map((skill) => skill.declared);
  return {
    callable: new Set(callable),
    tools: new Set([...callable, ...declared.flatMap(({ tools }) => tools.map(({ name }) => name))]),
    commands: new Set([
      ...builtInSkills.flatMap(({ commands }) => commands),
      ...declared.flatMap(({ commands }) => commands.map(({ name }) => name)),
    ]),
    skills: new Set(inForce.flatMap(({ head }) => [head.name, ...(head.id === null ? [] : [head.id])])),
  };
}

type Drafted = {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  readonly checked: CheckedSkill | null;
  readonly problems: readonly string[];
  /** Why the last draft was refused; null where it was not. */
  readonly refused: string | null;
};

/** The file, what it may do, how its tests went, and what to do next. */
function replyOf({ name, path, text, checked, problems, refused }: Drafted): CommandReply {
  const head = checked?.head ?? null;
  const declared = checked?.ok === true ? checked.declared : null;
  const tests = checked?.tests ?? [];
  const end =
    refused === null
      ? `The draft of ${name} is not in force. To put it in force: passepartout skill enable ${name}`
      : `The draft of ${name} was refused, and is not in force: ${escapeInvisible(refused)}\nMend ${path}, then: passepartout skill enable ${name}. Or remove that file.`;
  const lines = [
    ...(refused === null ? problems : problems.slice(0, -1)).map(
      (problem) => `An earlier draft was refused: ${escapeInvisible(problem)}`,
    ),
    `${path}:`,
    ...quoteLines(text),
    ...(head === null ? [] : describeSkill(head, declared)),
    ...describeTests(tests),
    end,
  ];
  const tries = problems.length + (refused === null ? 1 : 0);
  const data = { name, state: refused === null ? "draft" : "refused", path, problem: refused, tries };
  return { code: refused === null ? "skill-drafted" : "skill-draft-refused", text: lines.join("\n"), data };
}
