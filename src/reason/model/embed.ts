import { sha256 } from "../../machine/digest.ts";
import type { Effect } from "../../signal/effect.ts";
import type { Facts } from "../../signal/facts.ts";
import type { JournalRecord } from "../../signal/journal-entry.ts";
import { joinConversationLabels, type Label } from "../../signal/label.ts";
import type { PriceOrigin } from "../../signal/spending.ts";
import type { Judge } from "../../signal/verdict.ts";
import type { Clock } from "../../text/clock.ts";
import { canonicalJson } from "../../text/json.ts";
import type { AppendRecord } from "./attempt-call.ts";
import { type JudgedModelCall, recordOfModelCall } from "./judged-call.ts";
import type { ModelFailure, Prices } from "./model-port.ts";
import type { PrivatePassages, SecretFilter } from "./render.ts";
import { describeOverBudget, type LedgerPort, Reservation } from "./reservation.ts";
import { completeUsage, costOf, credibleUsage } from "./usage.ts";
import { isWithheldFromEmbedder } from "./withhold-private.ts";

/** The result of one request: a vector for each text, all of one length, or a failure. */
export type EmbedAnswer =
  | { readonly ok: true; readonly vectors: readonly Float32Array[]; readonly tokens: number | null }
  | { readonly ok: false; readonly failure: ModelFailure };

/** A service that turns texts into vectors. Its model, address and key reach no other provider. */
export type Embedder = {
  readonly name: string;
  /** Whether requests stay on this machine. Private text is sent to local embedders only. */
  readonly local: boolean;
  readonly model: string;
  /** The prices, null if they are not known (the highest is then assumed), and where they come from. */
  readonly prices: () => Promise<{ readonly prices: Prices | null; readonly price: PriceOrigin }>;
  /** Sends exactly one request, whose price is reserved, and never throws. */
  readonly embed: (
    texts: readonly string[],
    reserved: Reservation,
    cancel: AbortSignal,
  ) => Promise<EmbedAnswer>;
};

/** A text to be embedded. Its label decides which embedder may see it. */
export type EmbedText = { readonly text: string; readonly label: Label };

/** The texts of one request. The time-out is in milliseconds. */
export type EmbedRequest = {
  readonly origin: Facts["origin"];
  readonly texts: readonly EmbedText[];
  readonly timeoutMs: number;
};

/** A vector for each text, in order; null for a text that this embedder may not see. */
export type EmbedOutcome =
  | { readonly ok: true; readonly vectors: readonly (Float32Array | null)[] }
  | {
      readonly ok: false;
      readonly code: ModelFailure["code"] | "over-budget" | "blocked";
      readonly reason: string;
    };

/** What the door for embeddings needs. */
export type EmbedParts = {
  readonly embedder: Embedder;
  readonly judge: Judge;
  readonly facts: (origin: Facts["origin"]) => Facts;
  readonly ledger: LedgerPort;
  readonly journal: AppendRecord;
  readonly secrets: SecretFilter;
  readonly privatePassages: PrivatePassages;
  readonly clock: Clock;
};

/**
 * The only way to an embedder: withhold what it may not see, mask, reserve the cost, judge with the reservation, journal the intent, send, book the cost, journal the outcome.
 * A text that is secret, private for an embedder that is not local, or still looks like a secret after masking, is in no request.
 */
export async function embed(
  parts: EmbedParts,
  request: EmbedRequest,
  cancel: AbortSignal,
): Promise<EmbedOutcome> {
  const { embedder } = parts;
  if (!embedder.local) await parts.privatePassages.ready();
  const admitted = request.texts.map((text) => maskVisible(text, parts));
  const sent = admitted.filter((text) => text !== null);
  if (sent.length === 0) return { ok: true, vectors: admitted.map(() => null) };
  const texts = sent.map(({ text }) => text);
  const inputTokens = Math.ceil(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 2);
  const { prices, price } = await embedder.prices();
  const microdollars = costOf({ inputTokens, outputTokens: 0 }, prices);
  const { session } = request.origin;
  const named = { provider: embedder.name, model: embedder.model, price, route: null };
  const most = { inputTokens, outputTokens: 0, microdollars };
  const reserved = await Reservation.hold(parts.ledger, { ...named, turn: session, session }, most);
  const judged = judgeEmbedding(parts, request, sent, reserved.ok ? microdollars : null);
  const digest = digestOf(embedder, texts);
  if (!reserved.ok) {
    await parts.journal(recordOf(parts, { judged, digest, kind: "verdict", detail: {} }), { forced: false });
    return {
      ok: false,
      code: "over-budget",
      reason: describeOverBudget({ ...reserved, isPriced: true, provider: embedder.name }),
    };
  }
  await using reservation = reserved.reservation;
  if (judged.verdict.decision !== "pass") {
    await reservation.release("blocked");
    await parts.journal(recordOf(parts, { judged, digest, kind: "verdict", detail: {} }), { forced: false });
    return { ok: false, code: "blocked", reason: judged.verdict.reason };
  }
  const detail = { microdollars, reservation: reservation.id, texts: texts.length };
  await parts.journal(recordOf(parts, { judged, digest, kind: "intent", detail }), { forced: true });
  reservation.markSent();
  const answer = await send(parts, { texts, reservation, timeoutMs: request.timeoutMs }, cancel);
  const used = usedBy(answer, { inputTokens, outputTokens: 0 }, prices);
  if (answer.ok) await reservation.settle(used);
  else if (answer.failure.begun) await reservation.release(answer.failure.code, used);
  else await reservation.release(answer.failure.code);
  const status = answer.ok ? "success" : answer.failure.code;
  const booked = { status, microdollars: answer.ok || answer.failure.begun ? used.microdollars : 0 };
  await parts.journal(recordOf(parts, { judged, digest, kind: "outcome", detail: booked }), {
    forced: false,
  });
  if (!answer.ok) {
    const { code, message } = answer.failure;
    return { ok: false, code, reason: parts.secrets.mask(message) };
  }
  const vectors = answer.vectors.values();
  return {
    ok: true,
    vectors: admitted.map((text) => (text === null ? null : (vectors.next().value ?? null))),
  };
}

