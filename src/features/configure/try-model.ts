import { randomUUID } from "node:crypto";
import { readLlamaServer } from "../../health/check-llama-server.ts";
import { openSpending } from "../../memory/state/open-spending.ts";
import { raisedBy } from "../../memory/state/spending-day.ts";
import { StateProblem } from "../../memory/storage/state-problem.ts";
import type { ModelFailure, ModelRecord, ModelRequest, Provider } from "../../reason/model/model-port.ts";
import { Reservation, refuseBeyond } from "../../reason/model/reservation.ts";
import type { TokenUsage } from "../../reason/model/token-usage.ts";
import {
  completeUsage,
  costOf,
  credibleUsage,
  estimateUsage,
  maxUsage,
  mostCostOf,
} from "../../reason/model/usage.ts";
import { locateProvider } from "../../reason/providers/locate-provider.ts";
import { buildProviders } from "../../reason/providers/registry.ts";
import type { ProviderSetting } from "../../reason/providers/settings.ts";
import type { Config } from "../../settings/config.ts";
import { bottomLabel } from "../../signal/label.ts";

/** What came of one real call to a model. */
export type Trial =
  | {
      readonly ok: true;
      readonly text: string;
      readonly milliseconds: number;
      readonly microdollars: number;
      /** Whether the model takes tools. */
      readonly callsTools: boolean;
    }
  | { readonly ok: false; readonly reason: string };

/** What the calls of setup are booked on. */
const setupJob = "setup";
const words = "Say in one short sentence that you are ready.";
const request = {
  system: "You are tried out once. Answer in one short sentence. Call no tool.",
  messages: [{ role: "user", text: words, label: bottomLabel }],
  stableMessages: 0,
} as const;
/** A tool that nobody runs: a model that takes no tools refuses the call. */
const tool = {
  name: "now",
  description: "Gives the time.",
  parameters: { type: "object", properties: {}, additionalProperties: false },
};

/** What trying a model needs: patience in milliseconds, and the settings with the caps and the state folder. */
export type TryingParts = {
  readonly config: Pick<Config, "budgetPerDay" | "budgetPerTurn" | "places" | "firstTokenTimeout">;
  readonly cancel: AbortSignal;
};

/**
 * Asks a model one short question, with a tool beside it as the agent does; where the model takes no tools,
 * once more without. A model answers that began to
 * within the patience. Each call is reserved under the caps and booked like those of turns; what cannot be
 * booked is not asked.
 */
export async function tryModel(setting: ProviderSetting, parts: TryingParts): Promise<Trial> {
  const { providers, problems } = buildProviders([setting], Date.now);
  const provider = providers.get(setting.name);
  if (provider === undefined) return { ok: false, reason: problems.join(" ") };
  const record = await provider.recordOf(provider.model);
  const began = performance.now();
  const turn = randomUUID();
  const ask = (callsTools: boolean): Promise<Asked> =>
    askOnce(parts, { provider, record, turn }, callsTools ? [tool] : []);
  try {
    const first = await ask(provider.callsTools);
    const refusesTools = !first.ok && takesNoTools.test(first.reason);
    const last = refusesTools ? await ask(false) : first;
    if (!last.ok) return last;
    return {
      ok: true,
      text: last.text.trim(),
      milliseconds: performance.now() - began,
      microdollars: last.microdollars,
      callsTools: provider.callsTools && !refusesTools,
    };
  } catch (error) {
    if (!(error instanceof StateProblem)) throw error;
    return { ok: false, reason: `was not asked, since what it costs cannot be booked: ${error.message}` };
  }
}

/** Tokens of the answer, with room for a model that thinks first. */
const mostTokens = 2_048;
/** Ollama's words for a model without tools. */
const takesNoTools = /does not support tools|tools? (?:is|are) not supported|no tool support/i;

type Asked =
  | { readonly ok: true; readonly text: string; readonly microdollars: number }
  | { readonly ok: false; readonly reason: string };

