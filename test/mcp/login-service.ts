import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";

/** In what a service lies about its login. What is left out is as it should be. */
export type Lies = {
  readonly challenge?: string;
  readonly resource?: string;
  readonly authorizationServer?: string;
  /** Of the metadata of the authorization server. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Where the metadata redirects to. */
  readonly redirect?: string;
  /** The issuer that comes back with the code; null for none. */
  readonly iss?: string | null;
  readonly token?: string;
};

/** A server of tools with its own authorization server, each on a port of loopback, with what they were sent. */
export type LoginService = {
  readonly url: string;
  readonly issuer: string;
  readonly requests: {
    readonly path: string;
    readonly authorization: string | undefined;
    readonly body: string;
  }[];
  /** Every token that was ever given. */
  readonly given: string[];
  /** Ends all access tokens, or all tokens. */
  readonly end: (what: "access" | "all") => void;
  lies: Lies;
};

type Grant = {
  readonly client: string;
  readonly redirect: string;
  readonly challenge: string;
  readonly scope: string;
};

const echo = {
  name: "echo",
  description: "Echoes a message back",
  inputSchema: { type: "object", properties: { message: { type: "string" } } },
};

/** Starts both. A message `write` needs the right `write`. */
export async function startLoginService(t: TestContext): Promise<LoginService> {
  const tools = await listen(t, (request, body, response) => answerTools(request, body, response));
  const signing = await listen(t, (request, body, response) => answerSigning(request, body, response));
  const access = new Map<string, string>();
  const refresh = new Map<string, string>();
  const clients = new Map<string, string>();
  const grants = new Map<string, Grant>();
  const service: LoginService = {
    url: `${tools}/mcp`,
    issuer: signing,
    requests: [],
    given: [],
    end(what) {
      access.clear();
      if (what === "all") refresh.clear();
    },
    lies: {},
  };
  const json = (response: ServerResponse, status: number, body: object, headers = {}): void =>
    void response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify(body));

  const answerTools = (request: IncomingMessage, body: string, response: ServerResponse): unknown => {
    const { lies } = service;
    if (request.url?.startsWith("/.well-known/oauth-protected-resource"))
      return json(response, 200, {
        resource: lies.resource ?? service.url,
        authorization_servers: [lies.authorizationServer ?? signing],
        scopes_supported: ["read"],
      });
    if (request.method !== "POST") return void response.writeHead(405).end();
    const scope = access.get(request.headers.authorization?.replace(/^Bearer /, "") ?? "");
    const metadata = `${tools}/.well-known/oauth-protected-resource/mcp`;
    const challenge = lies.challenge ?? `Bearer resource_metadata="${metadata}"`;
    if (scope === undefined) return json(response, 401, {}, { "www-authenticate": challenge });
    const message: unknown = JSON.parse(body);
    const { id, method, params } = message as {
      id?: number;
      method: string;
      params?: { arguments?: { message?: string } };
    };
    const result = (given: object): void =>
      json(response, 200, {
        jsonrpc: "2.0",
        id,
        result: { resultType: "complete", ttlMs: 0, cacheScope: "private", ...given },
      });
    if (method === "server/discover")
      return result({ supportedVersions: ["2026-07-28"], capabilities: { tools: {} } });
    if (method === "tools/list") return result({ tools: [echo] });
    if (params?.arguments?.message === "write" && !scope.includes("write"))
      return json(
        response,
        403,
        {},
        { "www-authenticate": `Bearer error="insufficient_scope", scope="read write"` },
      );
    if (method === "tools/call") return result({ content: [{ type: "text", text: "echoed" }] });
    return json(response, 200, { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
  };

  const give = (response: ServerResponse, scope: string): void => {
    const tokens = {
      access_token: service.lies.token ?? `access-${randomBytes(16).toString("hex")}`,
      refresh_token: `refresh-${randomBytes(16).toString("hex")}`,
    };
    service.given.push(tokens.access_token, tokens.refresh_token);
    access.set(tokens.access_token, scope);
    refresh.set(tokens.refresh_token, scope);
    json(response, 200, { ...tokens, token_type: "Bearer", expires_in: 3600, scope });
  };

  const answerSigning = (request: IncomingMessage, body: string, response: ServerResponse): unknown => {
    const url = new URL(request.url ?? "", signing);
    const form = new URLSearchParams(body);
    switch (url.pathname) {
      case "/.well-known/oauth-authorization-server":
        if (service.lies.redirect !== undefined)
          return void response.writeHead(302, { location: service.lies.redirect }).end();
        return json(response, 200, {
          issuer: signing,
          authorization_endpoint: `${signing}/authorize`,
          token_endpoint: `${signing}/token`,
          registration_endpoint: `${signing}/register`,
          revocation_endpoint: `${signing}/revoke`,
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
          token_endpoint_auth_methods_supported: ["none"],
          authorization_response_iss_parameter_supported: true,
          ...service.lies.metadata,
        });
      case "/register": {
        const asked: unknown = JSON.parse(body);
        const { redirect_uris } = asked as { redirect_uris: string[] };
        const client = `client-${clients.size}`;
        clients.set(client, redirect_uris[0] ?? "");
        return json(response, 201, { client_id: client, redirect_uris });
      }
      case "/authorize": {
        const said = (name: string): string => url.searchParams.get(name) ?? "";
        const isRight =
          clients.get(said("client_id")) === said("redirect_uri") &&
          said("code_challenge_method") === "S256" &&
          said("resource") === service.url &&
          said("state").length > 20;
        if (!isRight) return json(response, 400, { error: "invalid_request" });
        const code = randomBytes(8).toString("hex");
        grants.set(code, {
          client: said("client_id"),
          redirect: said("redirect_uri"),
          challenge: said("code_challenge"),
          scope: said("scope"),
        });
        const back = new URL(said("redirect_uri"));
        back.searchParams.set("code", code);
        back.searchParams.set("state", said("state"));
        const { iss = signing } = service.lies;
        if (iss !== null) back.searchParams.set("iss", iss);
        return void response.writeHead(302, { location: back.href }).end();
      }
      case "/token": {
        const grant = grants.get(form.get("code") ?? "");
        const hash = createHash("sha256")
          .update(form.get("code_verifier") ?? "")
          .digest("base64url");
        const isIts =
          grant?.challenge === hash &&
          grant.redirect === form.get("redirect_uri") &&
          grant.client === form.get("client_id") &&
          form.get("resource") === service.url;
        if (grant !== undefined && isIts) return give(response, grant.scope);
        const old = form.get("refresh_token") ?? "";
        const scope = refresh.get(old);
        refresh.delete(old);
        if (scope !== undefined && form.get("resource") === service.url) return give(response, scope);
        return json(response, 400, { error: "invalid_grant", error_description: `no such token: ${old}` });
      }
      case "/revoke":
        refresh.delete(form.get("token") ?? "");
        access.clear();
        return json(response, 200, {});
      default:
        return json(response, 404, {});
    }
  };

  async function listen(
    test: TestContext,
    answer: (request: IncomingMessage, body: string, response: ServerResponse) => unknown,
  ): Promise<string> {
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        const { authorization } = request.headers;
        service.requests.push({ path: request.url ?? "", authorization, body });
        answer(request, body, response);
      });
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    test.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("The server has no port.");
    return `http://127.0.0.1:${address.port}`;
  }

  return service;
}
