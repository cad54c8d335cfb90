import type { Agent } from "../../daemon/agent/agent.ts";
import { Conversation } from "./conversation.ts";
import { exitCodes, type Io, usageError } from "./io.ts";
import { parseOptions } from "./options.ts";
import { showSession } from "./show-session.ts";
import { withAgent } from "./with-agent.ts";

const usage = `passepartout cli [--session NAME | --continue]
Starts a conversation, line by line: type a message and press Enter. /help lists the commands, /exit leaves.
  --session NAME  starts or continues the session with this name
  --continue      continues the last session of this folder
Ctrl-C stops the running turn; Ctrl-C again leaves. Unfinished work continues at the next start.
Exit codes: 0 left, 1 it could not start or go on, 2 wrong usage.`;

/** A conversation, a line at a time. Ends at `/exit`, at the end of the input, or at the second Ctrl-C. */
export async function conversationCommand(io: Io): Promise<number> {
  const { values, positionals } = parseOptions(io, usage, {
    session: { type: "string" },
    continue: { type: "boolean", default: false },
  });
  if (positionals.length > 0) {
    throw usageError(`Unexpected argument '${positionals[0]}'.`, usage);
  }
  if (values.session !== undefined && values.continue) {
    throw usageError("Use either --session or --continue, not both.", usage);
  }
  const wanted = { name: values.session ?? null, latest: values.continue, source: "tui" } as const;
  return withAgent(io, "tui", async (agent: Agent) => {
    const session = await agent.openSession(wanted);
    await showSession(io, agent, session);
    const conversation = new Conversation(io, agent, session);
    await conversation.showWaiting();
    await conversation.ended;
    return exitCodes.done;
  });
}
