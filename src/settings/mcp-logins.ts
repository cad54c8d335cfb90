import { z } from "zod";
import { sha256 } from "../machine/digest.ts";
import type { LoginState, Logins, StoredLogin } from "../signal/mcp-login.ts";
import { parseJson } from "../text/parse-json.ts";
import { changeAlone, type LockTimes } from "./change-alone.ts";
import type { Vault } from "./vault.ts";

/** A service has 30 seconds for its answer. */
const lockTimes: LockTimes = { patience: 60_000, staleAfter: 45_000 };

/** The logins of servers as values of the vault: each token is a value of its own, so that it is masked wherever it would be shown. */
export function openMcpLogins(vault: Pick<Vault, "path" | "status" | "read" | "change">): Logins {
  const read = (name: string): string | null => {
    const value = vault.read(name);
    return value.ok ? value.value : null;
  };
  const of = (server: string): LoginState => {
    const { state, names, text } = vault.status();
    const { about, access, refresh, secret } = namesOf(server);
    if (!names.includes(about)) return { kind: "none" };
    const [said, accessToken] = [read(about), read(access)];
    if (said === null || accessToken === null)
      return state === "unlocked" ? { kind: "none" } : { kind: "locked", reason: text };
    const login = aboutSchema.safeParse(parseJson(Buffer.from(said, "base64url").toString("utf8")));
    return login.success
      ? {
          kind: "there",
          login: { ...login.data, accessToken, refreshToken: read(refresh), clientSecret: read(secret) },
        }
      : { kind: "none" };
  };
  return {
    of,
    async keep(server, login) {
      const result = await vault.change(new Map(valuesOf(server, login)));
      return result.ok ? null : result.reason;
    },
    alone(server, work) {
      const name = sha256(server).slice(0, 16);
      return changeAlone(`${vault.path}.login-${name}`, work, lockTimes);
    },
  };
}

const aboutSchema = z.strictObject({
  server: z.string(),
  issuer: z.string(),
  tokenEndpoint: z.string(),
  revocationEndpoint: z.string().nullable(),
  authMethods: z.array(z.string()),
  resource: z.string().nullable(),
  clientId: z.string(),
  redirectUrl: z.string().nullable().default(null),
  scope: z.string().nullable(),
  expiresAt: z.number().nullable(),
});

function namesOf(server: string) {
  const named = (what: string): string => `mcp.${server}.${what}`;
  return {
    about: named("login"),
    access: named("access-token"),
    refresh: named("refresh-token"),
    secret: named("client-secret"),
  };
}

/** The values of a login by their names; null for those that it has not. */
function valuesOf(server: string, login: StoredLogin | null): readonly (readonly [string, string | null])[] {
  const names = namesOf(server);
  const { accessToken = null, refreshToken = null, clientSecret = null, ...about } = login ?? {};
  return [
    // Values are masked wherever they stand, also in parts: an address must not be one.
    [names.about, login === null ? null : Buffer.from(JSON.stringify(about)).toString("base64url")],
    [names.access, accessToken],
    [names.refresh, refreshToken],
    [names.secret, clientSecret],
  ];
}
