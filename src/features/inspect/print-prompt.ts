import type { Io } from "../../kernel/io.ts";
import { exitCodes } from "../../program/io.ts";
import type { Message } from "../../signal/message.ts";
import type { PromptExplanation } from "./explain-prompt.ts";
import type { LeftOut } from "./list-left-out.ts";

/** Prints a prompt: on standard output what would be sent, on standard error to whom. */
export function printPrompt(
  io: Io,
  { request, provider, asksFirst, leftOut }: Extract<PromptExplanation, { readonly kind: "prompt" }>,
  json: boolean,
): number {
  const { system, tools } = request;
  const messages = request.messages.map((message) => ({ role: message.role, text: textOf(message) }));
  const bytes = Buffer.byteLength(JSON.stringify({ system, messages, tools }));
  if (json) io.out(`${JSON.stringify({ provider, bytes, system, tools, messages, leftOut })}\n`);
  else {
    const declared = tools.map((tool) => JSON.stringify(tool)).join("\n");
    const parts = [["SYSTEM", system], ...(tools.length === 0 ? [] : [["TOOLS", declared]])];
    for (const { role, text } of messages) parts.push([role.toUpperCase(), text]);
    io.out(`${parts.map(([name, text]) => `===== ${name} =====\n${text}`).join("\n\n")}\n`);
  }
  const to =
    provider === null
      ? "No provider is set up, so nothing is sent; a provider on this machine would get this."
      : `${provider.name} would get this, ${provider.local ? "with private notes: it is local" : "without private text: it is not local"}.`;
  io.err(`${to} ${bytes} bytes before the provider's own frame.\n`);
  if (!json) for (const [why, names] of byReason(leftOut)) io.err(`left out ${names.join(", ")}: ${why}\n`);
  if (asksFirst)
    io.err(
      "Some of your words are tagged as private or stand in a private text: you would be asked before anything is sent.\n",
    );
  return exitCodes.done;
}

/** What is left out, by the reason, so that each stands once. */
function byReason(leftOut: readonly LeftOut[]): ReadonlyMap<string, readonly string[]> {
  const grouped = Map.groupBy(leftOut, ({ why }) => why);
  return new Map([...grouped].map(([why, all]) => [why, all.map(({ what }) => what)]));
}

function textOf(message: Message): string {
  return message.role === "result" ? JSON.stringify(message.result.outcome) : message.text;
}
