import type { Folders } from "../../signal/facts.ts";
import type { Sandbox } from "../sandbox/bubblewrap.ts";
import { resolveHost } from "../web/send-request.ts";
import type { PoolPorts } from "./server-pool.ts";

/** What the settings say of starting servers. */
export type StartSettings = {
  readonly searchPath: string;
  readonly isSecretPath: (path: string) => boolean;
  readonly folders: Pick<Folders, "own" | "readable">;
  readonly config: {
    readonly places: { readonly runtime: string };
    readonly fillMcpText: PoolPorts["fill"];
    readonly mcpLogins: PoolPorts["logins"];
  };
};

/** The ports for servers that depend on the settings. */
export function startPortsOf(
  { searchPath, isSecretPath, folders, config }: StartSettings,
  sandbox: Sandbox | null,
): Omit<PoolPorts, "recordConnection" | "version"> {
  return {
    sandbox,
    searchPath,
    isSecretPath,
    hidden: folders.own,
    readable: folders.readable ?? [],
    egress: { folder: config.places.runtime, resolveHost },
    resolveHost,
    fill: config.fillMcpText,
    logins: config.mcpLogins,
    clock: Date.now,
  };
}
