import type { Logins } from "../../signal/mcp-login.ts";
import type { McpServer } from "../../signal/mcp-server.ts";

/** The part of the settings that says where keys come from. */
export type KeyPlaces = {
  readonly providers: readonly { readonly name: string; readonly vaultKey?: unknown }[];
  readonly cascade: readonly string[];
  readonly mcpServers: readonly McpServer[];
  readonly mcpLogins: Pick<Logins, "of">;
  readonly embedding: { readonly provider: { readonly vaultKey?: unknown } } | null;
};

/** Whether a provider in use has its key in the vault, or a server gets a value of it or has a login there. */
export function needsVault({ providers, cascade, embedding, mcpServers, mcpLogins }: KeyPlaces): boolean {
  return (
    providers.some(({ name, vaultKey }) => vaultKey !== undefined && cascade.includes(name)) ||
    embedding?.provider.vaultKey !== undefined ||
    mcpServers.some((server) => serverNeedsVault(server, mcpLogins))
  );
}

/** Whether the entry of a server names a value of the vault, or its login is there. */
export function serverNeedsVault({ name, transport }: McpServer, logins: Pick<Logins, "of">): boolean {
  return JSON.stringify(transport).includes(`\${vault:`) || logins.of(name).kind !== "none";
}
