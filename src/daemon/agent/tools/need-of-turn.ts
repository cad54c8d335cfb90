import { searchName } from "../../../act/mcp/find-tools.ts";
import type { Turn } from "../../../signal/turn.ts";
import { isJsonArray, isJsonObject } from "../../../text/json.ts";

/** What a turn is about: the owner's words in it, the tools that it called, and those that a search in it found. */
export function needOf({ signal, messages }: Turn): {
  readonly words: string;
  readonly named: ReadonlySet<string>;
} {
  const named = new Set<string>();
  const words = [signal.text];
  for (const message of messages) {
    if (message.role === "user") words.push(message.text);
    if (message.role !== "result") continue;
    const { tool, outcome } = message.result;
    named.add(tool);
    const content = outcome.status === "success" ? outcome.content : null;
    if (isJsonObject(content) && typeof content["running"] === "string") named.add("terminal");
    const lacks = isJsonObject(content) && typeof content["missing"] === "string";
    if (lacks || (outcome.status === "error" && outcome.code === "not-installed"))
      named.add("install-program");
    const found = isJsonObject(content) && tool === searchName ? content["found"] : null;
    if (found === undefined || !isJsonArray(found)) continue;
    for (const one of found) if (isJsonObject(one) && typeof one["name"] === "string") named.add(one["name"]);
  }
  return { words: words.join("\n"), named };
}
