/** How an owner signs in to a server where that is not found out: the client as the service gave it, the scopes to ask for, and the hosts of the service's other addresses. */
export type McpClient = {
  readonly clientId: string | null;
  /** Sent to this issuer alone. Null where the client has no secret. */
  readonly clientSecret: string | null;
  /** The only issuer that may be signed in at; null for whichever the server names. */
  readonly issuer: string | null;
  readonly scopes: readonly string[];
  readonly hosts: readonly string[];
};

/** A login at a server, as the vault keeps it. */
export type StoredLogin = {
  /** The address of the server that it is for: it is sent nowhere else. */
  readonly server: string;
  readonly issuer: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint: string | null;
  /** How a client may prove itself there; empty where that is not said. */
  readonly authMethods: readonly string[];
  readonly resource: string | null;
  readonly clientId: string;
  readonly clientSecret: string | null;
  /** The address that the browser came back to, for which the client was registered; null for a client of the entry. */
  readonly redirectUrl: string | null;
  readonly scope: string | null;
  /** Unix milliseconds; null where that is not known. */
  readonly expiresAt: number | null;
  readonly accessToken: string;
  readonly refreshToken: string | null;
};

/** How it stands with a login: `locked` where there is one that cannot be read now. */
export type LoginState =
  | { readonly kind: "none" }
  | { readonly kind: "locked"; readonly reason: string }
  | { readonly kind: "there"; readonly login: StoredLogin };

/** The owner's logins, by the name of the server. */
export type Logins = {
  readonly of: (server: string) => LoginState;
  /** Keeps a login, or forgets it. Gives why that cannot be, in words; null where it is done. */
  readonly keep: (server: string, login: StoredLogin | null) => Promise<string | null>;
  /** Does work on the login of a server, of half a minute at most, while nobody else does in any process: a refresh token counts once. */
  readonly alone: <T>(server: string, work: () => Promise<T>) => Promise<T>;
};
