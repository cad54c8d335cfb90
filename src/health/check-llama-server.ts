import { z } from "zod";
import { variableOf } from "../reason/model/setting-name.ts";
import { askLocalServer } from "./ask-local-server.ts";

/** What llama.cpp's server tells of itself at `/props`, as far as it matters here. Older servers leave parts out. */
const properties = z.object({
  default_generation_settings: z.object({ n_ctx: z.number().int().positive() }).partial().optional(),
  chat_template_caps: z.object({ supports_tools: z.boolean() }).partial().optional(),
});

/** A server on this machine, and what is assumed of it. */
export type AssumedServer = {
  readonly name: string;
  readonly url: URL;
  readonly callsTools: boolean;
  /** Tokens. */
  readonly contextWindow: number;
};

/** What a llama.cpp server on this machine tells of itself; null where it tells nothing. */
export async function readLlamaServer(
  url: URL,
): Promise<{ readonly contextWindow: number | null; readonly callsTools: boolean | null } | null> {
  const answer = await askLocalServer(url, "/props", properties);
  if (answer === null) return null;
  const contextWindow = answer.default_generation_settings?.n_ctx ?? null;
  return { contextWindow, callsTools: answer.chat_template_caps?.supports_tools ?? null };
}

/** What a llama.cpp server on this machine does otherwise than the settings assume: each finding is a sentence. Empty for other servers. */
export async function checkLlamaServer({
  name,
  url,
  callsTools,
  contextWindow,
}: AssumedServer): Promise<readonly string[]> {
  const server = await readLlamaServer(url);
  if (server === null) return [];
  const window = server.contextWindow ?? contextWindow;
  const findings: string[] = [];
  if (callsTools && server.callsTools === false) {
    findings.push(
      `${name}: the chat template of its model has no tools, so the server drops them in silence. Set ${variableOf(name, "TOOLS")}=false, or start it with a model that calls tools.`,
    );
  }
  if (window < contextWindow) {
    findings.push(
      `${name}: its server has a context of ${window} tokens, and ${contextWindow} are assumed. Set ${variableOf(name, "CONTEXT_WINDOW")}=${window}, or start it with --ctx-size ${contextWindow}.`,
    );
  }
  return findings;
}
