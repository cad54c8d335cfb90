import { type InputKind, inputKindOf } from "../../signal/attachment.ts";
import type { Effect } from "../../signal/effect.ts";
import type { Facts, Finding } from "../../signal/facts.ts";
import type { JournalRecord } from "../../signal/journal-entry.ts";
import type { Label } from "../../signal/label.ts";
import type { Message } from "../../signal/message.ts";
import type { PriceOrigin } from "../../signal/spending.ts";
import type { Judge } from "../../signal/verdict.ts";
import type { Clock, Wait } from "../../text/clock.ts";
import type { Json } from "../../text/json.ts";
import { makeAsSentTo } from "./as-sent-to.ts";
import { fitToBudget } from "./fit-to-budget.ts";
import { type JudgedModelCall, recordOfModelCall } from "./judged-call.ts";
import type { ModelFailure, ModelRequest, Prices, Provider } from "./model-port.ts";
import { type ReceiveResult, receiveAnswer, type StreamHooks, type Timeouts } from "./receive-answer.ts";
import { makeRenderer, type PrivatePassages, type RenderedPrompt, type SecretFilter } from "./render.ts";
import { makeRequestDigest } from "./request-digest.ts";
import {
  type LedgerPort,
  type RefusalCode,
  type Refused,
  Reservation,
  refuseBeyond,
  refuseUnpriced,
} from "./reservation.ts";
import type { TokenUsage } from "./token-usage.ts";
import { costOf, maxUsage, mostCostOf, usageOf } from "./usage.ts";

/** The journal, as a port. Resolves when the record is appended, or, with `forced`, when it is on disk. */
export type AppendRecord = (record: JournalRecord, options: { readonly forced: boolean }) => Promise<unknown>;

/** The turn and the origin that a model is called for. */
export type CallOrigin = { readonly turn: string; readonly origin: Facts["origin"] };

/** Gathers the facts of a model call. `findings` are the secrets that masking left over. */
export type GatherCallFacts = (
  call: CallOrigin & {
    readonly provider: string;
    readonly model: string;
    readonly findings: readonly Finding[];
  },
) => Facts;

/** What one attempt needs. */
export type AttemptParts = {
  readonly judge: Judge;
  readonly facts: GatherCallFacts;
  readonly ledger: LedgerPort;
  readonly journal: AppendRecord;
  readonly secrets: SecretFilter;
  readonly privatePassages: PrivatePassages;
  /** Messages as the files that they were read from allow now. */
  readonly labelAgain: (messages: readonly Message[], isLocal: boolean) => Promise<readonly Message[]>;
  /** Whether text of a session may reach a model that is not local. */
  readonly textMayLeave: boolean;
  /** The bytes of an attached file, by their digest; null where they are not kept any more. */
  readonly readAttached: (digest: string) => Promise<Uint8Array | null>;
  /** Whether a model without a known price may be asked, at the most that is assumed. */
  readonly unpricedModels: "refuse" | "allow";
  readonly clock: Clock;
  readonly wait: Wait;
  readonly timeouts: Timeouts;
};

/** What one attempt needs, with caches of the messages that were sent before. */
export type CachedAttemptParts = ReturnType<typeof withCaches>;

/** Adds caches of rendered and hashed messages. An entry lives as long as its message. */
export function withCaches(parts: AttemptParts) {
  return {
    ...parts,
    asSentTo: makeAsSentTo(),
    render: makeRenderer(parts.secrets, parts.privatePassages, parts.textMayLeave),
    digest: makeRequestDigest(),
  };
}

/** One attempt at one provider. `number` counts from 1; an answer has to begin by `beginBy` and to be whole by `endBy`, in Unix milliseconds. */
export type CallAttempt = CallOrigin & {
  /** What chose the models of the turn; null where the order of the settings holds. */
  readonly route: string | null;
  readonly provider: Provider;
  readonly request: ModelRequest;
  /** The prices of the model; null if they are not known. */
  readonly prices: Prices | null;
  readonly price: PriceOrigin;
  /** What the model takes beside text. */
  readonly inputs: readonly InputKind[];
  readonly number: number;
  readonly beginBy: number;
  readonly endBy: number;
  /** Milliseconds without a first token after which it is given up. */
  readonly firstTokenMs: number;
};

