import type { Clock, Wait } from "../../text/clock.ts";
import type { Json } from "../../text/json.ts";
import { makeAnswerLimit } from "./answer-limit.ts";
import type { FinishReason, ModelCall, ModelFailure, ModelPart } from "./model-port.ts";
import type { TokenUsage } from "./token-usage.ts";

/** How long a provider may be silent. Milliseconds. */
export type Timeouts = {
  readonly firstTokenMs: number;
  /** Between two parts of an answer. */
  readonly silenceMs: number;
  /** After this time without an answer the person is told. */
  readonly noticeMs: number;
  /** For all providers and attempts together, until an answer begins. */
  readonly cascadeMs: number;
};

/** Shows the person what a model streams while it answers. */
export type StreamHooks = {
  readonly onText: (delta: string) => void;
  readonly onThinking: (delta: string) => void;
  readonly onNotice: (text: string) => void;
  /** Withdraws everything that this call has shown so far. */
  readonly onReset: (reason: string) => void;
};

/** A whole answer, or a failure with the text that had arrived. `shown`: some of it was shown to the person. */
export type ReceiveResult =
  | {
      readonly ok: true;
      readonly text: string;
      readonly calls: readonly ModelCall[];
      readonly finishReason: FinishReason;
      readonly usage: TokenUsage | null;
      readonly raw: Json;
    }
  | { readonly ok: false; readonly failure: ModelFailure; readonly text: string; readonly shown: boolean };

/** What receiving one answer needs. `beginBy` and `endBy` are in Unix milliseconds. */
export type ReceiveParts = {
  readonly provider: string;
  readonly stream: (cancel: AbortSignal) => AsyncIterable<ModelPart>;
  readonly timeouts: Timeouts;
  readonly beginBy: number;
  readonly endBy: number;
  /** What the request asked for at most. An answer that goes far beyond it is given up. */
  readonly maxOutputTokens: number;
  readonly clock: Clock;
  readonly wait: Wait;
  readonly hooks: StreamHooks;
  /** Called when the first part arrives. */
  readonly onBegun: () => true;
};

type NextPart =
  | { readonly kind: "part"; readonly part: ModelPart }
  | { readonly kind: "end" }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "silence"; readonly limit: number }
  | { readonly kind: "stopped" };

/** Receives an answer within its time limits. When this returns, the request has ended or was cancelled. */
export async function receiveAnswer(parts: ReceiveParts, cancel: AbortSignal): Promise<ReceiveResult> {
  const received = {
    text: "",
    shown: false,
    thought: false,
    begun: false,
    callBegun: false,
    calls: [] as ModelCall[],
  };
  const readPart = makePartReader(parts, cancel);
  const fail = (failure: ModelFailure): ReceiveResult => ({
    ok: false,
    failure,
    text: received.text,
    shown: received.shown || received.thought,
  });
  if (cancel.aborted) return fail({ ...failureFrom({ kind: "stopped" }, parts, false), begun: false });
  const request = new AbortController();
  const isWithinLimit = makeAnswerLimit(parts.maxOutputTokens);
  const iterator = parts.stream(request.signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await readPart(iterator, received.begun);
      if (next.kind !== "part") return fail(failureFrom(next, parts, received.begun));
      const { part } = next;
      received.begun ||= parts.onBegun();
      if (!isWithinLimit(part)) return fail(tooMuch);
      switch (part.kind) {
        case "text":
          received.text += part.text;
          received.shown = true;
          parts.hooks.onText(part.text);
          break;
        case "thinking":
          received.thought = true;
          parts.hooks.onThinking(part.text);
          break;
        case "withdrawn":
          received.text = "";
          parts.hooks.onReset(`${parts.provider}: so far it was thinking`);
          break;
        case "call":
          received.calls.push(part.call);
          break;
        case "progress":
          received.callBegun = true;
          break;
        case "failed":
          return fail(part.failure);
        case "finish":
          return isAnswer(received, part)
            ? { ...part, ok: true, text: received.text, calls: received.calls }
            : fail(emptyAnswer(part, received.thought, parts.maxOutputTokens));
      }
    }
  } finally {
    request.abort();
    void Promise.allSettled([iterator.return?.()]);
  }
}

