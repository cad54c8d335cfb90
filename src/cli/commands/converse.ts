import type { Agent } from "../../daemon/agent/resources/agent.ts";
import type { Io } from "../../kernel/io.ts";
import { canAskHidden } from "../../program/answer-hidden.ts";
import { exitCodes } from "../../program/io.ts";
import { parseCommand } from "../../program/options.ts";
import { withAgent } from "../../program/with-agent.ts";
import { cliSpec } from "../table/own-specs.ts";
import { attachFiles } from "./attach-files.ts";
import { Conversation } from "./conversation.ts";
import { showSession } from "./show-session.ts";

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