/** The result of one attempt. Costs are millionths of a dollar; `priced` is false if they are an upper bound. */
export type AttemptResult =
  | {
      readonly status: "answered";
      readonly received: Extract<ReceiveResult, { ok: true }>;
      /** What was sent. */
      readonly request: ModelRequest;
      /** The label of what was sent; withheld text does not count. */
      readonly sentLabel: Label;
      readonly usage: TokenUsage;
      readonly microdollars: number;
      readonly priced: boolean;
      /** Milliseconds until the answer began. */
      readonly begunAfterMs: number;
    }
  | { readonly status: "failed"; readonly failure: ModelFailure; readonly shown: boolean }
  | { readonly status: "refused-here"; readonly code: RefusalCode; readonly reason: string };

const nothingReserved: Refused = { ok: false, remaining: 0, requested: 0 };

/**
 * The only way to a provider: render for it, reserve the cost, judge with the reservation, journal the intent, call,
 * book the cost, journal the outcome. Nothing is sent unless every earlier step succeeded.
 */
export async function attemptCall(
  parts: CachedAttemptParts,
  attempt: CallAttempt,
  hooks: StreamHooks,
  cancel: AbortSignal,
): Promise<AttemptResult> {
  const { provider, prices } = attempt;
  if (!provider.local || parts.textMayLeave) await parts.privatePassages.ready();
  const allowed =
    provider.local && !parts.textMayLeave
      ? attempt.request.messages
      : await parts.labelAgain(parts.asSentTo(attempt.request.messages, provider), provider.local);
  const rendered = parts.render({ ...attempt.request, messages: allowed }, provider.local);
  const files = await filesFor(parts, attempt, rendered.messages);
  const { system, messages } = rendered;
  const whole = { ...attempt.request, system, messages, files, session: attempt.origin.session };
  const isRefused = prices === null && parts.unpricedModels === "refuse";
  const { request, microdollars, reserved } = isRefused
    ? { request: whole, microdollars: 0, reserved: nothingReserved }
    : await reserve(parts, attempt, whole);
  const digest = parts.digest(provider, request);
  if (!reserved.ok) {
    const judged = judgeModelCall(parts, attempt, rendered, null);
    await parts.journal(recordOf({ attempt, digest, judged, kind: "verdict", detail: {} }), {
      forced: false,
    });
    const named = { provider: provider.name, model: request.model, isPriced: prices !== null };
    return { status: "refused-here", ...(isRefused ? refuseUnpriced(named) : refuseBeyond(reserved, named)) };
  }
  await using reservation = reserved.reservation;
  const judged = judgeModelCall(parts, attempt, rendered, microdollars);
  if (judged.verdict.decision !== "pass") {
    await reservation.release("blocked");
    await parts.journal(recordOf({ attempt, digest, judged, kind: "verdict", detail: {} }), {
      forced: false,
    });
    return { status: "refused-here", code: "blocked", reason: judged.verdict.reason };
  }
  const detail = { microdollars, reservation: reservation.id };
  await parts.journal(recordOf({ attempt, digest, judged, kind: "intent", detail }), { forced: true });
  return await send(parts, { attempt, request, digest, judged, reservation }, hooks, cancel);
}

/** The bytes of the attached files that the model takes, and of which nothing is withheld. */
async function filesFor(
  { readAttached }: AttemptParts,
  { inputs }: CallAttempt,
  messages: readonly Message[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const message of messages) {
    if (message.role !== "attachment" || message.textOnly === true) continue;
    const kind = inputKindOf(message.file);
    const { digest } = message.file;
    const bytes = kind !== null && inputs.includes(kind) ? await readAttached(digest) : null;
    if (bytes !== null) files.set(digest, bytes);
  }
  return files;
}

