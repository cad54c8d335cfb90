import { join } from "node:path";
import type { Logins } from "../signal/mcp-login.ts";
import type { McpServer } from "../signal/mcp-server.ts";
import type { Environment } from "./environment.ts";
import { openMcpLogins } from "./mcp-logins.ts";
import { type FilledText, fillText, readMcpFile } from "./mcp-servers.ts";
import { secretsOfServers } from "./secrets-of-servers.ts";
import type { UserFolders } from "./user-folders.ts";
import type { Vault } from "./vault.ts";

/** What the settings say of the owner's servers of the Model Context Protocol. */
export type OwnServers = {
  readonly mcpServers: readonly McpServer[];
  /** Fills the references to variables and vault values in a text of `mcp.json`. */
  readonly fillMcpText: (text: string) => FilledText;
  /** The owner's logins at servers. */
  readonly mcpLogins: Logins;
};

/** Reads `mcp.json` of the configuration folder, with the values that nobody is to see. */
export function readOwnServers(
  { configuration, home }: Pick<UserFolders, "configuration" | "home">,
  environment: Environment,
  vault: Vault,
): OwnServers & { readonly secrets: readonly string[]; readonly problems: readonly string[] } {
  const { servers, problems } = readMcpFile(join(configuration, "mcp.json"), { home, project: null });
  return {
    mcpServers: servers,
    fillMcpText: (text) => fillText(text, environment, vault.read),
    mcpLogins: openMcpLogins(vault),
    secrets: secretsOfServers(servers, environment),
    problems,
  };
}
