import { adviceOnProxy } from "../../connect/proxy-advice.ts";
import { callsUsedUp } from "../../signal/jobs/call-caps.ts";
import type { FailureCode, Provider } from "./model-port.ts";
import type { RefusalCode } from "./reservation.ts";
import { variableOf } from "./setting-name.ts";

/**
 * One failed attempt. `attempt` counts from 1; it is 0 if the provider was not asked: it rests, its key is in
 * a locked vault, the words of the turn are sent to another one alone, or no provider has the name.
 */
export type FailedTry = {
  readonly provider: string;
  readonly attempt: number;
  readonly code: FailureCode | RefusalCode | "unknown-provider" | "resting" | "locked" | "for-another";
  readonly message: string;
};

/** A provider that may be asked, with the model that was chosen. */
export type Candidate = { readonly provider: Provider; readonly model: string };

/** The cheaper models of the providers whose own the budget did not hold. */
export function cheaperThan(
  candidates: readonly Candidate[],
  tries: readonly FailedTry[],
): readonly Candidate[] {
  const beyond = new Set(tries.filter(({ code }) => code === "over-budget").map((tried) => tried.provider));
  return candidates.flatMap(({ provider, model }) => {
    const { cheaperModel = null } = provider;
    const isOther = cheaperModel !== null && cheaperModel !== model;
    return isOther && beyond.has(provider.name) ? [{ provider, model: cheaperModel }] : [];
  });
}

/** Why no provider of a cascade answered. */
export type CascadeFailure = {
  readonly code: "no-provider" | "over-budget" | "blocked" | "exhausted" | typeof callsUsedUp;
  readonly reason: string;
};

/** States what each provider did and what the person can do about it. */
export function describeCascadeFailure(tries: readonly FailedTry[]): CascadeFailure {
  const asked = tries.filter((tried) => tried.code !== "unknown-provider");
  const told = describe(tries);
  if (asked.length === 0) {
    const advice = "Name the providers to ask in PROVIDER_CASCADE, or work offline: /help lists what works.";
    return { code: "no-provider", reason: `No model provider is set up. ${told}${advice}` };
  }
  const usedUp = asked.find(({ code }) => code === callsUsedUp);
  if (usedUp !== undefined) return { code: callsUsedUp, reason: usedUp.message };
  const codes = new Set(asked.map((tried) => tried.code));
  if (codes.isSubsetOf(new Set(["unpriced"]))) return { code: "over-budget", reason: told.trim() };
  if (codes.isSubsetOf(new Set(["over-budget", "unpriced"]))) {
    return {
      code: "over-budget",
      reason: `${told}Raise the budget, or put a local provider into PROVIDER_CASCADE.`,
    };
  }
  if (codes.isSubsetOf(new Set(["blocked", "over-budget", "unpriced"]))) {
    return { code: "blocked", reason: `The model call was not allowed. ${told}`.trim() };
  }
  // What is told of a provider is its last failure, and so is what to do.
  const advice = [
    ...new Set(
      lastOfEach(asked)
        .map(adviceFor)
        .filter((text) => text !== ""),
    ),
  ].join(" ");
  return { code: "exhausted", reason: `No provider could answer. ${told}${advice}`.trim() };
}

/** One sentence for each provider: its last failure, and how often it was asked. */
function describe(tries: readonly FailedTry[]): string {
  return lastOfEach(tries)
    .map(
      ({ provider, attempt, message }) =>
        `${provider}: ${message}${attempt > 1 ? ` (${attempt} tries)` : ""}. `,
    )
    .join("");
}

function lastOfEach(tries: readonly FailedTry[]): readonly FailedTry[] {
  return [...new Map(tries.map((tried) => [tried.provider, tried])).values()];
}

/** What to do about a failure; empty if its message says so. */
function adviceFor({ code, provider, message }: FailedTry): string {
  switch (code) {
    case "refused":
      return adviceOnProxy(message) ?? `Start ${provider} or correct its address.`;
    case "unknown-host":
      return `Check the address of ${provider} and the network of this machine.`;
    case "bad-certificate":
      return `Check the address of ${provider} and the clock of this machine; name a certificate authority of your own in NODE_EXTRA_CA_CERTS.`;
    case "auth":
      return message.startsWith("has no key") ? "" : `Check the key of ${provider}.`;
    case "no-quota":
      return `Add credit or raise the limit at ${provider}, or add another provider to PROVIDER_CASCADE.`;
    case "no-model":
      return `Set ${variableOf(provider, "MODEL")} to a model that ${provider} has.`;
    case "filtered":
      return "Put it in other words, or ask another provider.";
    case "bad-request":
      return `Check the model and the address of ${provider}.`;
    case "too-long":
      return "Ask in a new session, or with less context.";
    case "out-of-tokens":
      return `Raise ${variableOf(provider, "MAX_OUTPUT")}, or ${variableOf(provider, "CONTEXT_WINDOW")} if its context is full, or ask for less at once.`;
    case "over-budget":
      return `Raise the budget for ${provider}.`;
    case "unpriced":
    case "locked":
    case "for-another":
      return "";
    case "resting":
      return "Ask again then, or add another provider to PROVIDER_CASCADE.";
    case "malformed":
      return `Try again later, check the address of ${provider} (${variableOf(provider, "BASE_URL")}), or add another provider to PROVIDER_CASCADE.`;
    case "rate-limited":
    case "server-error":
    case "timeout":
    case "empty":
    case "cut-off":
      return "Try again later, or add another provider to PROVIDER_CASCADE.";
    case callsUsedUp:
    case "blocked":
    case "cancelled":
    case "unknown-provider":
      return "";
  }
}
