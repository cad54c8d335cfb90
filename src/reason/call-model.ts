import type { Json } from "../signal/json.ts";
import type { Label } from "../signal/label.ts";
import type { Message } from "../signal/message.ts";
import type { Declaration } from "../signal/tool.ts";
import {
  type AttemptParts,
  attempt,
  type CallOrigin,
  type Remembering,
  remembering,
  type Tried,
} from "./attempt.ts";
import { type Exhaustion, exhausted, openCascade, type Try } from "./cascade.ts";
import type { ListenHooks } from "./listen.ts";
import type { FinishReason, ModelCall, ModelRequest, Provider, Usage } from "./model-port.ts";
import { backOff } from "./retry.ts";
import { trim } from "./trim.ts";

/** What a turn wants from a model, as it knows it: not yet rendered for anybody. */
export type DoorRequest = CallOrigin & {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly Declaration[];
  readonly maxOutputTokens: number;
  /** How many messages at the end are this turn's own and never dropped when the prompt is too long; at least 1. */
  readonly keep: number;
  /** The order that the turn began with; null for the present one. */
  readonly cascade: readonly string[] | null;
};

/** `onReset` withdraws all that this call has shown so far. */
export type DoorHooks = ListenHooks & { readonly onReset: (reason: string) => void };

/** What a model call came to. `microdollars` is what this answer cost, an upper bound where `priced` is false. */
export type ModelOutcome =
  | {
      readonly ok: true;
      readonly provider: string;
      readonly model: string;
      readonly text: string;
      readonly calls: readonly ModelCall[];
      readonly finishReason: FinishReason;
      readonly raw: Json;
      /** The label of what the provider was shown, without what was withheld from it. */
      readonly seen: Label;
      readonly usage: Usage;
      readonly microdollars: number;
      readonly priced: boolean;
      readonly tries: readonly Try[];
    }
  | {
      readonly ok: false;
      readonly code: Exhaustion["code"] | "stopped";
      readonly reason: string;
      readonly tries: readonly Try[];
    };

/** Chooses a model for a provider, `skip` to pass it over, or null for the provider's own. */
export type ModelSelector = (provider: string, request: DoorRequest) => string | "skip" | null;

/** The powers of the door. `jitter` gives numbers from 0 up to 1. */
export type DoorParts = AttemptParts & {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly cascade: readonly string[];
  readonly selector: ModelSelector | null;
  readonly jitter: () => number;
};

/** The one door to every model. */
export type ModelDoor = {
  readonly callModel: (request: DoorRequest, hooks: DoorHooks, cancel: AbortSignal) => Promise<ModelOutcome>;
  readonly cascade: () => readonly string[];
  /** Returns the names that belong to no provider. */
  readonly setCascade: (names: readonly string[]) => readonly string[];
};

/** Opens the door. Every try at every provider is rendered, reserved, judged, journalled and booked by itself. */
export function openModelDoor(parts: DoorParts): ModelDoor {
  const cascade = openCascade(parts.providers, parts.cascade);
  const trying = remembering(parts);
  return {
    cascade: cascade.names,
    setCascade: cascade.set,
    callModel: async (request, hooks, cancel) => {
      const tries: Try[] = [];
      const deadline = parts.clock() + parts.timeouts.cascadeMs;
      for (const name of request.cascade ?? cascade.names()) {
        const provider = parts.providers.get(name);
        const chosen = parts.selector?.(name, request) ?? null;
        if (provider === undefined) {
          const message = "no provider of this name is set up";
          tries.push({ provider: name, attempt: 0, code: "unknown-provider", message });
        } else if (chosen !== "skip") {
          const asked = { provider, model: chosen ?? provider.model, request, deadline, tries };
          const answer = await ask({ ...trying, jitter: parts.jitter }, asked, hooks, cancel);
          if (answer !== null) return answer;
        }
        if (cancel.aborted) return { ok: false, code: "stopped", reason: "Stopped.", tries };
        if (parts.clock() >= deadline) break;
      }
      return { ok: false, ...exhausted(tries), tries };
    },
  };
}

type Asked = {
  readonly provider: Provider;
  readonly model: string;
  readonly request: DoorRequest;
  readonly deadline: number;
  /** Grows by each failed try. */
  readonly tries: Try[];
};

/** Asks one provider as often as its failures allow; null where the next one is to be asked. */
async function ask(
  parts: Remembering & Pick<DoorParts, "jitter">,
  { provider, model, request: wanted, deadline, tries }: Asked,
  hooks: DoorHooks,
  cancel: AbortSignal,
): Promise<ModelOutcome | null> {
  const { turn, origin, system, messages, tools, maxOutputTokens } = wanted;
  let request: ModelRequest = { model, system, messages, tools, maxOutputTokens };
  let trimmed = false;
  for (let count = 1; !cancel.aborted; count += 1) {
    const tried = await attempt(
      parts,
      { turn, origin, provider, request, attempt: count, deadline },
      hooks,
      cancel,
    );
    if (tried.status === "answered") return answered(provider.name, model, tried, tries);
    tries.push({ provider: provider.name, attempt: count, ...codeOf(tried) });
    if (tried.status === "refused-here") return null;
    const { failure } = tried;
    if (failure.code === "cancelled") return null;
    if (tried.shown) hooks.onReset(`${provider.name}: ${failure.message}`);
    const shorter: ModelRequest | null =
      failure.code === "too-long" && !trimmed ? trim(request, wanted.keep) : null;
    const pause = shorter === null ? backOff(failure, count, parts.jitter()) : 0;
    if (pause === null || parts.clock() + pause >= deadline) return null;
    if (shorter !== null) request = shorter;
    trimmed ||= shorter !== null;
    if (pause > 0) await parts.wait(pause, cancel);
  }
  return null;
}

function codeOf(tried: Exclude<Tried, { status: "answered" }>): Pick<Try, "code" | "message"> {
  return tried.status === "failed"
    ? { code: tried.failure.code, message: tried.failure.message }
    : { code: tried.code, message: tried.reason };
}

function answered(
  provider: string,
  model: string,
  { heard, seen, usage, microdollars, priced }: Extract<Tried, { status: "answered" }>,
  tries: readonly Try[],
): ModelOutcome {
  const { text, calls, finishReason, raw } = heard;
  return {
    ok: true,
    provider,
    model,
    text,
    calls,
    finishReason,
    raw,
    seen,
    usage,
    microdollars,
    priced,
    tries,
  };
}
