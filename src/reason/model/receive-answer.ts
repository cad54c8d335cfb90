import type { Clock, Wait } from "../../signal/clock.ts";
import type { Json } from "../../signal/json.ts";
import type { FinishReason, ModelCall, ModelFailure, ModelPart, TokenUsage } from "./model-port.ts";

/** How long silence may last. Milliseconds. */
export type Timeouts = {
  readonly firstTokenMs: number;
  /** Between two pieces of an answer that has begun. */
  readonly silenceMs: number;
  /** When the person is told that nothing comes. */
  readonly noticeMs: number;
  /** From the first request to the last word, all providers and tries together. */
  readonly cascadeMs: number;
};

/** What the person of the turn gets to see while a model answers. */
export type StreamHooks = {
  readonly onText: (delta: string) => void;
  readonly onThinking: (delta: string) => void;
  readonly onNotice: (text: string) => void;
};

/** A whole answer, or why there is none, with the text that had come by then. */
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

/** What one try at listening needs. `deadline` is in Unix milliseconds. */
export type ReceiveParts = {
  readonly provider: string;
  readonly stream: (cancel: AbortSignal) => AsyncIterable<ModelPart>;
  readonly timeouts: Timeouts;
  readonly deadline: number;
  readonly clock: Clock;
  readonly wait: Wait;
  readonly hooks: StreamHooks;
};

type Pulled =
  | { readonly kind: "part"; readonly part: ModelPart }
  | { readonly kind: "end" }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "silence"; readonly limit: number }
  | { readonly kind: "stopped" };

/** Hears a stream to its end and no longer than allowed: when this returns, the request is over or has been cancelled. */
export async function receiveAnswer(listening: ReceiveParts, cancel: AbortSignal): Promise<ReceiveResult> {
  const heard = { text: "", shown: false, begun: false, calls: [] as ModelCall[] };
  const watch = makeWatch(listening, cancel);
  const fail = (failure: ModelFailure): ReceiveResult => ({
    ok: false,
    failure,
    text: heard.text,
    shown: heard.shown,
  });
  if (cancel.aborted) return fail({ ...brokenOff({ kind: "stopped" }, listening, false), begun: false });
  const request = new AbortController();
  const iterator = listening.stream(request.signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const pulled = await watch(iterator, heard.begun);
      if (pulled.kind !== "part") return fail(brokenOff(pulled, listening, heard.begun));
      const { part } = pulled;
      heard.begun = true;
      switch (part.kind) {
        case "text":
          heard.text += part.text;
          heard.shown = true;
          listening.hooks.onText(part.text);
          break;
        case "thinking":
          heard.shown = true;
          listening.hooks.onThinking(part.text);
          break;
        case "call":
          heard.calls.push(part.call);
          break;
        case "progress":
          break;
        case "failed":
          return fail(part.failure);
        case "finish":
          return heard.calls.length > 0 || heard.text.trim() !== ""
            ? { ...part, ok: true, text: heard.text, calls: heard.calls }
            : fail(nothingSaid(part));
      }
    }
  } finally {
    request.abort();
    void Promise.allSettled([iterator.return?.()]);
  }
}

function makeWatch({ timeouts, deadline, clock, wait, hooks, provider }: ReceiveParts, cancel: AbortSignal) {
  let noticed = false;
  const untilSilent = async (limit: number, over: AbortSignal): Promise<void> => {
    const early = noticed || timeouts.noticeMs >= limit ? 0 : timeouts.noticeMs;
    if (early > 0) await wait(early, over);
    if (early > 0 && !over.aborted) {
      noticed = true;
      hooks.onNotice(
        `${provider} has said nothing for ${seconds(early)}; waiting ${seconds(limit - early)} more.`,
      );
    }
    if (!over.aborted) await wait(limit - early, over);
  };
  return async (iterator: AsyncIterator<ModelPart>, begun: boolean): Promise<Pulled> => {
    if (cancel.aborted) return { kind: "stopped" };
    const allowed = begun ? timeouts.silenceMs : timeouts.firstTokenMs;
    const limit = Math.max(0, Math.min(allowed, deadline - clock()));
    const over = new AbortController();
    const stop = Promise.withResolvers<Pulled>();
    const onAbort = () => stop.resolve({ kind: "stopped" });
    cancel.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([
        stop.promise,
        next(iterator),
        untilSilent(limit, over.signal).then((): Pulled => ({ kind: "silence", limit })),
      ]);
    } finally {
      cancel.removeEventListener("abort", onAbort);
      over.abort(heardEnough);
    }
  };
}

/** A reason of our own: without one, each abort makes an error with its stack. */
const heardEnough = "something came";

async function next(iterator: AsyncIterator<ModelPart>): Promise<Pulled> {
  try {
    const result = await iterator.next();
    return result.done === true ? { kind: "end" } : { kind: "part", part: result.value };
  } catch (error) {
    return { kind: "threw", error };
  }
}

function brokenOff(
  pulled: Exclude<Pulled, { kind: "part" }>,
  listening: ReceiveParts,
  begun: boolean,
): ModelFailure {
  const failure = { retryAfterMs: null, usage: null, begun: true };
  switch (pulled.kind) {
    case "stopped":
      return { ...failure, code: "cancelled", message: "stopped by the person" };
    case "silence": {
      const last = listening.clock() >= listening.deadline ? ", the end of the time for all providers" : "";
      const message = `said nothing${begun ? " more" : ""} for ${seconds(pulled.limit)}${last}`;
      return { ...failure, code: "timeout", message };
    }
    case "end":
      return { ...failure, code: "cut-off", message: "the answer broke off before its end" };
    case "threw": {
      const name = pulled.error instanceof Error ? pulled.error.name : typeof pulled.error;
      return { ...failure, code: "malformed", message: `the answer could not be read (${name})` };
    }
  }
}

function nothingSaid(part: {
  readonly finishReason: FinishReason;
  readonly usage: TokenUsage | null;
}): ModelFailure {
  const failure = { retryAfterMs: null, usage: part.usage, begun: true };
  switch (part.finishReason) {
    case "filtered":
      return { ...failure, code: "bad-request", message: "declined to answer (content filter)" };
    case "length":
      return { ...failure, code: "empty", message: "used up its output tokens before it said anything" };
    case "stop":
    case "calls":
    case "other":
      return { ...failure, code: "empty", message: "answered nothing" };
  }
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}
