import type { Sandbox } from "../sandbox/bubblewrap.ts";
import { type DeclaringSettings, declaredPrograms } from "../shell/declared-programs.ts";
import { resolveHost } from "../web/send-request.ts";
import type { PoolPorts } from "./server-pool.ts";

/** What the settings say of starting servers. */
export type StartSettings = DeclaringSettings & {
  readonly config: DeclaringSettings["config"] & {
    readonly places: { readonly runtime: string };
    readonly fillMcpText: PoolPorts["fill"];
    readonly mcpLogins: PoolPorts["logins"];
  };
};

/** The ports for servers that depend on the settings. */
export function startPortsOf(
  settings: StartSettings,
  sandbox: Sandbox | null,
): Omit<PoolPorts, "recordConnection" | "version"> {
  const { searchPath, isSecretPath, folders, config } = settings;
  return {
    sandbox,
    searchPath,
    isSecretPath,
    hidden: folders.own,
    readable: folders.readable ?? [],
    programFolders: declaredPrograms(settings),
    egress: { folder: config.places.runtime, resolveHost },
    resolveHost,
    fill: config.fillMcpText,
    logins: config.mcpLogins,
    clock: Date.now,
  };
}