/** Whether something was said: text, a call, or the beginning of a call that was cut at the limit of the answer. */
function isAnswer(
  received: { readonly text: string; readonly calls: readonly ModelCall[]; readonly callBegun: boolean },
  { finishReason }: { readonly finishReason: FinishReason },
): boolean {
  const cutCall = received.callBegun && finishReason === "length";
  return cutCall || received.calls.length > 0 || received.text.trim() !== "";
}

/** Asking again would give as much. */
const tooMuch: ModelFailure = {
  code: "bad-request",
  message: "sent far more than the output tokens that were asked for",
  retryAfterMs: null,
  begun: true,
  usage: null,
};

function makePartReader(
  { timeouts, beginBy, endBy, clock, wait, hooks, provider }: ReceiveParts,
  cancel: AbortSignal,
) {
  let noticed = false;
  const waitInSilence = async (limit: number, over: AbortSignal): Promise<void> => {
    const noticeAfter = noticed || timeouts.noticeMs >= limit ? 0 : timeouts.noticeMs;
    if (noticeAfter > 0) await wait(noticeAfter, over);
    if (noticeAfter > 0 && !over.aborted) {
      noticed = true;
      hooks.onNotice(
        `${provider} has said nothing for ${seconds(noticeAfter)}; waiting ${seconds(limit - noticeAfter)} more.`,
      );
    }
    if (!over.aborted) await wait(limit - noticeAfter, over);
  };
  return async (iterator: AsyncIterator<ModelPart>, begun: boolean): Promise<NextPart> => {
    if (cancel.aborted) return { kind: "stopped" };
    const allowed = begun ? timeouts.silenceMs : timeouts.firstTokenMs;
    const limit = Math.max(0, Math.min(allowed, (begun ? endBy : beginBy) - clock()));
    const over = new AbortController();
    const stop = Promise.withResolvers<NextPart>();
    const onAbort = () => stop.resolve({ kind: "stopped" });
    cancel.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([
        stop.promise,
        pull(iterator),
        waitInSilence(limit, over.signal).then((): NextPart => ({ kind: "silence", limit })),
      ]);
    } finally {
      cancel.removeEventListener("abort", onAbort);
      over.abort(partArrived);
    }
  };
}

/** An abort reason: without it, each abort creates an error with its stack. */
const partArrived = "a part arrived";

async function pull(iterator: AsyncIterator<ModelPart>): Promise<NextPart> {
  try {
    const result = await iterator.next();
    return result.done === true ? { kind: "end" } : { kind: "part", part: result.value };
  } catch (error) {
    return { kind: "threw", error };
  }
}

function failureFrom(
  next: Exclude<NextPart, { kind: "part" }>,
  parts: ReceiveParts,
  begun: boolean,
): ModelFailure {
  const failure = { retryAfterMs: null, usage: null, begun: true };
  switch (next.kind) {
    case "stopped":
      return { ...failure, code: "cancelled", message: "stopped by the person" };
    case "silence": {
      const isEnd = next.limit < (begun ? parts.timeouts.silenceMs : parts.timeouts.firstTokenMs);
      const end = begun
        ? ", at the end of the time for one answer"
        : ", its share of the time for all providers";
      const message = `said nothing${begun ? " more" : ""} for ${seconds(next.limit)}${isEnd ? end : ""}`;
      return { ...failure, code: "timeout", message };
    }
    case "end":
      return { ...failure, code: "cut-off", message: "the answer broke off before its end" };
    case "threw": {
      const name = next.error instanceof Error ? next.error.name : typeof next.error;
      return { ...failure, code: "malformed", message: `the answer could not be read (${name})` };
    }
  }
}

function emptyAnswer(
  part: { readonly finishReason: FinishReason; readonly usage: TokenUsage | null },
  thought: boolean,
  limit: number,
): ModelFailure {
  const failure = { retryAfterMs: null, usage: part.usage, begun: true };
  switch (part.finishReason) {
    case "filtered":
      return { ...failure, code: "filtered", message: "declined to answer (content filter)" };
    case "length": {
      const { outputTokens = limit, thinkingTokens = 0 } = part.usage ?? {};
      const onThinking = thought || thinkingTokens > 0 ? " on thinking" : "";
      const message = `spent all its ${outputTokens} tokens${onThinking} and said nothing (limit: ${limit})`;
      return { ...failure, code: "out-of-tokens", message };
    }
    case "stop":
    case "calls":
    case "other":
      return { ...failure, code: "empty", message: "answered nothing" };
  }
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}
