import { hasKey } from "../../act/mcp/open-server.ts";
import { reachServer } from "../../act/mcp/reached-hosts.ts";
import { describeFailure } from "../../act/mcp/server-failure.ts";
import { addressesOf, placeOf } from "../../act/mcp/server-pool.ts";
import { signIn } from "../../act/mcp/sign-in.ts";
import { revokeLogin } from "../../act/mcp/use-login.ts";
import { resolveHost } from "../../act/web/send-request.ts";
import { loadPolicy, type Policy } from "../../settings/policy.ts";
import { bottomLabel } from "../../signal/label.ts";
import type { McpClient, StoredLogin } from "../../signal/mcp-login.ts";
import type { McpServer } from "../../signal/mcp-server.ts";
import { refusalOf } from "./mcp-servers.ts";

/** A server of the owner that one can sign in to, with the settings that name it; or why there is none, in words. */
export type LoginServer =
  | { readonly ok: false; readonly reason: string }
  | { readonly ok: true; readonly policy: Policy; readonly server: McpServer; readonly url: URL };

/** Finds a server of the owner's own `mcp.json` that has an address. Servers of projects have no logins. */
export function findLoginServer(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): LoginServer {
  const policy = loadPolicy(environment);
  const { mcpServers, fillMcpText } = policy.config;
  const server = mcpServers.find((one) => one.name === name);
  if (server === undefined)
    return no(`There is no server ${name} in your mcp.json. List them with: passepartout mcp list`);
  const { transport } = server;
  if (transport.kind !== "http")
    return no(`${name} runs on this machine, so there is nothing to sign in to.`);
  if (hasKey(transport))
    return no(`The entry of ${name} brings a key in its header Authorization. Take it out first.`);
  const filled = fillMcpText(transport.url);
  return filled.ok
    ? { ok: true, policy, server, url: new URL(filled.text) }
    : no(`The address of ${name} cannot be filled in: ${filled.reason}`);
}

function no(reason: string): LoginServer & { readonly ok: false } {
  return { ok: false, reason };
}

type Found = LoginServer & { readonly ok: true };

/** What came of signing in. */
export type SignedIn =
  | { readonly ok: true; readonly login: StoredLogin | null }
  | { readonly ok: false; readonly reason: string };

/** Signs in to a server whose host the judge lets through. Keeps nothing. */
export async function signInToServer(
  { policy, server, url }: Found,
  asked: {
    readonly scopes: readonly string[];
    readonly show: (page: URL, issuer: string) => Promise<void>;
  },
  cancel: AbortSignal,
): Promise<SignedIn> {
  const { name } = server;
  const earlier = earlierLogin(policy, name);
  try {
    const place = placeOf(server);
    const refused =
      place === null
        ? null
        : refusalOf(policy, reachServer(place, await addressesOf(server, resolveHost), bottomLabel));
    if (refused !== null) return { ok: false, reason: `${name} may not be reached: ${refused}` };
    const client = fillClient(policy, server.client ?? null);
    const scopes = [...(client?.scopes ?? []), ...asked.scopes];
    const login = await signIn(
      { server: url, client, resolveHost, clock: Date.now, show: asked.show, scopes, earlier },
      cancel,
    );
    return { ok: true, login };
  } catch (error) {
    const reason = `Nobody signed in to ${name} now: ${policy.mask(describeFailure(error, name))}.`;
    return { ok: false, reason: earlier?.redirectUrl ? `${reason} ${forgetClient(name)}` : reason };
  }
}

function earlierLogin({ config }: Policy, name: string): StoredLogin | null {
  const state = config.mcpLogins.of(name);
  return state.kind === "there" ? state.login : null;
}

/** The page of a service that has dropped a client says so in the browser alone. */
function forgetClient(name: string): string {
  return `If the service does not know this program any more: passepartout mcp logout ${name}, then sign in again.`;
}

/** The client of an entry, with its secret filled in. */
function fillClient(policy: Policy, client: McpClient | null): McpClient | null {
  if (client?.clientSecret === undefined || client.clientSecret === null) return client;
  const filled = policy.config.fillMcpText(client.clientSecret);
  if (!filled.ok) throw new Error(filled.reason);
  return { ...client, clientSecret: filled.text };
}

/** Takes a login back at its service and forgets it. Gives what could not be done there, in words. */
export async function signOutOfServer(
  { policy, server }: Found,
  login: StoredLogin,
): Promise<{ readonly forgotten: string | null; readonly revoked: string | null }> {
  const { mcpLogins } = policy.config;
  const problem = await revokeLogin(login, server, { resolveHost });
  const forgotten = await mcpLogins.alone(server.name, () => mcpLogins.keep(server.name, null));
  return { forgotten, revoked: problem === null ? null : policy.mask(problem) };
}
