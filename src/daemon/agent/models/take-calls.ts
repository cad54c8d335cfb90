import { digestOf } from "../../../machine/digest.ts";
import type { CallCap } from "../../../memory/state/counted-calls.ts";
import type { State } from "../../../memory/state/state.ts";
import type { Call } from "../../../signal/action.ts";
import { describeUsedUp } from "../../../signal/jobs/call-caps.ts";
import { isJobSignal } from "../../../signal/signal.ts";
import type { AcceptedSkill, SkillOrigin } from "../../../signal/skill.ts";
import { limitsOfSkill } from "../../../signal/skill-limits.ts";
import { subTaskOf } from "../../../signal/sub-task.ts";
import type { Turn } from "../../../signal/turn.ts";
import { countOf } from "../../../text/count-of.ts";
import type { TakeCalls } from "../../../turn/take-calls.ts";
import { capOfJob } from "../resources/cap-of-job.ts";

/** What counting the calls of tools needs. */
export type TakeCallsParts = {
  readonly state: Pick<State, "countedCalls" | "jobs" | "turns">;
  readonly skills: { readonly inForce: () => readonly AcceptedSkill[] };
};

type Cap = CallCap & { readonly reason: string };

/** Counts the calls of tools where something limits them. A sub-task draws from what the turn has that began it. */
export function makeTakeCalls({ state, skills }: TakeCallsParts): TakeCalls {
  return async (turn, { call, prepared }) => {
    const subTask = subTaskOf(turn.signal);
    const begun = {
      session: subTask?.rootSession ?? turn.session,
      turn: subTask?.root ?? turn.id,
    };
    const { skill } = prepared.facts.action;
    // A further round of a call is no further call of the job: what it calls is.
    const weight = Math.max(turn.rounds?.call === call.id ? 0 : 1, skill?.calls.length ?? 0);
    const caps = [
      ...(subTask !== null || isJobSignal(turn.signal) ? await capsOfJob(state, begun, weight) : []),
      ...(skill === undefined ? [] : capsOfSkill(skills.inForce(), skill)),
    ];
    if (caps.length === 0) return null;
    const full = await state.countedCalls.take(caps, { root: begun.turn, call: placeOf(turn, call) });
    return full?.reason ?? null;
  };
}

/** A model may use an id again, so a call is known by its place in the turn, by its round, and by what it is: all are the same after a crash. */
function placeOf({ id, messages, rounds }: Turn, call: Call): string {
  const round = rounds?.call === call.id ? `/${rounds.done.length}` : "";
  return `${id}/${messages.length}/${digestOf([JSON.stringify(call)])}${round}`;
}

async function capsOfJob(
  state: Pick<State, "jobs" | "turns">,
  begun: { readonly session: string; readonly turn: string },
  weight: number,
): Promise<readonly Cap[]> {
  const { run = null, calls } = (await capOfJob(state, begun)) ?? {};
  const most = calls?.tools ?? null;
  if (run === null || most === null || weight === 0) return [];
  return [{ holder: "job", most, weight, reason: describeUsedUp(run, "tools", most) }];
}

function capsOfSkill(
  inForce: readonly AcceptedSkill[],
  { name, calls: { length: weight } }: SkillOrigin,
): readonly Cap[] {
  const skill = inForce.find(({ head }) => head.name === name);
  if (skill === undefined || weight === 0) return [];
  const { calls: most } = limitsOfSkill(skill.head);
  const reason = `The skill ${name} may make ${countOf(most, "call")} of tools in a turn, and this would be more. #+TOOL_CALLS: of its file says how many.`;
  return [{ holder: `skill ${name}`, most, weight, reason }];
}