type Tried = { readonly provider: Provider; readonly record: ModelRecord; readonly turn: string };

async function askOnce(
  { config, cancel }: TryingParts,
  { provider, record: { prices, maxOutputTokens, origin }, turn }: Tried,
  tools: ModelRequest["tools"],
): Promise<Asked> {
  const { name, model } = provider;
  const asked = { ...request, model, maxOutputTokens: Math.min(maxOutputTokens, mostTokens), tools };
  const most = maxUsage(asked);
  await using spending = await openSpending(config.places.state, Date.now);
  const more = raisedBy(await spending.raisedBudget.get(), Date.now());
  const limits = {
    perDay: config.budgetPerDay * 1e6 + more,
    perSession: null,
    perTurn: config.budgetPerTurn * 1e6 + more,
  };
  const purpose = { job: setupJob, skill: null, route: null };
  const held = await Reservation.hold(
    {
      ...spending.ledger,
      reserve: (wanted) => spending.ledger.reserve({ ...wanted, limits, purpose }),
    },
    { turn, session: setupJob, provider: name, model, price: origin.prices, route: null },
    { ...most, microdollars: mostCostOf(most, prices) },
  );
  if (!held.ok) {
    const { reason } = refuseBeyond(held, { provider: name, isPriced: prices !== null });
    return { ok: false, reason: `was not asked. ${reason}. Raise BUDGET_PER_DAY, or try it tomorrow` };
  }
  await using reservation = held.reservation;
  const stop = AbortSignal.any([cancel, AbortSignal.timeout(config.firstTokenTimeout)]);
  reservation.markSent();
  const { text, usage, failure } = await collect(provider, { asked, reservation }, stop);
  const begun = failure?.begun ?? true;
  const used = begun ? completeUsage(credibleUsage(usage), estimateUsage(asked, text)) : credibleUsage(usage);
  const spent = used === null ? undefined : { ...used, microdollars: costOf(used, prices) };
  const hasBegun = failure?.code === "cancelled" && !cancel.aborted && text.trim() !== "";
  if (failure !== null && !hasBegun) {
    await reservation.release(failure.code, spent);
    return { ok: false, reason: failure.message };
  }
  if (spent !== undefined) await reservation.settle(spent);
  return { ok: true, text, microdollars: spent?.microdollars ?? 0 };
}

type Collected = {
  readonly text: string;
  readonly usage: TokenUsage | null;
  readonly failure: ModelFailure | null;
};

async function collect(
  provider: Provider,
  { asked, reservation }: { readonly asked: ModelRequest; readonly reservation: Reservation },
  cancel: AbortSignal,
): Promise<Collected> {
  let text = "";
  for await (const part of provider.stream(asked, reservation, cancel)) {
    if (part.kind === "text") text += part.text;
    if (part.kind === "withdrawn") text = "";
    if (part.kind === "failed") return { text, usage: part.failure.usage, failure: part.failure };
    if (part.kind === "finish") return { text, usage: part.usage, failure: null };
  }
  throw new Error(`The stream of ${provider.name} ended without its last part.`);
}

/** The setting as its server needs it: what a llama.cpp server tells of its context and of tools counts. Tools are tried, whatever was set for an earlier model. */
export async function tuneSetting(
  setting: ProviderSetting,
): Promise<{ readonly setting: ProviderSetting; readonly contextWindow: number | null }> {
  const { callsTools: _, ...rest } = setting;
  const located = locateProvider(setting);
  const isServer = setting.kind === "llama" && typeof located !== "string" && located.loopback;
  const server = isServer ? await readLlamaServer(located.url) : null;
  const contextWindow = server?.contextWindow ?? null;
  return {
    contextWindow,
    setting: {
      ...rest,
      callsTools: server?.callsTools !== false,
      ...(contextWindow === null ? {} : { contextWindow }),
    },
  };
}
