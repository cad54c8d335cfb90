import { usualMemory } from "../../../act/sandbox/jail-threads.ts";
import { sha256 } from "../../../machine/digest.ts";
import { wholeDiff } from "../../../signal/file-diff.ts";
import { bottomLabel, joinLabels, type Label } from "../../../signal/label.ts";
import { labelOfSkill } from "../../../signal/label-of-skill.ts";
import type { SkillFailure } from "../../../signal/skill-failure.ts";
import type { Loop } from "../../../turn/turn-loop.ts";
import type { UpkeepJob } from "../../jobs/upkeep-jobs.ts";
import { askForText, type GivenText } from "../models/ask-for-text.ts";
import type { LoopResources } from "../resources/loop-resources.ts";
import { skillsFolder } from "../resources/open-own-skills.ts";
import { countProposed, describeProposed, type ProposeOutcome } from "../review/new-proposal.ts";
import type { ReviewInbox } from "../review/review-inbox.ts";

/** The parts that self-repair needs. `loopOf` gives the loop, whose turns ask a model. */
export type SelfRepairParts = Pick<LoopResources, "state" | "policy" | "skills" | "jails" | "clock"> & {
  readonly review: Pick<ReviewInbox, "propose" | "isKnown">;
  readonly loopOf: () => Loop;
};

/** A failing skill with the description of its failure. */
type Diagnosis = {
  readonly skill: string;
  readonly digest: string | null;
  readonly where: string;
  readonly words: string;
  readonly failure: SkillFailure | null;
  /** The label of the skill's file. */
  readonly label: Label;
};

/** A tested fix with its version of the file, or the reason why there is none. */
type Fix =
  | {
      readonly ok: true;
      readonly text: string;
      readonly diff: string;
      readonly words: string;
      readonly label: Label;
    }
  | { readonly ok: false; readonly words: string };

/** The failures of a function after which its skill is diagnosed. */
const often = 3;
/** The label of a diagnosis: it quotes the file of the skill and the input that failed. */
function labelOf({ label, failure }: Pick<Diagnosis, "label" | "failure">): Label {
  return joinLabels(label, { ...bottomLabel, integrity: "agent" }, failure?.label ?? bottomLabel);
}

/** Diagnoses failing skills and proposes tested fixes; it changes nothing by itself. If nothing failed, it reads nothing and asks no model. */
export function makeSelfRepair(parts: SelfRepairParts): UpkeepJob {
  const looked = new Set<string>();
  return {
    name: "self-repair",
    does: "looks at skills that fail, and proposes a fix that was tried in the jail",
    mayAskModel: true,
    work: async () => {
      const fresh = (await diagnose(parts)).filter((one) => !looked.has(keyOf(one)));
      if (fresh.length === 0) return null;
      for (const one of fresh) looked.add(keyOf(one));
      const outcomes = (await Promise.all(fresh.map((one) => repair(parts, one)))).flat();
      const count = countProposed(outcomes);
      return describeProposed(count === 0 ? null : `${count} proposed for review.org`, outcomes);
    },
  };
}

function keyOf({ skill, digest, where, words }: Diagnosis): string {
  return JSON.stringify([skill, digest, where, digest === null ? words : ""]);
}

/** Diagnoses the functions that failed often enough, and the skills whose tests fail. */
async function diagnose({ skills, state }: SelfRepairParts): Promise<readonly Diagnosis[]> {
  const inForce = new Map(skills.inForce().map((skill) => [skill.digest, labelOfSkill(skill)]));
  const failing = (await state.skillTroubles.failures()).flatMap((failure): readonly Diagnosis[] => {
    const { skill, digest, count, message, input } = failure;
    const label = inForce.get(digest);
    if (label === undefined || count < often) return [];
    const where = failure.where.join(".");
    const given = input === null ? "Its input is private or too long to be kept." : `Its input was ${input}`;
    const words = `${where} failed ${count} times. It said: ${message}\n${given}`;
    return [{ skill, digest, where, failure, label, words }];
  });
  const broken = skills.listed().flatMap(({ name, tests, problem, label }): readonly Diagnosis[] => {
    const test = tests.find((one) => one.problem !== null);
    if (test === undefined) return [];
    return [
      {
        skill: name,
        digest: null,
        where: `the test ${test.name}`,
        failure: null,
        label,
        words: problem ?? "",
      },
    ];
  });
  return [...failing, ...broken];
}

