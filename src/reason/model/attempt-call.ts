import { createHash } from "node:crypto";
import type { Clock, Wait } from "../../signal/clock.ts";
import type { Effect } from "../../signal/effect.ts";
import type { Facts, Finding } from "../../signal/facts.ts";
import type { JournalRecord } from "../../signal/journal-entry.ts";
import { canonicalJson, type Json, type JsonObject } from "../../signal/json.ts";
import type { Label } from "../../signal/label.ts";
import type { Judge, Verdict } from "../../signal/verdict.ts";
import type { ModelFailure, ModelRequest, Provider, TokenUsage } from "./model-port.ts";
import { type ReceiveResult, receiveAnswer, type StreamHooks, type Timeouts } from "./receive-answer.ts";
import { makeRenderer, type RenderedPrompt, type Renderer, type SecretScanner } from "./render.ts";
import { costOf, credibleUsage, estimateUsage, maxUsage, pricesOf } from "./usage.ts";

/** The ledger, as a port. Millionths of a dollar. `reserve` is atomic against the caps. */
export type LedgerPort = {
  readonly reserve: (wanted: {
    readonly turn: string;
    readonly session: string;
    readonly provider: string;
    readonly model: string;
    readonly microdollars: number;
  }) => Promise<
    | { readonly ok: true; readonly id: string }
    | { readonly ok: false; readonly remaining: number; readonly requested: number }
  >;
  readonly settle: (id: string, used: TokenUsage & { readonly microdollars: number }) => Promise<void>;
  /** Books a try that failed: nothing, or what it took all the same. */
  readonly release: (
    id: string,
    reason: string,
    used?: TokenUsage & { readonly microdollars: number },
  ) => Promise<void>;
};

/** The journal, as a port: it resolves when the record is kept, on the disk where `forced`. */
export type AppendRecord = (record: JournalRecord, options: { readonly forced: boolean }) => Promise<unknown>;

/** Who a model is called for. */
export type CallOrigin = { readonly turn: string; readonly origin: Facts["origin"] };

/** Gathers the facts of a model call. The findings are those that masking left over. */
export type GatherCallFacts = (
  call: CallOrigin & {
    readonly provider: string;
    readonly model: string;
    readonly findings: readonly Finding[];
  },
) => Facts;

/** The powers that one try needs. */
export type AttemptParts = {
  readonly judge: Judge;
  readonly facts: GatherCallFacts;
  readonly ledger: LedgerPort;
  readonly journal: AppendRecord;
  readonly secrets: SecretScanner;
  readonly clock: Clock;
  readonly wait: Wait;
  readonly timeouts: Timeouts;
};

/** The powers of a try, with what they remember of the messages that were sent before. */
export type CachedAttemptParts = AttemptParts & { readonly render: Renderer; readonly digest: RequestDigest };

/** Lets tries remember what they looked through, as long as its messages are held by somebody. */
export function withCaches(parts: AttemptParts): CachedAttemptParts {
  return { ...parts, render: makeRenderer(parts.secrets), digest: makeRequestDigest() };
}

/** One try at one provider. `attempt` counts from 1; `deadline` is in Unix milliseconds. */
export type CallAttempt = CallOrigin & {
  readonly provider: Provider;
  readonly request: ModelRequest;
  readonly attempt: number;
  readonly deadline: number;
};

/** What became of one try. Costs are millionths of a dollar; `priced` is false where they are an upper bound. */
export type AttemptResult =
  | {
      readonly status: "answered";
      readonly heard: Extract<ReceiveResult, { ok: true }>;
      /** The label of what was sent: without what was withheld. */
      readonly seen: Label;
      readonly usage: TokenUsage;
      readonly microdollars: number;
      readonly priced: boolean;
    }
  | { readonly status: "failed"; readonly failure: ModelFailure; readonly shown: boolean }
  | { readonly status: "refused-here"; readonly code: "over-budget" | "blocked"; readonly reason: string };

/**
 * The only way to a provider: render for its audience, reserve, judge with the reservation, write the intent, call,
 * book what it cost, write the outcome. Nothing is sent unless every step before it was done.
 */
export async function attemptCall(
  parts: CachedAttemptParts,
  tried: CallAttempt,
  hooks: StreamHooks,
  cancel: AbortSignal,
): Promise<AttemptResult> {
  const { provider, turn, origin } = tried;
  const rendered = parts.render(tried.request, provider.local);
  const { model } = tried.request;
  const request = { ...tried.request, system: rendered.system, messages: rendered.messages };
  const digest = parts.digest(provider, request);
  const most = maxUsage(request);
  const microdollars = costOf(most, pricesOf(provider, model));
  const wanted = { turn, session: origin.session, provider: provider.name, model, microdollars };
  const reserved = await parts.ledger.reserve(wanted);
  if (!reserved.ok) {
    const judged = judgeCall(parts, tried, rendered, null);
    await parts.journal(entryOf({ tried, digest, judged, kind: "verdict", detail: {} }), { forced: false });
    return { status: "refused-here", code: "over-budget", reason: describeOverBudget(reserved) };
  }
  await using hold = holdReservation(parts.ledger, reserved.id, { ...most, microdollars });
  const judged = judgeCall(parts, tried, rendered, microdollars);
  if (judged.verdict.decision !== "pass") {
    await hold.release("blocked");
    await parts.journal(entryOf({ tried, digest, judged, kind: "verdict", detail: {} }), { forced: false });
    return { status: "refused-here", code: "blocked", reason: judged.verdict.reason };
  }
  const detail = { microdollars, reservation: reserved.id };
  await parts.journal(entryOf({ tried, digest, judged, kind: "intent", detail }), { forced: true });
  return await send(parts, { tried, request, digest, judged, hold }, hooks, cancel);
}

