import type { Io } from "../../kernel/io.ts";
import { makeStartContext } from "../../program/start-context.ts";
import type { Config } from "../../settings/config.ts";
import { windowMinutes } from "../../settings/pairing-windows.ts";
import { loadPolicy } from "../../settings/policy.ts";
import { doorKeys } from "../../signal/actuator.ts";
import { loadGateways } from "../gateway/feature.ts";
import type { Prompts } from "./prompts.ts";
import type { ChosenDoor } from "./setup-plan.ts";

/** What a service is for, and what it wants first. */
const hints: ReadonlyMap<string, string> = new Map([
  ["telegram", "with a bot of your own, from @BotFather"],
  ["signal", "with signal-cli on this machine, and a number of its own"],
]);

/**
 * Asks, in one question that Enter declines, whether the agent should be reached by a chat service as well,
 * and for its key, which is tried. Null where nobody wants one; nothing is asked where all are set up.
 */
export async function askDoor(io: Io, prompts: Prompts, { vault }: Config): Promise<ChosenDoor | null> {
  const { names } = vault.status();
  const left = [...doorKeys].filter(([, key]) => !names.includes(key));
  if (left.length === 0) return null;
  const choices = [
    { value: null, label: "No" },
    ...left.map(([service]) => ({
      value: service,
      label: `${service.slice(0, 1).toUpperCase()}${service.slice(1)}`,
      hint: hints.get(service) ?? "",
    })),
  ];
  const { askedOf, tryGateway } = await loadGateways();
  for (;;) {
    const service = await prompts.choose("Reach it from your phone as well?", choices, null);
    if (service === null) return null;
    const { words, isSecret } = askedOf(service).key;
    const value = (isSecret ? await prompts.hidden(words) : await prompts.line(words, "")).trim();
    const tried = await tryGateway(makeStartContext(io), service, { key: value, chats: [] });
    if (tried.ok) return { service, name: doorKeys.get(service) ?? "", value, peer: tried.name };
    prompts.warn(tried.reason);
  }
}

/** From now on the service gives codes. Gives what the owner does next. */
export function giveCodes(io: Io, { service, peer }: ChosenDoor): string {
  loadPolicy(io.environment).pairingWindows.open(service, { now: Date.now(), isAnew: false });
  return `For ${windowMinutes} minutes whoever writes to ${peer} is given a code. Start the daemon (passepartout service install), write to it, and then: passepartout gateway link ${service} CODE`;
}
