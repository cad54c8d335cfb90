import { nameOfSession } from "../../memory/state/name-of-session.ts";
import { endWhenDone, readBegunUndo } from "./begun-undo.ts";
import type { CommandReply } from "./command-reply.ts";
import type { PlanParts } from "./plan-commands.ts";
import { finishRewinding, redo } from "./rewind-commands.ts";
import { rollBackTo } from "./roll-back.ts";
import { undoLast } from "./undo-commands.ts";
import type { UndoParts } from "./undo-request.ts";

/** Lines of the reply that the owner is told; the client that asked gets all. */
const mostLines = 20;

/**
 * Finishes the undo that a former process was killed in, and keeps its reply for the client that asked for
 * it. Gives what was done, for the owner.
 */
export async function finishBegunUndo(parts: UndoParts & PlanParts): Promise<readonly string[]> {
  const { state } = parts;
  const begun = readBegunUndo(await state.begunUndo.get());
  if (begun === null) return [];
  const { id, command, session, client: clientId, workspace } = begun;
  // Only the owner begins one.
  const by = { signal: { session, person: "owner", source: "system", clientId }, workspace } as const;
  const run = { id, begun, begin: async () => {} };
  const finish = (): Promise<CommandReply> => {
    switch (command) {
      case "undo":
        return undoLast(parts, by, run);
      case "redo":
        return redo(parts, by, run);
      case "rewind":
        return finishRewinding(parts, by, run);
      case "rollback":
        return rollBackTo(parts, { ...by, id: null }, run);
    }
  };
  const { text } = await state.changes.runExclusively(() => endWhenDone(parts, begun, finish));
  const name = await nameOfSession(state.sessions, session);
  const lines = text.split("\n");
  const more = lines.length > mostLines ? [`And ${lines.length - mostLines} more.`] : [];
  const told = [...lines.slice(0, mostLines), ...more].join("\n");
  return [`Passepartout ended in the middle of /${command} in session ${name}, and finished it now. ${told}`];
}
