import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { loadOnce } from "../../../act/load-once.ts";
import type { ServerCounts, Servers, ServersPorts } from "../../../act/mcp/open-servers.ts";
import type { McpServer } from "../../../signal/mcp-server.ts";
import { subTaskOf } from "../../../signal/sub-task.ts";
import type { Tool } from "../../../signal/tool.ts";
import type { Turn } from "../../../signal/turn.ts";
import { foldName } from "../../../text/fold-name.ts";
import { needOf } from "./need-of-turn.ts";

/** The tools of servers, by workspace: the owner's own, and those of a project whose folder the owner trusts. */
export type ExternalTools = AsyncDisposable & {
  /** All that a call in the workspace may name. */
  readonly in: (workspace: string | null) => Promise<readonly Tool[]>;
  /** Those that are declared to the model for a turn, in a fixed order. */
  readonly neededBy: (turn: Turn, workspace: string | null) => Promise<readonly Tool[]>;
  /** How the servers of a workspace stand; null where there are none. */
  readonly count: (workspace: string | null) => Promise<ServerCounts | null>;
};

/** What the tools of servers need of the agent. */
export type ExternalToolsParts = {
  readonly ports: Omit<ServersPorts, "isTaken">;
  readonly own: readonly McpServer[];
  /** The servers of a project, read again where its file changed. */
  readonly projectServers: (folder: string) => readonly McpServer[];
  readonly isTrusted: (workspace: string, path: string) => Promise<boolean>;
  /** The names of this program's own tools. */
  readonly builtIn: readonly string[];
};

/** Opens the tools of servers. Their code is loaded when there is a server. */
export function openExternalTools(parts: ExternalToolsParts): ExternalTools {
  const taken = new Set(parts.builtIn.map(foldName));
  const opened: { servers: Promise<Servers> | null } = { servers: null };
  const load = loadOnce(() => import("../../../act/mcp/open-servers.ts"));
  const openServers = async (): Promise<Servers> => {
    opened.servers ??= load().then((module) =>
      module.openServers({ ...parts.ports, isTaken: (name) => taken.has(foldName(name)) }),
    );
    return opened.servers;
  };
  const serversIn = async (workspace: string | null): Promise<readonly McpServer[]> => {
    const own = new Set(parts.own.map(({ name }) => foldName(name)));
    const others = await projectServersOf(parts, workspace);
    return others.length === 0
      ? parts.own
      : [...parts.own, ...others.filter(({ name }) => !own.has(foldName(name)))];
  };
  return {
    async in(workspace) {
      const servers = await serversIn(workspace);
      return servers.length === 0 ? [] : (await openServers()).toolsOf(servers);
    },
    async neededBy(turn, workspace) {
      const servers = await serversIn(workspace);
      if (servers.length === 0) return [];
      const opened = await openServers();
      const subTask = subTaskOf(turn.signal);
      return subTask === null
        ? opened.neededOf(servers, needOf(turn))
        : opened.toolsOf(servers).filter(({ name }) => subTask.tools.includes(name));
    },
    async count(workspace) {
      const servers = await serversIn(workspace);
      return servers.length === 0 ? null : (await openServers()).countOf(servers);
    },
    [Symbol.asyncDispose]: async () => (await opened.servers)?.[Symbol.asyncDispose](),
  };
}

/** None where the folder has no such file, or is not trusted. */
async function projectServersOf(
  { projectServers, isTrusted }: ExternalToolsParts,
  workspace: string | null,
): Promise<readonly McpServer[]> {
  if (workspace === null) return [];
  const path = join(workspace, ".mcp.json");
  return (await isThere(path)) && (await isTrusted(workspace, path)) ? projectServers(workspace) : [];
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}
