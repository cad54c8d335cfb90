import type { Feature } from "../../kernel/feature.ts";

/** Servers of the Model Context Protocol: listed, accepted, logged in to. */
export const serversFeature: Feature = {
  commands: [
    {
      name: "mcp",
      group: "Set up",
      spec: async () => (await import("./command-specs.ts")).mcpSpec,
      load: async () => (await import("./mcp.ts")).mcpCommand,
    },
  ],
};

/** The check whether the servers of tools answer. */
export async function loadServerCheck() {
  return (await import("./check-servers.ts")).checkServers;
}

/** What a server says of a skill. */
export async function loadSkillOfServer() {
  return (await import("./mcp-servers.ts")).getSkillOfServer;
}
