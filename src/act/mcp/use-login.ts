import type { AuthProvider } from "@modelcontextprotocol/client";
import type { Logins, StoredLogin } from "../../signal/mcp-login.ts";
import type { McpServer } from "../../signal/mcp-server.ts";
import type { ResolveHost } from "../web/send-request.ts";
import { checkToken, makeLoginFetch } from "./login-fetch.ts";
import { ServerFailure } from "./server-failure.ts";

/** What using a login needs. */
export type LoginUse = {
  readonly logins: Logins;
  readonly resolveHost: ResolveHost;
  readonly clock: () => number;
};

/** How long before its expiry a token is refreshed, in milliseconds. */
const early = 30_000;

/**
 * Gives the owner's token to a server, refreshed if it has expired: to the address that it was issued for, and never to a server of a project. Nobody is asked
 * to sign in here: a server that wants it fails its call, and says how.
 */
export function useLogin(server: McpServer, url: URL, use: LoginUse): AuthProvider {
  return server.project === null ? new LoginOfOwner(server, url, use) : noLogin;
}

const noLogin: AuthProvider = {
  token: async () => undefined,
  onUnauthorized: () => {
    throw new ServerFailure(
      "it wants a login, which no server of a project gets. Copy its entry into your own mcp.json",
    );
  },
};

class LoginOfOwner implements AuthProvider {
  readonly #server: McpServer;
  readonly #url: URL;
  readonly #use: LoginUse;
  #refreshing: Promise<StoredLogin> | null = null;
  #given: string | undefined;

  constructor(server: McpServer, url: URL, use: LoginUse) {
    this.#server = server;
    this.#url = url;
    this.#use = use;
  }

  async token(): Promise<string | undefined> {
    const known = this.#login();
    const isOver = known !== null && known.expiresAt !== null && known.expiresAt - early < this.#use.clock();
    const login =
      known !== null && isOver && known.refreshToken !== null ? await this.#refresh(known) : known;
    this.#given = login?.accessToken;
    return this.#given;
  }

  /** Another process may have refreshed it meanwhile: then its token is used. */
  async onUnauthorized(): Promise<void> {
    const login = this.#login();
    if (login === null) throw new ServerFailure(`it wants you to sign in. Run: ${howTo(this.#server)}`);
    if (login.accessToken === this.#given) await this.#refresh(login);
  }

  /** Null where there is none for this very address. */
  #login(): StoredLogin | null {
    const state = this.#use.logins.of(this.#server.name);
    if (state.kind === "locked")
      throw new ServerFailure(`its login cannot be read. ${state.reason.replace(/\.$/, "")}`);
    return state.kind === "there" && state.login.server === this.#url.href ? state.login : null;
  }

  async #refresh(login: StoredLogin): Promise<StoredLogin> {
    this.#refreshing ??= this.#use.logins
      .alone(this.#server.name, () => this.#refreshAlone(login))
      .finally(() => {
        this.#refreshing = null;
      });
    return this.#refreshing;
  }

  /** Another process may have refreshed it, signed in again or signed out meanwhile. */
  async #refreshAlone(login: StoredLogin): Promise<StoredLogin> {
    const now = this.#login();
    if (now === null) throw new ServerFailure(`it wants you to sign in. Run: ${howTo(this.#server)}`);
    return now.accessToken === login.accessToken ? refresh(now, this.#server, this.#use) : now;
  }
}

function howTo({ name }: McpServer): string {
  return `passepartout mcp login ${name}`;
}

async function refresh(login: StoredLogin, server: McpServer, use: LoginUse): Promise<StoredLogin> {
  const { refreshToken } = login;
  const over = `its login has expired. Run: ${howTo(server)}`;
  if (refreshToken === null) throw new ServerFailure(over);
  const library = await import("@modelcontextprotocol/client");
  const place = {
    server: new URL(login.server),
    client: server.client ?? null,
    resolveHost: use.resolveHost,
  };
  const clientInformation = clientOf(login);
  const given = await library
    .refreshAuthorization(login.issuer, {
      metadata: {
        issuer: login.issuer,
        authorization_endpoint: login.tokenEndpoint,
        token_endpoint: login.tokenEndpoint,
        response_types_supported: ["code"],
        token_endpoint_auth_methods_supported: [...login.authMethods],
      },
      clientInformation,
      refreshToken,
      ...(login.resource === null ? {} : { resource: login.resource }),
      fetchFn: makeLoginFetch(place, new AbortController().signal),
    })
    .catch((error: unknown) => {
      // What the service says of it may hold a token, so it is not told.
      const isNow = error instanceof ServerFailure || !(error instanceof library.OAuthError);
      throw new ServerFailure(isNow ? "its login could not be refreshed now" : over, { cause: error });
    });
  checkToken(given.access_token);
  const refreshed: StoredLogin = {
    ...login,
    accessToken: given.access_token,
    refreshToken: given.refresh_token ?? refreshToken,
    scope: given.scope ?? login.scope,
    expiresAt: given.expires_in === undefined ? null : use.clock() + given.expires_in * 1000,
  };
  const problem = await use.logins.keep(server.name, refreshed);
  if (problem !== null) throw new ServerFailure(`its login cannot be kept: ${problem}`);
  return refreshed;
}

function clientOf({ clientId, clientSecret }: StoredLogin) {
  return { client_id: clientId, ...(clientSecret === null ? {} : { client_secret: clientSecret }) };
}

/** Revokes a login at its authorization server. Returns the reason in words if that failed, else null. */
export async function revokeLogin(
  login: StoredLogin,
  server: McpServer,
  { resolveHost }: Pick<LoginUse, "resolveHost">,
): Promise<string | null> {
  if (login.revocationEndpoint === null) return `${login.issuer} does not revoke tokens`;
  const place = { server: new URL(login.server), client: server.client ?? null, resolveHost };
  const send = makeLoginFetch(place, new AbortController().signal);
  const body = new URLSearchParams({
    client_id: login.clientId,
    token: login.refreshToken ?? login.accessToken,
  });
  if (login.clientSecret !== null) body.set("client_secret", login.clientSecret);
  try {
    const answer = await send(login.revocationEndpoint, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body,
    });
    await answer.body?.cancel();
    return answer.ok ? null : `${login.issuer} answered ${answer.status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
