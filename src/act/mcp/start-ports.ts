import type { Sandbox } from "../sandbox/bubblewrap.ts";
import { type DeclaringSettings, declaredPrograms, type LabelOfTexts } from "../shell/declared-programs.ts";
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

/**
 * The ports for servers that depend on the settings. A server sees no text of the declared programs that
 * `labelOf` says is private.
 */
export function startPortsOf(
  settings: StartSettings,
  sandbox: Sandbox | null,
  labelOf: LabelOfTexts,
): Omit<PoolPorts, "recordConnection" | "version"> {
  const { searchPath, isSecretPath, folders, config } = settings;
  return {
    sandbox,
    searchPath,
    isSecretPath,
    hidden: folders.own,
    readable: folders.readable ?? [],
    programFolders: declaredPrograms(settings, labelOf),
    egress: { folder: config.places.runtime, resolveHost },
    resolveHost,
    fill: config.fillMcpText,
    logins: config.mcpLogins,
    clock: Date.now,
  };
}
