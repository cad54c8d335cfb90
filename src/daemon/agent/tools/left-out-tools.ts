import { indexTool } from "../../../act/mcp/find-tools.ts";
import { makeSearchTool } from "../../../act/mcp/search-tool.ts";
import type { Tool, ToolDeclaration } from "../../../signal/tool.ts";
import type { ExternalTools } from "./external-tools.ts";

/** Of how many sessions it is known which tools had no room; the oldest go first. */
const mostSessions = 200;

/** The tools that had no room in the small windows of sessions, and the search that finds them. */
export type LeftOutTools = {
  readonly search: Tool;
  readonly isEmpty: () => boolean;
  readonly has: (session: string, name: string) => boolean;
  /** Notes the tools that a turn of the session needs and did not get. */
  readonly set: (session: string, tools: readonly ToolDeclaration[]) => void;
};

/** Begins with none. The search finds the tools of servers, too. */
export function openLeftOutTools(external: Pick<ExternalTools, "in"> | null): LeftOutTools {
  const bySession = new Map<string, readonly ToolDeclaration[]>();
  const search = makeSearchTool(async ({ session, workspace }) => {
    const [, ...ofServers] = (await external?.in(workspace)) ?? [];
    const allowed = ofServers.filter(({ permission }) => permission !== "deny");
    const all = [...(bySession.get(session) ?? []), ...allowed];
    return [...new Map(all.map((tool) => [tool.name, tool])).values()].map(indexTool);
  }, "Find more tools by words");
  return {
    search,
    isEmpty: () => bySession.size === 0,
    has: (session, tool) => bySession.get(session)?.some(({ name }) => name === tool) === true,
    set(session, tools) {
      bySession.delete(session);
      if (tools.length > 0) bySession.set(session, tools);
      const [oldest] = bySession.keys();
      if (bySession.size > mostSessions && oldest !== undefined) bySession.delete(oldest);
    },
  };
}
