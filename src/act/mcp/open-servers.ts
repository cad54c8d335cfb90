import type { Permission } from "../../signal/facts.ts";
import type { Label } from "../../signal/label.ts";
import type { McpServer } from "../../signal/mcp-server.ts";
import type { Tool } from "../../signal/tool.ts";
import { findTools, haveSubject, type IndexedTool, indexTool } from "./find-tools.ts";
import { openHeardByServers } from "./heard-by-servers.ts";
import { nameTools } from "./name-tools.ts";
import { openPendingQuestions } from "./pending-questions.ts";
import { makeSearchTool } from "./search-tool.ts";
import { keyOf, type PoolPorts, ServerPool, stateOf } from "./server-pool.ts";
import { type AcceptancePort, type LabelServerWrites, makeServerTools } from "./server-tools.ts";

/** What the servers of an agent need. */
export type ServersPorts = PoolPorts & {
  readonly acceptances: AcceptancePort & { readonly version: () => string };
  readonly hasEntry: (server: McpServer) => boolean;
  readonly permissionOf: (tool: string) => Permission;
  /** Whether a tool of this program has the name, or one that cannot be told apart. */
  readonly isTaken: (name: string) => boolean;
  readonly clock: () => number;
  /** The label of what a server was granted to read. */
  readonly labelOfGrants: (server: McpServer) => Promise<Label>;
  /** Default: what servers write is not labelled. */
  readonly labelWritten?: LabelServerWrites;
};

/** The words of a turn, and the tools that it named so far. */
export type ToolNeed = { readonly words: string; readonly named: ReadonlySet<string> };

/** The tools of servers, for the sessions of an agent. */
export type Servers = AsyncDisposable & {
  /** All tools of these servers that the owner accepted, with the search among them; none where the owner accepted none. */
  readonly toolsOf: (servers: readonly McpServer[]) => readonly Tool[];
  /** Those that a turn needs: what its words are about, what it named, and the search; none for a greeting. */
  readonly neededOf: (servers: readonly McpServer[], need: ToolNeed) => readonly Tool[];
  readonly countOf: (servers: readonly McpServer[]) => ServerCounts;
};

/** How many servers are ready, how many tools they have, and how many wait for their owner. */
export type ServerCounts = { readonly ready: number; readonly tools: number; readonly waiting: number };

/** What a turn's words bring with them: a word of a tool's name, or two of its description. */
const byWordsLimits = { most: 6, least: 2 };
/** How many tools are declared at once. */
const mostDeclared = 24;

/** Opens the servers. None is started before a call runs. */
export function openServers(ports: ServersPorts): Servers {
  const pool = new ServerPool(ports);
  const questions = openPendingQuestions();
  const heard = openHeardByServers();
  let made: {
    readonly key: string;
    readonly servers: readonly McpServer[];
    readonly tools: readonly Tool[];
    readonly index: readonly IndexedTool<Tool>[];
  } | null = null;
  const make = (servers: readonly McpServer[]): NonNullable<typeof made> => {
    const key = ports.acceptances.version();
    if (made !== null && made.key === key && isSame(made.servers, servers)) return made;
    const named = nameTools(servers, ports.acceptances, ports.isTaken);
    const own = makeServerTools(named.tools, { ...ports, pool, questions, heard }).map((tool) => ({
      ...tool,
      permission: ports.permissionOf(tool.name),
    }));
    const index = own.filter(({ permission }) => permission !== "deny").map(indexTool);
    made = {
      key,
      servers,
      index,
      tools: own.length === 0 ? [] : [makeSearchTool(async () => index), ...own],
    };
    return made;
  };
  const toolsOf = (servers: readonly McpServer[]): readonly Tool[] => make(servers).tools;
  return {
    toolsOf,
    neededOf: (servers, { words, named }) => {
      const { tools, index } = make(servers);
      const [search] = tools;
      if (search === undefined || (named.size === 0 && !haveSubject(words))) return [];
      const byWords = new Set(findTools(words, index, byWordsLimits));
      const needed = index
        .map(({ tool }) => tool)
        .filter((tool) => named.has(tool.name) || byWords.has(tool));
      return [search, ...needed.slice(0, mostDeclared)];
    },
    countOf: (servers) => {
      const states = servers.map((server) => stateOf(server, ports.acceptances.of(keyOf(server))));
      const ready = states.filter((state) => state === "ready").length;
      return {
        ready,
        tools: Math.max(0, toolsOf(servers).length - 1),
        waiting: servers.length - ready,
      };
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

function isSame(one: readonly McpServer[], other: readonly McpServer[]): boolean {
  return one.length === other.length && one.every((server, index) => server === other[index]);
}