async function repair(parts: SelfRepairParts, diagnosis: Diagnosis): Promise<readonly ProposeOutcome[]> {
  // A diagnosis asks a model, so one that the owner has seen is not paid for again.
  if (await parts.review.isKnown("self-repair", keyOf(diagnosis))) return [];
  const { readSkillText } = await import("../../../skills/skill-folder.ts");
  const file = `${diagnosis.skill}.org`;
  const text = await readSkillText(skillsFolder(parts.policy), file);
  // The file has changed since: this version did not fail.
  if (diagnosis.digest !== null && sha256(text) !== diagnosis.digest) return [];
  const fix = await findFix(parts, diagnosis, { file, text });
  if (await isForgotten(parts, diagnosis)) return [];
  const label = fix.ok ? fix.label : labelOf(diagnosis);
  if (fix.ok) {
    const { newPieces } = await import("../../../skills/label-of-version.ts");
    // A copy of any part of it keeps the label.
    await parts.state.origins.keep(newPieces(file, text, fix.text), label);
    await parts.state.skillTroubles.keepFix(diagnosis.skill, {
      before: sha256(text),
      after: fix.text,
      label,
    });
  }
  return parts.review.propose("self-repair", [
    {
      key: keyOf(diagnosis),
      title: `The skill ${diagnosis.skill} fails: ${diagnosis.where}`,
      why: `${diagnosis.words}\n${fix.words}`,
      source: file,
      label,
      change: {
        kind: "none",
        next: fix.ok
          ? `passepartout skill fix ${diagnosis.skill} shows this fix once more and puts it in force after your yes:\n${fix.diff}`
          : `Mend ${file}, or: passepartout skill disable ${diagnosis.skill}`,
      },
    },
  ]);
}

/** Whether the owner forgot the input that failed while a model looked for a fix. */
async function isForgotten({ state }: SelfRepairParts, { digest, failure }: Diagnosis): Promise<boolean> {
  if (failure === null) return false;
  const where = failure.where.join(".");
  const kept = await state.skillTroubles.failures();
  return !kept.some((one) => one.digest === digest && one.where.join(".") === where);
}

type SkillText = { readonly file: string; readonly text: string };

/** Asks a model for a fix and tests it. Without a model there is no fix. */
async function findFix(parts: SelfRepairParts, diagnosis: Diagnosis, skill: SkillText): Promise<Fix> {
  if (diagnosis.failure?.where[0] === "gates")
    return { ok: false, words: "A gate is mended by you alone, so no model was asked." };
  const answer = await askModel(parts, diagnosis, skill);
  if (answer === null || !answer.ok) return { ok: false, words: "No model proposed a fix." };
  const { readFix } = await import("../../../skills/repair/read-fix.ts");
  const { proveFix, withTestFor } = await import("../../../skills/repair/prove-fix.ts");
  const { recordedObjections } = await import("./recorded-objections.ts");
  const read = readFix(answer.text, skill);
  if (!read.ok) return { ok: false, words: `A fix was refused: ${read.problem}` };
  const { failure } = diagnosis;
  const after = (failure === null ? null : withTestFor(read.text, failure)) ?? read.text;
  const proved = await proveFix({
    file: skill.file,
    before: skill.text,
    after,
    failure,
    objections: await recordedObjections(parts.state.journal, diagnosis.skill),
    openJail: () => parts.jails.take(usualMemory, new AbortController().signal),
  });
  if (!proved.ok) return { ok: false, words: `A fix was refused: ${proved.problem}` };
  const diff = wholeDiff(Buffer.from(skill.text), Buffer.from(after)) ?? "";
  const words = `A fix passed ${proved.tests} tests in the jail, and objects to all ${proved.objections} acts that the gates of the skill objected to before.`;
  return { ok: true, text: after, diff, words, label: answer.label };
}

const order = `A skill of this agent fails. Mend its code and nothing else: keep its keywords, its prompt, its gates and each of its tests as they are. Call no tool. Answer with one unified diff of the file in a block \`\`\`diff.`;

async function askModel(
  { state, policy, loopOf, clock }: SelfRepairParts,
  diagnosis: Diagnosis,
  { file, text }: SkillText,
): Promise<GivenText | null> {
  if (policy.cascade().order.length === 0) return null;
  const said = `${order}\n\n${diagnosis.words}\n\n${file}:\n${text}`;
  return askForText(
    { state, loop: loopOf(), clock },
    { job: "self-repair", tier: "reasoning", text: said, label: labelOf(diagnosis) },
  );
}
