import type { Agent } from "../../daemon/agent/resources/agent.ts";
import type { Io } from "../../kernel/io.ts";
import { canAskHidden } from "../../program/answer-hidden.ts";
import { exitCodes, readStandardInput, usageError } from "../../program/io.ts";
import { parseCommand } from "../../program/options.ts";
import { Screen } from "../../program/screen.ts";
import { sendQuestion } from "../../program/send-question.ts";
import { showUndeliveredAnswers } from "../../program/show-undelivered.ts";
import { withAgent } from "../../program/with-agent.ts";
import { askSpec } from "../table/own-specs.ts";
import { attachFiles } from "./attach-files.ts";
import { readPipe } from "./read-pipe.ts";
import { showUntold } from "./show-untold.ts";

/** Milliseconds that a command waits for what comes by a pipe. */
const briefly = { telling: 1000, waiting: 300 };

/** Asks one thing and prints the answer. The exit code says how the turn ended. */
export async function askCommand(io: Io): Promise<number> {
  const { values, words } = parseCommand(io, askSpec);
  const pasted = words.length === 0;
  const text = pasted ? await readStandardInput(io) : words.join(" ");
  if (text.trim() === "") throw usageError("The question is empty.", askSpec);
  const { json, quiet } = values;
  const isCommand = !pasted && /^\s*\/[a-z]/i.test(text);
  // A command takes nothing by a pipe: what comes by one at once is refused, and anything else left unread.
  const reads = isCommand ? io.inputIsPipe : !pasted;
  const piped = reads ? await readPipe(io, isCommand ? briefly : undefined) : "";
  const name = values.session ?? null;
  const latest = values.continue || (name === null && isCommand);
  const asksHidden = !json && canAskHidden(io);
  const work = async (agent: Agent): Promise<number> => {
    if (!quiet) for (const notice of agent.notices) io.err(`${notice}\n`);
    const session = await agent.openSession({ name, latest, source: "cli", own: quiet });
    if (!quiet) await showUntold(agent, session, io.err);
    if (!quiet) await showUndeliveredAnswers(agent, session, { screen: new Screen(io), output: "err" });
    const attachments = await attachFiles(io, agent, { session, files: values.attach ?? [], quiet });
    if (attachments === null) return exitCodes.failed;
    return sendQuestion(io, agent, { session, text, pasted, json, quiet, attachments, piped });
  };
  return withAgent(io, "cli", work, { asksHidden });
}
