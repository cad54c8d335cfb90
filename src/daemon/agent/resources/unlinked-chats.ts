import type { State } from "../../../memory/state/state.ts";
import type { Policy } from "../../../settings/policy.ts";
import type { Signal } from "../../../signal/signal.ts";
import { subTaskOf } from "../../../signal/sub-task.ts";
import type { Turn } from "../../../signal/turn.ts";

/** What knowing whether a chat is linked needs. */
type UnlinkedChatsParts = {
  readonly policy: Pick<Policy, "chatLinks">;
  readonly state: Pick<State, "chats" | "turns">;
};

/**
 * Tells whether what a turn works for was said in a chat whose link its owner took away since: then it is a
 * stranger's. Looked up anew each time, for a sub-task by the turn that began it.
 */
export function makeIsUnlinked({ policy, state }: UnlinkedChatsParts) {
  return async (turn: Pick<Turn, "signal">): Promise<boolean> => {
    const subTask = subTaskOf(turn.signal);
    const begun = subTask === null ? turn : await state.turns.get(subTask.root);
    return begun !== null && !(await isLinked(begun.signal));
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
}
