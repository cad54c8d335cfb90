import { join } from "node:path";
import { digestOf } from "../../machine/digest.ts";
import type { McpServer } from "../../signal/mcp-server.ts";
import { escapeInvisible, quoteLines } from "../../text/escape-invisible.ts";
import type { JsonObject } from "../../text/json.ts";

/**
 * What the trust in a folder puts in force beside its orders: in words, and by digests of all that was shown.
 */
export type OfferedBeside = { readonly lines: readonly string[]; readonly digests: JsonObject };

/** The servers of a folder's `.mcp.json`, as they are shown before the folder is trusted. */
export function offerServers(workspace: string, servers: readonly McpServer[]): OfferedBeside {
  if (servers.length === 0) return { lines: [], digests: {} };
  const shown = servers.map(({ name, transport }) => {
    const runs = transport.kind === "http" ? transport.url : [transport.command, ...transport.args].join(" ");
    return `${name}: ${escapeInvisible(runs)}`;
  });
  const head =
    ".mcp.json names servers of tools. In a trusted folder you may accept each with `passepartout mcp accept NAME`, and none starts before that:";
  return {
    lines: [head, ...quoteLines(shown.join("\n"))],
    digests: { [join(workspace, ".mcp.json")]: digestOf([...shown]) },
  };
}
