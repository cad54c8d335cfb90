import * as z from "zod";
import type { Effect } from "../signal/effect.ts";
import type { Facts } from "../signal/facts.ts";
import type { CallSkill, JailReply } from "../signal/jail-work.ts";
import type { AcceptedSkill, SkillGate, TaughtObjection } from "../signal/skill.ts";
import { pushAll } from "../text/lists.ts";
import { describeReply } from "./check-skill.ts";
import { labelOfMade } from "./find-triggered.ts";
import type { SkillSet } from "./settle-skills.ts";

/** A gate ends after so many instructions, at the same place on every machine; the time is only for what does not count them. An answer that is late blocks. */
const limits = { milliseconds: 2000, maxCharacters: 4000, interrupts: 100 };

const reason = z.string().min(1).max(500);
const answerSchema = z.union([z.null(), z.strictObject({ ask: reason }), z.strictObject({ block: reason })]);

/** Asks the gates of skills about the effects that they guard. They can only object. What fails, or cannot be loaded, blocks. */
export async function askGates(
  { inForce, lostGates }: Pick<SkillSet, "inForce" | "lostGates">,
  call: CallSkill,
  { effects, facts }: { readonly effects: readonly Effect[]; readonly facts: Facts },
): Promise<readonly TaughtObjection[]> {
  const objections: TaughtObjection[] = lostGates.flatMap(({ skill, effects: kinds, reason: why }) =>
    effects.flatMap(({ kind }, effectIndex) =>
      kinds.includes(kind)
        ? [
            {
              skill,
              gate: "missing",
              effectIndex,
              result: "block" as const,
              reason: why,
              unanswered: true as const,
            },
          ]
        : [],
    ),
  );
  for (const skill of inForce) pushAll(objections, await askSkill({ skill, call }, effects, facts));
  return objections;
}

type Asking = { readonly skill: AcceptedSkill; readonly call: CallSkill };

/** Once a gate broke a limit, its skill is asked no more about this action, which is blocked: so a skill delays a verdict by one limit, whatever it guards. */
async function askSkill(
  { skill, call }: Asking,
  effects: readonly Effect[],
  facts: Facts,
): Promise<readonly TaughtObjection[]> {
  const objections: TaughtObjection[] = [];
  let spent: JailReply | null = null;
  for (const gate of skill.declared.gates)
    for (const [effectIndex, effect] of effects.entries()) {
      if (!gate.effects.includes(effect.kind)) continue;
      const reply: JailReply = spent ?? (await askGate({ skill, gate, call }, effect, facts));
      if (!reply.ok && (reply.code === "time-limit" || reply.code === "memory-limit")) spent = reply;
      const objection = objectionOf(skill, { gate, effect }, reply);
      if (objection !== null) objections.push({ ...objection, effectIndex });
    }
  return objections;
}

/** What is wrong with any other answer. */
export const wrongAnswer = "it gave an answer that is neither null (no objection), { ask } nor { block }";

async function askGate(
  { skill, gate, call }: Asking & { readonly gate: SkillGate },
  effect: Effect,
  { action, origin, folders }: Facts,
): Promise<JailReply> {
  const { person, source, startedBy } = origin;
  const about = { tool: action.tool, person, source, startedBy, workspace: folders.workspace };
  const values = JSON.stringify([effect, about]);
  const path = ["gates", gate.name, "answer"];
  return await call(skill, { path, values, limits, label: effect.label }, new AbortController().signal);
}

function objectionOf(
  skill: AcceptedSkill,
  { gate, effect }: { readonly gate: SkillGate; readonly effect: Effect },
  reply: JailReply,
): Omit<TaughtObjection, "effectIndex"> | null {
  const named = { skill: skill.head.name, gate: gate.name, label: labelOfMade(skill, effect) };
  const answer = reply.ok ? readGateAnswer(reply.json) : undefined;
  if (answer === undefined)
    return { ...named, result: "block", reason: describeFailure(skill, reply), unanswered: true };
  if (answer === null) return null;
  return "block" in answer
    ? { ...named, result: "block", reason: answer.block }
    : { ...named, result: "ask", reason: answer.ask };
}

/** The answer of a gate: null, an ask or a block; undefined for anything else, and for none. */
export function readGateAnswer(json: string): z.infer<typeof answerSchema> | undefined {
  if (json === "" || json.length > limits.maxCharacters) return undefined;
  const parsed = answerSchema.safeParse(JSON.parse(json));
  return parsed.success ? parsed.data : undefined;
}

function describeFailure({ head }: AcceptedSkill, reply: JailReply): string {
  const why = reply.ok ? wrongAnswer : describeReply(reply);
  return `a gate that does not answer blocks: ${why}. Mend ${head.name}.org, or: passepartout skill disable ${head.name}`;
}
