import { type BuiltInSkill, everyTurn } from "./built-in-skill.ts";

export const mcpClient: BuiltInSkill = {
  ...everyTurn,
  name: "mcp-client",
  does: "uses the tools of servers of the Model Context Protocol",
  gates: ["external-services"],
  effects: ["use-service"],
  cost: "the declarations of the tools that a turn needs",
  test: "src/act/mcp/server-tools.test.ts › a call of a server on this machine reaches the hosts that it was granted, so that private text in it asks, also where the tool only reads",
};
