import type { CallSkill } from "../../../signal/jail-work.ts";
import { limitsOfSkill } from "../../../signal/skill-limits.ts";

/** Calls functions of skills for a turn, within the time that a skill may compute in it. */
export type SkillMeter = (turn: string) => CallSkill;

/** Turns of which the time is known; the oldest go first. */
const mostTurns = 64;

/** Holds skills to their time. It is counted in this process: what a former one computed is past. */
export function meterSkills(call: CallSkill, clock: () => number = () => performance.now()): SkillMeter {
  const used = new Map<string, Map<string, number>>();
  const timesIn = (turn: string): Map<string, number> => {
    const times = used.get(turn) ?? new Map<string, number>();
    used.delete(turn);
    used.set(turn, times);
    for (const [oldest] of used) if (used.size > mostTurns) used.delete(oldest);
    return times;
  };
  return (turn) => async (skill, wanted, cancel) => {
    const { name } = skill.head;
    const { seconds } = limitsOfSkill(skill.head);
    const times = timesIn(turn);
    const left = seconds * 1000 - (times.get(name) ?? 0);
    if (left <= 0) {
      const message = `it computed for ${seconds} s in this turn, which is as long as it may (#+SECONDS: of its file says that)`;
      return { ok: false, code: "jail-failed", message, logs: [] };
    }
    const begun = clock();
    const milliseconds = Math.ceil(Math.min(wanted.limits.milliseconds, left));
    const reply = await call(skill, { ...wanted, limits: { ...wanted.limits, milliseconds } }, cancel);
    times.set(name, (times.get(name) ?? 0) + clock() - begun);
    return reply;
  };
}