/** The masked text; null if this embedder may not see it. */
function maskVisible(
  { text, label }: EmbedText,
  { embedder, secrets, privatePassages }: EmbedParts,
): EmbedText | null {
  if (isWithheldFromEmbedder(label, embedder.local)) return null;
  if (!embedder.local && privatePassages.withhold(text) !== text) return null;
  const masked = secrets.mask(text);
  return masked.trim() === "" || secrets.scan(masked).length > 0 ? null : { text: masked, label };
}

/** Sends the request within its time. An answer that does not fit the request is a failure. */
async function send(
  { embedder }: EmbedParts,
  {
    texts,
    reservation,
    timeoutMs,
  }: { readonly texts: readonly string[]; readonly reservation: Reservation; readonly timeoutMs: number },
  cancel: AbortSignal,
): Promise<EmbedAnswer> {
  const late = AbortSignal.timeout(timeoutMs);
  const answer = await embedder.embed(texts, reservation, AbortSignal.any([cancel, late]));
  if (!answer.ok && late.aborted && !cancel.aborted) {
    return failed("timeout", "said nothing for too long", true);
  }
  if (!answer.ok) return answer;
  const [length = 0] = answer.vectors.map((vector) => vector.length);
  if (answer.vectors.length !== texts.length) {
    return failed("malformed", `sent ${answer.vectors.length} vectors for ${texts.length} texts`, true);
  }
  const whole = answer.vectors.every((vector) => vector.length === length && vector.every(Number.isFinite));
  return whole && length > 0 ? answer : failed("malformed", "sent vectors that do not fit together", true);
}

function failed(code: ModelFailure["code"], message: string, begun: boolean): EmbedAnswer {
  return { ok: false, failure: { code, message, retryAfterMs: null, begun, usage: null } };
}

/** What the request used: by the embedder's own count if it is plausible, else the most. */
function usedBy(
  answer: EmbedAnswer,
  most: { readonly inputTokens: number; readonly outputTokens: number },
  prices: Prices | null,
) {
  const tokens = answer.ok ? answer.tokens : null;
  const counted = tokens === null ? null : { inputTokens: tokens, outputTokens: 0 };
  const usage = completeUsage(credibleUsage(counted), most);
  return { ...usage, microdollars: costOf(usage, prices) };
}

function judgeEmbedding(
  parts: EmbedParts,
  { origin }: EmbedRequest,
  sent: readonly EmbedText[],
  reserved: number | null,
): JudgedModelCall {
  const { name, model, local } = parts.embedder;
  const effect: Effect = {
    kind: "call-model",
    target: name,
    label: joinConversationLabels(sent.map(({ label }) => label)),
    reversal: "final",
    model,
    local,
    reservedMicrodollars: reserved,
  };
  const facts = parts.facts(origin);
  return { effect, facts, verdict: parts.judge([effect], facts) };
}

function digestOf({ name, model }: Embedder, texts: readonly string[]): string {
  return sha256(canonicalJson({ provider: name, model, texts }));
}

function recordOf(
  { embedder }: EmbedParts,
  {
    judged,
    digest,
    kind,
    detail,
  }: { readonly judged: JudgedModelCall } & Pick<JournalRecord, "kind" | "digest" | "detail">,
): JournalRecord {
  const named = { purpose: "embedding", provider: embedder.name, model: embedder.model };
  return recordOfModelCall(judged, {
    turn: null,
    session: null,
    kind,
    digest,
    detail: { ...named, ...detail },
  });
}
