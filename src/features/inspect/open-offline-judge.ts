import { existsSync, realpathSync } from "node:fs";
import { findSandbox } from "../../act/sandbox/bubblewrap.ts";
import { loadPolicy } from "../../settings/policy.ts";
import type { StartContext } from "../../settings/start-context.ts";
import type { Action } from "../../signal/action.ts";
import type { Effect } from "../../signal/effect.ts";
import type { Facts } from "../../signal/facts.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { TaughtObjection } from "../../signal/skill.ts";
import type { Verdict } from "../../signal/verdict.ts";
import { openIdleSkills } from "./idle-skills.ts";
import { assembleIdleTools } from "./idle-tools.ts";

/** The verdict on one action as `passepartout judge` prints it. */
export type JudgedAction = {
  readonly verdict: Verdict["decision"];
  readonly reason: string;
  readonly effects: readonly Effect[];
  readonly trace: Verdict["trace"];
  /** What gates of skills object to, whatever else does; left out where they object to nothing. */
  readonly objections?: readonly Pick<TaughtObjection, "skill" | "gate" | "result" | "reason">[];
};

/** The judge alone: nothing is run, looked up or kept. */
export type OfflineJudge = AsyncDisposable & {
  readonly judge: (action: Action) => Promise<JudgedAction>;
};

/** Opens the judge for a workspace, which need not exist; null means no workspace. With `report`, the gates of the owner's skills are asked too, in the jail, and what is wrong with a skill is reported. */
export async function openOfflineJudge(
  start: StartContext,
  folder: string | null,
  report: ((problem: string) => void) | null = null,
): Promise<OfflineJudge> {
  const policy = loadPolicy(start.environment);
  const skills = report === null ? null : await openIdleSkills(policy, report);
  const { acting } = assembleIdleTools(policy, await findSandbox(), skills === null ? {} : { skills });
  const workspace = folder !== null && existsSync(folder) ? realpathSync(folder) : folder;
  return {
    async judge(action) {
      const prepared = await acting.prepare(
        action,
        {
          turn: "judge",
          session: "judge",
          person: "owner",
          source: "cli",
          startedBy: "person",
          workspace,
          known: new Map(),
          promptLabel: bottomLabel,
        },
        [],
      );
      if (!prepared.ok) return { verdict: "block", reason: prepared.message, effects: [], trace: [] };
      const { decision, reason, trace } = policy.judge(prepared.effects, prepared.facts);
      const objections = objectionsIn(prepared.facts);
      const known = objections.length === 0 ? {} : { objections };
      return { verdict: decision, reason, effects: prepared.effects, trace, ...known };
    },
    [Symbol.asyncDispose]: async () => skills?.[Symbol.asyncDispose](),
  };
}

/** Each gate that objects, once, as it objects to the first effect. */
function objectionsIn({ taught = [] }: Facts): NonNullable<JudgedAction["objections"]> {
  const first = new Map(taught.toReversed().map((one) => [JSON.stringify([one.skill, one.gate]), one]));
  return [...first.values()].map(({ skill, gate, result, reason }) => ({ skill, gate, result, reason }));
}
