import type { State } from "../../../memory/state/state.ts";
import type { Policy } from "../../../settings/policy.ts";
import { isJobSignal, type Signal } from "../../../signal/signal.ts";
import { subTaskOf } from "../../../signal/sub-task.ts";
import { type LostRight, type Turn, unlinkedCode } from "../../../signal/turn.ts";
import type { OwnSkills } from "./open-own-skills.ts";

/** What finding a lost right needs. */
type LostRightParts = {
  readonly policy: Pick<Policy, "chatLinks">;
  readonly state: Pick<State, "chats" | "jobs" | "turns">;
  readonly skills: Pick<OwnSkills, "refresh" | "inForce">;
};

/** The code of a turn of a job whose skill is not in force any more. */
const skillGoneCode = "skill-gone";

/**
 * Finds what its owner took away since, on which a turn stands: the link of the chat in which it was said, or
 * the skill that brings its job. Looked up anew each time, for a sub-task by the turn that began it.
 */
export function makeFindLostRight({ policy, state, skills }: LostRightParts) {
  return async (turn: Pick<Turn, "session" | "signal">): Promise<LostRight | null> => {
    const subTask = subTaskOf(turn.signal);
    const begun = subTask === null ? turn : await state.turns.get(subTask.root);
    if (begun === null) return null;
    if (!(await isLinked(begun.signal)))
      return {
        code: unlinkedCode,
        reason: `The chat of ${begun.signal.source} in which this was said is not linked any more`,
      };
    const skill = await lostSkill(begun);
    return skill === null
      ? null
      : {
          code: skillGoneCode,
          reason: `The skill ${skill}, which brings this job, is not in force any more (see: passepartout skill list)`,
        };
  };

  async function isLinked({ sensor, person, source, session, payload }: Signal): Promise<boolean> {
    if (sensor !== "chat-message" || person !== "owner") return true;
    const links = policy.chatLinks
      .all()
      .filter(({ service, sender }) => service === source && sender === payload["sender"]);
    if (links.some(({ chat }) => chat === payload["chat"])) return true;
    // A group that has another id since keeps its session.
    for (const { chat } of links)
      if ((await state.chats.marks.get(source, `session:${chat}`)) === session) return true;
    return false;
  }

  /** The skill that brings the job of a run, where it is not in force. */
  async function lostSkill({ session, signal }: Pick<Turn, "session" | "signal">): Promise<string | null> {
    if (!isJobSignal(signal)) return null;
    const work = (await state.jobs.ofSession(session))?.work;
    if (work?.kind !== "words" || work.skill === undefined) return null;
    await skills.refresh();
    const isThere = skills.inForce().some(({ head }) => head.name === work.skill);
    return isThere ? null : work.skill;
  }
}
