import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Logins } from "../signal/mcp-login.ts";
import type { McpServer } from "../signal/mcp-server.ts";
import type { Environment } from "./environment.ts";
import { openMcpLogins } from "./mcp-logins.ts";
import { type FilledText, fillText, readMcpFile } from "./mcp-servers.ts";
import { versionOfFile } from "./replace-file.ts";
import { secretsOfServers } from "./secrets-of-servers.ts";
import type { UserFolders } from "./user-folders.ts";
import type { Vault } from "./vault.ts";

/** What the settings say of the owner's servers of the Model Context Protocol. */
export type OwnServers = {
  readonly mcpServers: readonly McpServer[];
  /**
   * Whether `mcp.json` still has the entry of a server as it was read. A changed entry is in force at the
   * next start, and its old form no more.
   */
  readonly hasMcpEntry: (server: McpServer) => boolean;
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
  const path = join(configuration, "mcp.json");
  const read = () => ({ version: versionOfFile(path), ...readMcpFile(path, { home, project: null }) });
  const { servers, problems, version } = read();
  let now = { version, servers };
  return {
    mcpServers: servers,
    hasMcpEntry(server) {
      if (versionOfFile(path) !== now.version) now = read();
      return now.servers.some((one) => isDeepStrictEqual(one, server));
    },
    fillMcpText: (text) => fillText(text, environment, vault.read),
    mcpLogins: openMcpLogins(vault),
    secrets: secretsOfServers(servers, environment),
    problems,
  };
}
