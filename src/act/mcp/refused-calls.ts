import type { McpServer, ToolList } from "../../signal/mcp-server.ts";
import type { Preparation } from "../../signal/tool.ts";
import { cleanText } from "./clean-text.ts";
import { isChangeShownWhole } from "./list-tools.ts";

type Called = { readonly server: McpServer; readonly listed: { readonly name: string } };

/** Refuses a call that the owner is not even asked about, given the list that its server offers now; null where the owner may be asked. */
export function refusalOfList(called: Called, accepted: ToolList, offered: ToolList): Preparation | null {
  if (!offered.tools.some(({ name }) => name === called.listed.name)) return toolIsGone(called);
  if (offered === accepted || isChangeShownWhole(accepted, offered)) return null;
  return notAccepted(called.server, "changed more of its tools than a question can show");
}

/** The refusal of a call of a server whose entry or list its owner did not accept. */
export function notAccepted(
  { name }: McpServer,
  what = "has another entry than its owner accepted",
): Preparation {
  return {
    ok: false,
    code: "not-accepted",
    message: `The server ${name} ${what}. Tell the owner: passepartout mcp accept ${name}.`,
  };
}

/** The refusal of a call of a server whose entry its owner changed or removed since the agent was started. */
export function entryIsGone({ name }: McpServer): Preparation {
  const message = `The entry of the server ${name} in mcp.json was changed or removed since the agent was started, so nothing was called. Tell the owner: a changed entry is used once they started the agent anew and said passepartout mcp accept ${name}.`;
  return { ok: false, code: "entry-changed", message };
}

function toolIsGone({ server, listed }: Called): Preparation {
  const message = `The server ${server.name} does not offer ${cleanText(listed.name, 64)} any more. passepartout mcp accept ${server.name} shows what it offers.`;
  return { ok: false, code: "tool-gone", message };
}

/** The answers to a server's questions do not fit what it asked. */
export function wrongAnswers(name: string, reason: string): Preparation {
  return { ok: false, code: "invalid-arguments", message: `${name}: ${reason}` };
}

/** A server of the network that cannot be reached, since nobody knows its address. */
export function notFound({ name }: McpServer, reason: string): Preparation {
  return { ok: false, code: "server-not-found", message: `The server ${name} was not called: ${reason}.` };
}
