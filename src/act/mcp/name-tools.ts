import type { AcceptedServer, ListedTool, McpServer } from "../../signal/mcp-server.ts";
import { foldName } from "../../text/fold-name.ts";
import { entryDigest, keyOf } from "./server-pool.ts";

/** What the owner accepted, by the key of a server. */
type AcceptedServers = { readonly of: (key: string) => AcceptedServer | null };

/** A tool of a server, as a tool of this program. */
export type ServerTool = { readonly server: McpServer; readonly listed: ListedTool; readonly name: string };

const longestToolName = 64;

/** Tools of servers with their names here, and those that have none, with the reason. */
export type NamedTools = {
  readonly tools: readonly ServerTool[];
  readonly nameless: readonly (Pick<ServerTool, "server" | "listed"> & { readonly reason: string })[];
};

/** Names the tools of servers whose entry and list the owner accepted. A name that is too long, or that cannot be told apart from another, is not given. */
export function nameTools(
  servers: readonly McpServer[],
  { of }: AcceptedServers,
  isTaken: (name: string) => boolean,
): NamedTools {
  const tools: ServerTool[] = [];
  const nameless: NamedTools["nameless"][number][] = [];
  const known = new Map<string, string>();
  for (const server of servers) {
    const accepted = of(keyOf(server));
    if (accepted === null || accepted.entry !== entryDigest(server)) continue;
    for (const listed of accepted.list.tools) {
      const name = `${server.name}__${listed.name.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`;
      const other = known.get(foldName(name));
      const reason =
        name.length > longestToolName
          ? `${name} has more than ${longestToolName} characters. Give its server a shorter name`
          : other !== undefined
            ? `${name} cannot be told apart from ${other}`
            : isTaken(name)
              ? `${name} cannot be told apart from a tool of this program`
              : null;
      if (reason !== null) nameless.push({ server, listed, reason });
      else {
        known.set(foldName(name), name);
        tools.push({ server, listed, name });
      }
    }
  }
  return { tools, nameless };
}
