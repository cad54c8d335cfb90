import type { Turn } from "../../signal/turn.ts";
import { type Json, stringsIn } from "../../text/json.ts";

/** Characters of the shortest text that is looked for elsewhere: a shorter one stands in files that have nothing to do with the turn. */
const shortest = 16;

/** The texts of a turn as files may hold them: what was said, written and read in it. Names of files are none. */
export function textsOfTurn({ signal, messages, text }: Turn): readonly string[] {
  const parts: readonly Json[] = messages.map((message): Json => {
    if (message.role === "result")
      return message.result.outcome.status === "success"
        ? message.result.outcome.content
        : message.result.outcome.message;
    if (message.role === "assistant")
      return [message.text, message.calls.map(({ action }) => action.payload["args"] ?? null)];
    return message.text;
  });
  const said = [signal.text, text, ...parts.flatMap((part) => stringsIn(part).map((found) => found.text))];
  return said.map((one) => one.trim()).filter((one) => one.length >= shortest && !/^[^\s/]*\/\S*$/.test(one));
}