/** Reserves the most that the request may cost. Where the budget does not cover it, a shorter answer is asked for, if that still makes sense. */
async function reserve(
  { ledger }: AttemptParts,
  { turn, origin, route, provider, prices, price }: CallAttempt,
  request: ModelRequest,
) {
  const { session } = origin;
  const named = { turn, session, provider: provider.name, model: request.model, price, route };
  const hold = (asked: ModelRequest) => {
    const most = maxUsage(asked);
    return Reservation.hold(ledger, named, { ...most, microdollars: mostCostOf(most, prices) });
  };
  const microdollars = mostCostOf(maxUsage(request), prices);
  const reserved = await hold(request);
  const shorter =
    reserved.ok || reserved.usedUp !== undefined ? null : fitToBudget(request, prices, reserved.remaining);
  if (shorter === null) return { request, microdollars, reserved };
  const less = mostCostOf(maxUsage(shorter), prices);
  return { request: shorter, microdollars: less, reserved: await hold(shorter) };
}

function judgeModelCall(
  parts: AttemptParts,
  attempt: CallAttempt,
  rendered: RenderedPrompt,
  reserved: number | null,
): JudgedModelCall {
  const { provider, turn, origin, request } = attempt;
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

async function send(
  parts: AttemptParts,
  sent: {
    readonly attempt: CallAttempt;
    readonly request: ModelRequest;
    readonly digest: string;
    readonly judged: JudgedModelCall;
    readonly reservation: Reservation;
  },
  hooks: StreamHooks,
  cancel: AbortSignal,
): Promise<AttemptResult> {
  const { attempt, request, digest, judged, reservation } = sent;
  const { provider, beginBy, endBy, prices, firstTokenMs } = attempt;
  reservation.markSent();
  const begun = { after: 0 };
  const stream = (stop: AbortSignal) => provider.stream(request, reservation, stop);
  const onBegun = noteTime(parts.clock, begun);
  const timeouts = { ...parts.timeouts, firstTokenMs };
  const { maxOutputTokens } = request;
  const limits = { beginBy, endBy, timeouts, maxOutputTokens };
  const received = await receiveAnswer(
    { ...parts, ...limits, provider: provider.name, stream, hooks, onBegun },
    cancel,
  );
  const usage = usageOf(received, request);
  const microdollars = usage === null ? 0 : costOf(usage, prices);
  const used = usage === null ? undefined : { ...usage, microdollars };
  if (received.ok && used !== undefined) await reservation.settle(used);
  else await reservation.release(received.ok ? "unused" : received.failure.code, used);
  const outcome = { status: received.ok ? "success" : received.failure.code, microdollars, ...usage };
  await parts.journal(recordOf({ attempt, digest, judged, kind: "outcome", detail: outcome }), {
    forced: false,
  });
  if (received.ok) {
    const counted = usage ?? { inputTokens: 0, outputTokens: 0 };
    const booked = { usage: counted, microdollars, priced: prices !== null };
    const sentLabel = judged.effect.label;
    return { status: "answered", received, request, sentLabel, ...booked, begunAfterMs: begun.after };
  }
  const message = parts.secrets.mask(received.failure.message);
  return { status: "failed", failure: { ...received.failure, message }, shown: received.shown };
}

/** Notes how many milliseconds after now it is called. */
function noteTime(clock: Clock, noted: { after: number }): () => true {
  const from = clock();
  return () => {
    noted.after = clock() - from;
    return true;
  };
}

type RecordParts = {
  readonly attempt: CallAttempt;
  readonly digest: string;
  readonly judged: JudgedModelCall;
  readonly kind: "verdict" | "intent" | "outcome";
  readonly detail: { readonly [key: string]: Json };
};

function recordOf({ attempt, digest, judged, kind, detail }: RecordParts): JournalRecord {
  const { turn, origin, route, provider, request, number } = attempt;
  const chosenBy = route === null ? {} : { route };
  const named = { provider: provider.name, model: request.model, attempt: number, ...chosenBy };
  return recordOfModelCall(judged, {
    turn,
    session: origin.session,
    kind,
    digest,
    detail: { ...named, ...detail },
  });
}
