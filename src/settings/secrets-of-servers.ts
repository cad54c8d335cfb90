import type { McpServer, McpTransport } from "../signal/mcp-server.ts";
import { isSecretName } from "./env-file.ts";
import type { Environment } from "./environment.ts";
import { referencesOf } from "./mcp-servers.ts";
import { secretArgumentsOf } from "./secret-arguments.ts";

/** The values that servers are started with and that are nobody's to see: of variables, and of what is named like a key in the file itself. */
export function secretsOfServers(servers: readonly McpServer[], environment: Environment): readonly string[] {
  const referred = servers.flatMap(referencesOf).map((name) => environment[name]);
  const written = servers.flatMap(({ transport }) => [
    ...namedValues(transport)
      .filter(
        ([name]) => isSecretName(name) || /^(?:proxy-)?authorization$|key|token|secret|password/i.test(name),
      )
      .map(([, value]) => value.replace(/^(?:bearer|basic|token)\s+/i, "")),
    ...(transport.kind === "stdio" ? secretArgumentsOf(transport.args).map(({ value }) => value) : []),
  ]);
  return [...referred, ...written]
    .filter((value) => value !== undefined)
    .filter((value) => value.length >= 8 && !value.includes("${"));
}

/** What an entry gives a name to: variables, headers, and parts of the address. */
function namedValues(transport: McpTransport): readonly (readonly [string, string])[] {
  if (transport.kind === "stdio") return Object.entries(transport.environment);
  const query = URL.parse(transport.url)?.searchParams ?? [];
  return [...Object.entries(transport.headers), ...query];
}
