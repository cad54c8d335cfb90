import type { State } from "../memory/state/state.ts";
import type { Message } from "../signal/message.ts";
import { pastesOf } from "../signal/signal.ts";
import { joinedCode, type Turn } from "../signal/turn.ts";
import type { ClientPorts, StepPorts } from "./step-ports.ts";
import type { TurnQueue } from "./turn-queue.ts";
import { isSteering, type UnreadWordsParts } from "./unread-words.ts";

/** What giving a running turn the words that steer it needs. */
export type JoinWordsParts = StepPorts &
  ClientPorts &
  Pick<UnreadWordsParts, "isCommand"> & {
    readonly state: Pick<State, "turns" | "commit">;
    readonly queue: Pick<TurnQueue, "waitingIn">;
    /**
     * Whether the models of a turn under way would get these words as they are. Words about which the owner
     * is asked first are a turn of their own, as commands are.
     */
    readonly maySteer: (steering: Turn, turn: Turn) => Promise<boolean>;
  };

/**
 * Gives a turn under way the owner's words that were said to steer it: each was accepted as a turn that waits, and ends with this step. Words that come
 * too late for it stay a turn of their own, so none is lost.
 */
export async function joinWords(parts: JoinWordsParts, turn: Turn): Promise<Turn> {
  // The first step asks about the words of the turn alone.
  if (turn.signal.person !== "owner" || turn.messages.every(isSaidAtFirst)) return turn;
  const joined: Turn[] = [];
  for (const id of parts.queue.waitingIn(turn.session)) {
    const waiting = await parts.state.turns.get(id);
    if (waiting === null || !isSteering(waiting) || parts.isCommand(waiting)) continue;
    if (await parts.maySteer(waiting, turn)) joined.push(waiting);
  }
  if (joined.length === 0) return turn;
  const at = parts.clock();
  const words = joined.flatMap(({ signal, messages }) =>
    messages.flatMap((message) => asSteering(message, pastesOf(signal))),
  );
  const next: Turn = { ...turn, messages: [...turn.messages, ...words], updatedAt: at };
  const ended = joined.map(
    (one): Turn => ({ ...one, state: "answered", code: joinedCode, messages: [], updatedAt: at }),
  );
  await parts.state.commit({ turn: next, joins: ended, durability: "deferred" });
  for (const { id, session } of ended)
    parts.emit({ type: "answered", session, turn: id, text: "", code: joinedCode });
  return next;
}

/** The words that a turn begins with, and the files that came with them. */
function isSaidAtFirst({ role }: Message): boolean {
  return role === "user" || role === "attachment";
}

function asSteering(message: Message, pastes: readonly string[]): readonly Message[] {
  if (message.role === "attachment") return [message];
  return message.role === "user" ? [{ ...message, steers: true, ...(pastes.length > 0 && { pastes }) }] : [];
}