type Judged = { readonly effect: Effect; readonly facts: Facts; readonly verdict: Verdict };

function judgeCall(
  parts: AttemptParts,
  tried: CallAttempt,
  rendered: RenderedPrompt,
  reserved: number | null,
): Judged {
  const { provider, turn, origin, request } = tried;
  const effect: Effect = {
    kind: "call-model",
    target: provider.name,
    label: rendered.label,
    reversal: "final",
    model: request.model,
    local: provider.local,
    reservedMicrodollars: reserved,
  };
  const findings = rendered.findings.map((finding) => ({ ...finding, effectIndex: 0 }));
  const facts = parts.facts({ turn, origin, provider: provider.name, model: request.model, findings });
  return { effect, facts, verdict: parts.judge([effect], facts) };
}

type Hold = ReturnType<typeof holdReservation>;

/** A reservation that is always booked: released where nothing was sent, and settled in full where a fault hid what was used. */
export function holdReservation(
  ledger: LedgerPort,
  id: string,
  most: TokenUsage & { readonly microdollars: number },
) {
  let state: "held" | "sent" | "booked" = "held";
  return {
    sending: () => {
      state = "sent";
    },
    settle: async (used: TokenUsage & { readonly microdollars: number }) => {
      state = "booked";
      await ledger.settle(id, used);
    },
    release: async (reason: string, used?: TokenUsage & { readonly microdollars: number }) => {
      state = "booked";
      await ledger.release(id, reason, used);
    },
    [Symbol.asyncDispose]: async () => {
      if (state === "held") await ledger.release(id, "fault");
      if (state === "sent") await ledger.settle(id, most);
    },
  };
}

async function send(
  parts: AttemptParts,
  sent: {
    readonly tried: CallAttempt;
    readonly request: ModelRequest;
    readonly digest: string;
    readonly judged: Judged;
    readonly hold: Hold;
  },
  hooks: StreamHooks,
  cancel: AbortSignal,
): Promise<AttemptResult> {
  const { tried, request, digest, judged, hold } = sent;
  const { provider, deadline } = tried;
  hold.sending();
  const stream = (stop: AbortSignal) => provider.stream(request, stop);
  const heard = await receiveAnswer({ ...parts, provider: provider.name, stream, hooks, deadline }, cancel);
  const usage = usageOf(heard, request);
  const prices = pricesOf(provider, request.model);
  const microdollars = usage === null ? 0 : costOf(usage, prices);
  const used = usage === null ? undefined : { ...usage, microdollars };
  if (heard.ok && used !== undefined) await hold.settle(used);
  else await hold.release(heard.ok ? "unused" : heard.failure.code, used);
  const booked = { status: heard.ok ? "success" : heard.failure.code, microdollars, ...usage };
  await parts.journal(entryOf({ tried, digest, judged, kind: "outcome", detail: booked }), {
    forced: false,
  });
  if (heard.ok) {
    const counted = usage ?? { inputTokens: 0, outputTokens: 0 };
    const seen = judged.effect.label;
    return { status: "answered", heard, seen, usage: counted, microdollars, priced: prices !== null };
  }
  const message = parts.secrets.mask(heard.failure.message);
  return { status: "failed", failure: { ...heard.failure, message }, shown: heard.shown };
}

function usageOf(heard: ReceiveResult, request: ModelRequest): TokenUsage | null {
  const told = credibleUsage(heard.ok ? heard.usage : heard.failure.usage);
  if (told !== null) return told;
  if (heard.ok) return estimateUsage(request, heard.text + JSON.stringify(heard.calls));
  return heard.failure.begun ? estimateUsage(request, heard.text) : null;
}

type Entry = {
  readonly tried: CallAttempt;
  readonly digest: string;
  readonly judged: Judged;
  readonly kind: "verdict" | "intent" | "outcome";
  readonly detail: { readonly [key: string]: Json };
};

/** SHA-256 over the canonical JSON of what is sent, in which each message and each declaration of a tool stands as its own SHA-256. */
type RequestDigest = (provider: Provider, request: ModelRequest) => string;

/** A digest that reads each message and each declaration of a tool once, however often it is sent. */
function makeRequestDigest(): RequestDigest {
  const digests = new WeakMap<JsonObject, string>();
  const digestOf = (part: JsonObject): string => {
    const digest = digests.get(part) ?? sha256(canonicalJson(part));
    digests.set(part, digest);
    return digest;
  };
  return (provider, { messages, tools, ...rest }) =>
    sha256(
      canonicalJson({
        ...{ provider: provider.name, ...rest },
        messages: messages.map(digestOf),
        tools: tools.map(digestOf),
      }),
    );
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function entryOf({ tried, digest, judged, kind, detail }: Entry): JournalRecord {
  const { turn, origin, provider, attempt } = tried;
  return {
    turn,
    session: origin.session,
    kind,
    digest,
    effects: [judged.effect],
    facts: judged.facts,
    verdict: judged.verdict.decision,
    trace: judged.verdict.trace,
    changes: [],
    detail: { event: "model-call", provider: provider.name, model: tried.request.model, attempt, ...detail },
  };
}

/** Says what remains and what was asked for. */
export function describeOverBudget({
  remaining,
  requested,
}: {
  readonly remaining: number;
  readonly requested: number;
}): string {
  const dollars = (microdollars: number) => `$${(microdollars / 1_000_000).toFixed(4)}`;
  return `Budget exhausted: ${dollars(remaining)} remaining, ${dollars(requested)} requested`;
}
