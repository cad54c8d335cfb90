import { z } from "zod";
import { isJsonArray, isJsonObject, type JsonObject } from "../../text/json.ts";
import type { ChatFailure } from "../chat/chat-service.ts";
import { type DaemonPlace, rpcErrors, type SignalDaemon } from "./signal-daemon.ts";

/** The account of a daemon: what its calls want so that they are for it, and the version of signal-cli. */
export type ServedAccount = { readonly version: string; readonly params: JsonObject };

/** The oldest signal-cli that is used, and the Java that it needs. */
export const oldestVersion = "0.14.10";
export const oldestJava = 25;

/**
 * Asks a daemon what it is, and whether it serves a number. One that serves a single account does not tell
 * which.
 */
export async function askProgram(
  daemon: SignalDaemon,
  { address, number }: DaemonPlace,
): Promise<{ readonly ok: true; readonly account: ServedAccount } | ChatFailure> {
  const asked = await daemon.call("version", {});
  if (!asked.ok) return asked;
  const read = z.looseObject({ version: z.string() }).safeParse(asked.result);
  if (!read.success) return noAccess(`what listens at ${address} is no signal-cli`);
  const { version } = read.data;
  if (!isNewEnough(version))
    return noAccess(
      `signal-cli ${version} is too old: version ${oldestVersion} is needed, with Java ${oldestJava}. Put a newer one in its place: https://github.com/AsamK/signal-cli/releases`,
    );
  const listed = await daemon.call("listAccounts", {});
  if (!listed.ok)
    return listed.rpc === rpcErrors.unknownMethod ? { ok: true, account: { version, params: {} } } : listed;
  const accounts = isJsonArray(listed.result) ? listed.result.filter(isJsonObject) : [];
  return accounts.some((account) => account["number"] === number)
    ? { ok: true, account: { version, params: { account: number } } }
    : noAccess(
        `signal-cli has no account ${number}. Register or link it first: signal-cli -a ${number} register`,
      );
}

function noAccess(reason: string): ChatFailure {
  return { ok: false, code: "no-access", reason };
}

/** What is no version of numbers is a build of somebody's own, and theirs to judge. */
function isNewEnough(version: string): boolean {
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  if (parts === undefined) return true;
  const oldest = oldestVersion.split(".").map(Number);
  const at = parts.findIndex((part, index) => part !== oldest[index]);
  return at === -1 || (parts[at] ?? 0) > (oldest[at] ?? 0);
}
