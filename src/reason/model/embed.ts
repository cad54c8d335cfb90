import { createHash } from "node:crypto";
import type { Clock } from "../../signal/clock.ts";
import type { Effect } from "../../signal/effect.ts";
import type { Facts } from "../../signal/facts.ts";
import type { JournalRecord } from "../../signal/journal-entry.ts";
import { canonicalJson } from "../../signal/json.ts";
import { isNoMoreSecretThan, joinConversationLabels, type Label } from "../../signal/label.ts";
import type { Judge, Verdict } from "../../signal/verdict.ts";
import { type AppendRecord, describeOverBudget, holdReservation, type LedgerPort } from "./attempt-call.ts";
import type { ModelFailure, Prices } from "./model-port.ts";
import type { SecretScanner } from "./render.ts";
import { costOf, credibleUsage } from "./usage.ts";

/** What a try came to: as many vectors as texts, all of one length, or why not. */
export type EmbedAnswer =
  | { readonly ok: true; readonly vectors: readonly Float32Array[]; readonly tokens: number | null }
  | { readonly ok: false; readonly failure: ModelFailure };

/** Somebody who turns texts into vectors. Model, address and key belong to its record and reach nobody else. */
export type Embedder = {
  readonly name: string;
  /** Whether what is sent stays on this machine: private text goes to no other embedder. */
  readonly local: boolean;
  readonly model: string;
  /** Null where nobody said; then the most is assumed. */
  readonly prices: Prices | null;
  /** Sends exactly one request and never throws. */
  readonly embed: (texts: readonly string[], cancel: AbortSignal) => Promise<EmbedAnswer>;
};

/** A text to be embedded, with who may see it. */
export type EmbedText = { readonly text: string; readonly label: Label };

/** The texts of one request; the time-out is in milliseconds. */
export type EmbedRequest = {
  readonly origin: Facts["origin"];
  readonly texts: readonly EmbedText[];
  readonly timeoutMs: number;
};

/** A vector for each text, in order; null for one that this embedder may not see. */
export type EmbedOutcome =
  | { readonly ok: true; readonly vectors: readonly (Float32Array | null)[] }
  | {
      readonly ok: false;
      readonly code: ModelFailure["code"] | "over-budget" | "blocked";
      readonly reason: string;
    };

/** The powers of the door for embeddings. */
export type EmbedParts = {
  readonly embedder: Embedder;
  readonly judge: Judge;
  readonly facts: (origin: Facts["origin"]) => Facts;
  readonly ledger: LedgerPort;
  readonly journal: AppendRecord;
  readonly secrets: SecretScanner;
  readonly clock: Clock;
};

/**
 * The only way to an embedder: leave out what it may not see, mask, reserve, judge with the reservation, write the intent, send, book, write the outcome.
 * A text that is secret, private where the embedder is not local, or looks like a secret even when it is masked, is in no request.
 */
export async function embed(
  parts: EmbedParts,
  request: EmbedRequest,
  cancel: AbortSignal,
): Promise<EmbedOutcome> {
  const { embedder } = parts;
  const admitted = request.texts.map((one) => admit(one, parts));
  const sent = admitted.filter((one) => one !== null);
  if (sent.length === 0) return { ok: true, vectors: admitted.map(() => null) };
  const texts = sent.map(({ text }) => text);
  const inputTokens = Math.ceil(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 2);
  const microdollars = costOf({ inputTokens, outputTokens: 0 }, embedder.prices);
  const { session } = request.origin;
  const wanted = { turn: session, session, provider: embedder.name, model: embedder.model, microdollars };
  const reserved = await parts.ledger.reserve(wanted);
  const judged = judgeIt(parts, request, sent, reserved.ok ? microdollars : null);
  const digest = digestOf(embedder, texts);
  if (!reserved.ok) {
    await parts.journal(recordOf(parts, { judged, digest, kind: "verdict", detail: {} }), { forced: false });
    return { ok: false, code: "over-budget", reason: describeOverBudget(reserved) };
  }
  await using hold = holdReservation(parts.ledger, reserved.id, {
    inputTokens,
    outputTokens: 0,
    microdollars,
  });
  if (judged.verdict.decision !== "pass") {
    await hold.release("blocked");
    await parts.journal(recordOf(parts, { judged, digest, kind: "verdict", detail: {} }), { forced: false });
    return { ok: false, code: "blocked", reason: judged.verdict.reason };
  }
  const detail = { microdollars, reservation: reserved.id, texts: texts.length };
  await parts.journal(recordOf(parts, { judged, digest, kind: "intent", detail }), { forced: true });
  hold.sending();
  const answer = await send(parts, { texts, timeoutMs: request.timeoutMs }, cancel);
  const used = usedBy(answer, { inputTokens, outputTokens: 0 }, embedder.prices);
  if (answer.ok) await hold.settle(used);
  else if (answer.failure.begun) await hold.release(answer.failure.code, used);
  else await hold.release(answer.failure.code);
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
  return { ok: true, vectors: admitted.map((one) => (one === null ? null : (vectors.next().value ?? null))) };
}

function admit({ text, label }: EmbedText, { embedder, secrets }: EmbedParts): EmbedText | null {
  if (!isNoMoreSecretThan(label, embedder.local ? "private" : "public")) return null;
  const masked = secrets.mask(text);
  return masked.trim() === "" || secrets.scan(masked).length > 0 ? null : { text: masked, label };
}

/** Sends within the time; what is not what was asked for is a failure. */
async function send(
  { embedder }: EmbedParts,
  { texts, timeoutMs }: { readonly texts: readonly string[]; readonly timeoutMs: number },
  cancel: AbortSignal,
): Promise<EmbedAnswer> {
  const late = AbortSignal.timeout(timeoutMs);
  const answer = await embedder.embed(texts, AbortSignal.any([cancel, late]));
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

/** What was used, by the embedder's own count where that can be. */
function usedBy(
  answer: EmbedAnswer,
  most: { readonly inputTokens: number; readonly outputTokens: number },
  prices: Prices | null,
) {
  const tokens = answer.ok ? answer.tokens : null;
  const usage = credibleUsage(tokens === null ? null : { inputTokens: tokens, outputTokens: 0 }) ?? most;
  return { ...usage, microdollars: costOf(usage, prices) };
}

type Judged = { readonly effect: Effect; readonly facts: Facts; readonly verdict: Verdict };

function judgeIt(
  parts: EmbedParts,
  { origin }: EmbedRequest,
  sent: readonly EmbedText[],
  reserved: number | null,
): Judged {
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
  return createHash("sha256")
    .update(canonicalJson({ provider: name, model, texts }))
    .digest("hex");
}

function recordOf(
  { embedder }: EmbedParts,
  {
    judged,
    digest,
    kind,
    detail,
  }: { readonly judged: Judged } & Pick<JournalRecord, "kind" | "digest" | "detail">,
): JournalRecord {
  return {
    turn: null,
    session: null,
    kind,
    digest,
    effects: [judged.effect],
    facts: judged.facts,
    verdict: judged.verdict.decision,
    trace: judged.verdict.trace,
    changes: [],
    detail: {
      event: "model-call",
      purpose: "embedding",
      provider: embedder.name,
      model: embedder.model,
      ...detail,
    },
  };
}
