import { randomBytes } from "node:crypto";
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
  StoredOAuthClientInformation,
} from "@modelcontextprotocol/client";
import type { StoredLogin } from "../../signal/mcp-login.ts";
import { cleanText } from "./clean-text.ts";
import { type LoginCallback, listenForLogin } from "./login-callback.ts";
import {
  checkToken,
  type LoginPlace,
  makeLoginFetch,
  problemOfAddress,
  problemOfEndpoint,
} from "./login-fetch.ts";
import { ServerFailure } from "./server-failure.ts";

/** What signing in needs besides the place. */
export type SignIn = LoginPlace & {
  readonly scopes: readonly string[];
  /** The login that exists already. Its client is used again if it was registered at the same service. */
  readonly earlier: StoredLogin | null;
  /** Shows the page; `issuer` is where the owner signs in. */
  readonly show: (page: URL, issuer: string) => Promise<void>;
  readonly clock: () => number;
};

/** Signs the owner in to a server by the library's own flow: what the server says of its authorization server, a client, PKCE, and a page in the browser. Null where the server wants no login. Throws where it fails. */
export async function signIn(asked: SignIn, cancel: AbortSignal): Promise<StoredLogin | null> {
  const library = await import("@modelcontextprotocol/client");
  const fetchFn = makeLoginFetch(asked, cancel);
  const challenge = await fetchFn(asked.server, probe);
  await challenge.body?.cancel();
  if (challenge.status !== 401) {
    if (challenge.ok && asked.scopes.length === 0) return null;
    if (!challenge.ok)
      throw new ServerFailure(`it answered ${challenge.status} where it was asked for a login`);
  }
  const { resourceMetadataUrl, scope } = library.extractWWWAuthenticateParams(challenge);
  if (resourceMetadataUrl !== undefined && resourceMetadataUrl.origin !== asked.server.origin)
    throw new ServerFailure(
      `what it says of its login is at ${resourceMetadataUrl.host}, not its own address`,
    );
  const scopes = library.computeScopeUnion(scope, asked.scopes.join(" "));
  const state = randomBytes(32).toString("base64url");
  await using callback = await listenForLogin(state, asked.earlier?.redirectUrl ?? null);
  const provider = new SigningIn(asked, callback, state);
  const options = {
    serverUrl: asked.server,
    fetchFn,
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    ...(scopes === undefined ? {} : { scope: scopes }),
  };
  await library.auth(provider, options);
  const brought = await abortable(callback.brought, cancel);
  const code = brought.get("code");
  const refused = brought.get("error");
  if (code === null || refused !== null)
    throw new ServerFailure(`the service refused it (${cleanText(refused ?? "it gave no code", 60)})`);
  const iss = brought.get("iss") ?? undefined;
  await library.auth(provider, {
    ...options,
    authorizationCode: code,
    ...(iss === undefined ? {} : { iss }),
  });
  return provider.login();
}

/** A request that every server answers, except those that require a login. */
const probe: RequestInit = {
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "passepartout", version: "1" },
    },
  }),
};

async function abortable<T>(waiting: Promise<T>, cancel: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(new ServerFailure("nobody signed in in time"));
  if (cancel.aborted) stop();
  cancel.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([waiting, promise]);
  } finally {
    cancel.removeEventListener("abort", stop);
  }
}

