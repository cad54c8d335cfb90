import { connectToDaemon } from "../../daemon/remote/connect-to-daemon.ts";
import type { Io } from "../../kernel/io.ts";
import { exitCodes } from "../../program/io.ts";
import { openPage } from "../../program/open-page.ts";
import { makeStartContext } from "../../program/start-context.ts";
import { choosePassphrase, withPassphrase } from "../../program/vault-passphrase.ts";
import { withInterrupt } from "../../program/with-interrupt.ts";
import type { NewPassphrase, Vault } from "../../settings/vault.ts";
import { escapeForTerminal } from "../../text/visible.ts";
import { findLoginServer, type LoginServer, signInToServer, signOutOfServer } from "./mcp-logins.ts";

/** Milliseconds in which somebody has to sign in. */
const longest = 600_000;

type Found = LoginServer & { readonly ok: true };

/** Signs the owner in to a server, and keeps the login in the vault. */
export async function loginCommand(
  io: Io,
  name: string,
  asked: { readonly scope?: string | undefined; readonly "no-browser": boolean; readonly json: boolean },
): Promise<number> {
  const found = findLoginServer(io.environment, name);
  if (!found.ok) return refuse(io, found.reason);
  const { config } = found.policy;
  // Before anybody signs in, there is a place for what comes of it.
  const fresh = await openVault(io, config.vault);
  if (typeof fresh === "string") return refuse(io, fresh);
  const show = async (page: URL, issuer: string): Promise<void> => {
    io.err(escapeForTerminal(`Sign in to ${name} at ${page.host} (for ${issuer}):\n${page.href}\n`));
    if (!asked["no-browser"]) openPage(io.environment, page);
  };
  const scopes = (asked.scope ?? "").split(/\s+/).filter((scope) => scope !== "");
  const result = await withInterrupt(io, (signal) =>
    signInToServer(found, { scopes, show }, AbortSignal.any([signal, AbortSignal.timeout(longest)])),
  );
  if (!result.ok) return refuse(io, result.reason);
  if (result.login === null) return refuse(io, `${name} wants no login: it answers without one.`);
  if (fresh !== null) {
    const made = await config.vault.set(fresh, `mcp.${name}.access-token`, result.login.accessToken);
    const opened = made.ok ? await config.vault.unlock(fresh.passphrase) : made;
    if (!opened.ok) return refuse(io, opened.reason);
  }
  const { login } = result;
  const { mcpLogins } = config;
  const problem = await mcpLogins.alone(name, () => mcpLogins.keep(name, login));
  if (problem !== null) return refuse(io, problem);
  await tellAgent(io, found);
  const { issuer, scope } = result.login;
  tell(
    io,
    asked.json
      ? `${JSON.stringify({ login: name, issuer, scope })}\n`
      : `Signed in to ${name}. Its tokens are in the vault, and go to ${found.url.origin} alone.\n`,
  );
  return exitCodes.done;
}

/** Takes a login back. */
export async function logoutCommand(io: Io, name: string, json: boolean): Promise<number> {
  const found = findLoginServer(io.environment, name);
  if (!found.ok) return refuse(io, found.reason);
  const { vault, mcpLogins } = found.policy.config;
  if (mcpLogins.of(name).kind === "none") return refuse(io, `Nobody is signed in to ${name}.`);
  const opened = await openVault(io, vault);
  if (typeof opened === "string") return refuse(io, opened);
  const state = mcpLogins.of(name);
  if (state.kind !== "there") return refuse(io, `The login at ${name} cannot be read.`);
  const { forgotten, revoked } = await signOutOfServer(found, state.login);
  if (forgotten !== null) return refuse(io, forgotten);
  await tellAgent(io, found);
  const rest = revoked === null ? "" : ` The service was not told, or did not take it: ${revoked}.`;
  tell(
    io,
    json
      ? `${JSON.stringify({ logout: name, revoked: revoked === null })}\n`
      : `Signed out of ${name}: its tokens are forgotten.${rest}\n`,
  );
  return exitCodes.done;
}

/** Unlocks the vault, or chooses the passphrase of one that is still to be made. Gives why that cannot be, in words. */
async function openVault(io: Io, vault: Vault): Promise<NewPassphrase | null | string> {
  if (vault.status().state === "none") return choosePassphrase(io, false);
  const result = await withPassphrase(io, vault, (given) => vault.unlock(given));
  return result.ok ? null : result.reason;
}

/** Lets the running agent know the tokens, so that it masks them from now on. */
async function tellAgent(io: Io, { policy }: Found): Promise<void> {
  await using agent = await connectToDaemon(makeStartContext(io), policy, "cli");
  await agent?.changeVault({ change: "none" });
}

function tell(io: Io, text: string): void {
  io.out(escapeForTerminal(text));
}

function refuse(io: Io, text: string): number {
  io.err(escapeForTerminal(`${text}\n`));
  return exitCodes.failed;
}
