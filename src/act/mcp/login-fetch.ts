import type { McpClient } from "../../signal/mcp-login.ts";
import { addressesOfHost, isPrivateAddress, type ResolveHost } from "../web/send-request.ts";
import { makePinnedFetch } from "./pinned-fetch.ts";
import { ServerFailure } from "./server-failure.ts";

/** The server that an owner signs in to: its address, and the hosts and the issuer that its entry names. */
export type LoginPlace = {
  readonly server: URL;
  readonly client: McpClient | null;
  readonly resolveHost: ResolveHost;
};

/** Milliseconds that an authorization server has for an answer. */
const longest = 30_000;

/** Why an address may not be used for signing in; null where it may. It is encrypted, unless it is on this machine as the server is, and names no person. */
export function problemOfAddress(text: string, { server }: Pick<LoginPlace, "server">): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return "it names an address that is not http or https";
  if (url.username !== "" || url.password !== "")
    return `it names an address with a password, at ${url.host}`;
  const isPlain = url.protocol === "http:" && url.origin !== server.origin;
  if (isPlain && !(isLoopback(url) && isLoopback(server)))
    return `it wants to sign you in without encryption, at ${url.host}`;
  return null;
}

/** Why an endpoint of an authorization server may not be used; null where it may: it is where the issuer or the server is, or where the entry says. */
export function problemOfEndpoint(text: string, issuer: string, place: LoginPlace): string | null {
  const problem = problemOfAddress(text, place);
  const url = URL.parse(text);
  if (problem !== null || url === null) return problem;
  const isKnown =
    url.origin === URL.parse(issuer)?.origin ||
    url.origin === place.server.origin ||
    (url.protocol === "https:" && place.client?.hosts.includes(url.host) === true);
  return isKnown
    ? null
    : `its authorization server ${issuer} leads to ${url.host}. If that is right, write "login": {"hosts": ["${url.host}"]} into the part "passepartout" of its entry`;
}

/** A `fetch` for signing in: to public addresses alone, except where the server itself is, and it follows nothing. */
export function makeLoginFetch(place: LoginPlace, cancel: AbortSignal) {
  return async (given: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(given);
    const problem = problemOfAddress(url.href, place);
    if (problem !== null) throw new ServerFailure(problem);
    const addresses = [...new Set(await addressesOfHost(url, place.resolveHost))];
    const isOwn = url.hostname === place.server.hostname || (isLoopback(url) && isLoopback(place.server));
    if (!isOwn && addresses.some(isPrivateAddress))
      throw new ServerFailure(`it wants to sign you in at ${url.host}, which is no public address`);
    const signal = AbortSignal.any([cancel, AbortSignal.timeout(longest)]);
    return makePinnedFetch({ origin: url.origin, addresses, streams: 0, underWay: 0 })(url, {
      ...init,
      signal,
    });
  };
}

/** Throws for a token that cannot be sent or masked. The message does not show it. */
export function checkToken(token: string): void {
  if (!/^[!-~]{8,8192}$/.test(token))
    throw new ServerFailure(
      "the service gave a token that cannot be used: it is too short, too long, or not plain",
    );
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