/** The port by which the library signs an owner in. It keeps everything in memory until the login is complete. */
class SigningIn implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly #asked: SignIn;
  readonly #state: string;
  #discovered: OAuthDiscoveryState | null = null;
  #client: StoredOAuthClientInformation | undefined;
  #verifier = "";
  #tokens: OAuthTokens | undefined;
  #resource: string | null = null;

  constructor(asked: SignIn, { url }: LoginCallback, state: string) {
    this.#asked = asked;
    this.#state = state;
    this.redirectUrl = url;
  }

  get clientMetadata() {
    return {
      client_name: "Passepartout",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  }

  state(): string {
    return this.#state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered ?? undefined;
  }

  /** Nothing was sent to the authorization server yet. */
  saveDiscoveryState(found: OAuthDiscoveryState): void {
    const { authorizationServerUrl, authorizationServerMetadata: metadata } = found;
    const issuer = metadata?.issuer ?? authorizationServerUrl;
    const wanted = this.#asked.client?.issuer ?? null;
    if (wanted !== null && wanted.replace(/\/$/, "") !== issuer.replace(/\/$/, ""))
      throw new ServerFailure(`it wants you to sign in at ${issuer}, and its entry says ${wanted}`);
    if (metadata?.code_challenge_methods_supported?.includes("S256") !== true)
      throw new ServerFailure(`its authorization server ${issuer} does not say that it knows PKCE (S256)`);
    const endpoints = [
      metadata.authorization_endpoint,
      metadata.token_endpoint,
      metadata.registration_endpoint,
      revocationOf(metadata),
    ];
    for (const endpoint of [issuer, ...endpoints]) {
      const problem =
        endpoint === undefined || endpoint === null ? null : problemOfEndpoint(endpoint, issuer, this.#asked);
      if (problem !== null) throw new ServerFailure(problem);
    }
    this.#discovered = found;
  }

  clientInformation(context?: { readonly issuer: string }): StoredOAuthClientInformation | undefined {
    const { clientId = null, clientSecret = null } = this.#asked.client ?? {};
    if (clientId === null) return this.#client ?? this.#registered();
    return {
      client_id: clientId,
      ...(clientSecret === null ? {} : { client_secret: clientSecret }),
      ...(context === undefined ? {} : { issuer: context.issuer }),
    };
  }

  /** The client of the earlier login, if this issuer registered it for the present redirect address. */
  #registered(): StoredOAuthClientInformation | undefined {
    const { earlier, server } = this.#asked;
    const isIts =
      earlier?.redirectUrl === this.redirectUrl &&
      earlier.server === server.href &&
      earlier.issuer === this.#issuer();
    if (earlier === null || !isIts) return undefined;
    const { clientId, clientSecret, issuer } = earlier;
    const secret = clientSecret === null ? {} : { client_secret: clientSecret };
    return { client_id: clientId, ...secret, issuer };
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#client = client;
  }

  /** A login never starts from old tokens. */
  tokens(): undefined {
    return undefined;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.#tokens = tokens;
  }

  saveResourceUrl(resource: string): void {
    this.#resource = resource;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  async redirectToAuthorization(page: URL): Promise<void> {
    const problem = problemOfAddress(page.href, this.#asked);
    if (problem !== null) throw new ServerFailure(problem);
    await this.#asked.show(page, this.#issuer());
  }

  /** The complete login. Throws if the service gave no token. */
  login(): StoredLogin {
    const [tokens, client, found] = [this.#tokens, this.clientInformation(), this.#discovered];
    if (tokens === undefined || client === undefined || found === null)
      throw new ServerFailure("the service gave no token");
    checkToken(tokens.access_token);
    const { authorizationServerMetadata: metadata, authorizationServerUrl } = found;
    return {
      server: this.#asked.server.href,
      issuer: this.#issuer(),
      tokenEndpoint: metadata?.token_endpoint ?? new URL("/token", authorizationServerUrl).href,
      revocationEndpoint: metadata === undefined ? null : revocationOf(metadata),
      authMethods: metadata?.token_endpoint_auth_methods_supported ?? [],
      resource: this.#resource,
      clientId: client.client_id,
      clientSecret: client.client_secret ?? null,
      redirectUrl: (this.#asked.client?.clientId ?? null) === null ? this.redirectUrl : null,
      scope: tokens.scope ?? null,
      expiresAt: tokens.expires_in === undefined ? null : this.#asked.clock() + tokens.expires_in * 1000,
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token ?? null,
    };
  }

  #issuer(): string {
    const found = this.#discovered;
    return found?.authorizationServerMetadata?.issuer ?? found?.authorizationServerUrl ?? "";
  }
}

/** Where tokens are revoked, if the authorization server says so. */
function revocationOf(metadata: object): string | null {
  const said = "revocation_endpoint" in metadata ? metadata.revocation_endpoint : null;
  return typeof said === "string" ? said : null;
}
