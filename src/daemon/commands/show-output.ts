import { textsOf } from "../../shown/texts-of.ts";
import { maskValue } from "../../signal/mask-values.ts";
import { quoteLines } from "../../text/escape-invisible.ts";
import type { CommandReply } from "./command-reply.ts";
import type { UndoParts } from "./undo-request.ts";

/** Turns among which the last call is looked for. */
const searchedTurns = 20;

/** Shows all that the last call of a session gave, behind a margin: what was said of it at the time was cut. */
export async function showOutput(
  { state, policy: { filter } }: Pick<UndoParts, "state" | "policy">,
  session: string,
): Promise<CommandReply> {
  const turns = await state.turns.ofSession(session, { limit: searchedTurns });
  const last = turns.flatMap(({ messages }) => messages).findLast((message) => message.role === "result");
  if (last?.role !== "result")
    return { code: "no-output", text: "Nothing was run in this session yet, so there is no output." };
  const { tool, outcome, label } = last.result;
  if (label.secrecy === "secret")
    return { code: "no-output", text: `What ${tool} gave is secret, so it is not kept.` };
  const content = maskValue(outcome.status === "success" ? outcome.content : outcome.message, filter);
  const lines = textsOf(content).flatMap((text) => quoteLines(text));
  return { code: "output", text: [`${tool} gave:`, ...lines].join("\n"), data: { tool, content } };
}
