import type { Agent } from "../../daemon/agent/resources/agent.ts";
import { cliSpec } from "../table/talking.ts";
import { canAskHidden } from "./answer-hidden.ts";
import { attachFiles } from "./attach-files.ts";
import { Conversation } from "./conversation.ts";
import { exitCodes, type Io } from "./io.ts";
import { parseCommand } from "./options.ts";
import { showSession } from "./show-session.ts";
import { withAgent } from "./with-agent.ts";

/** A conversation, a line at a time. Ends at `/exit`, at the end of the input, or at the second Ctrl-C. */
export async function conversationCommand(io: Io): Promise<number> {
  const { values } = parseCommand(io, cliSpec);
  const wanted = { name: values.session ?? null, latest: values.continue, source: "tui" } as const;
  const work = async (agent: Agent): Promise<number> => {
    const session = await agent.openSession(wanted);
    await showSession(io, agent, session);
    const attached = await attachFiles(io, agent, { session, files: values.attach ?? [], quiet: false });
    if (attached === null) return exitCodes.failed;
    const conversation = new Conversation(io, agent, { session, attached });
    await conversation.showWaiting();
    await conversation.ended;
    return exitCodes.done;
  };
  return withAgent(io, "tui", work, { asksHidden: canAskHidden(io) });
}
