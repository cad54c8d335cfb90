import {
  isResting,
  longestWantedRest,
  type ProviderRest,
  type ProviderRests,
} from "../../signal/provider-rest.ts";
import type { Clock } from "../../text/clock.ts";
import { describeError } from "../../text/describe-error.ts";
import type { FailureCode, ModelFailure, Provider } from "./model-port.ts";

const second = 1000;
const minute = 60 * second;

/** How long a provider rests after its first failure, by the code of the failure; the time doubles with each further one. Null: it does not rest. */
const firstRests: { readonly [code in FailureCode]: number | null } = {
  refused: 15 * second,
  "unknown-host": 15 * second,
  "bad-certificate": minute,
  timeout: minute,
  "rate-limited": 30 * second,
  "server-error": 30 * second,
  malformed: 30 * second,
  auth: 5 * minute,
  "no-quota": 5 * minute,
  "no-model": minute,
  empty: null,
  "out-of-tokens": null,
  "cut-off": null,
  "too-long": null,
  filtered: null,
  cancelled: null,
  "bad-request": null,
};
const longestRest = 30 * minute;

/** What a breaker needs. */
export type CircuitBreakerParts = {
  readonly rests: ProviderRests;
  readonly clock: Clock;
  readonly report: (message: string) => void;
};

/** Lets providers rest that failed. After a rest, one call asks again; its failure makes the next rest longer. */
export class CircuitBreaker {
  readonly #parts: CircuitBreakerParts;
  readonly #rests = new Map<string, ProviderRest>();
  readonly #probed = new Set<string>();
  #loading: Promise<void> | null = null;

  constructor(parts: CircuitBreakerParts) {
    this.#parts = parts;
  }

  /** Reads what was kept. Without it, nobody rests. */
  ready(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** The rest that a provider is in with this model; null if it can be asked. A provider that another call is trying again counts as resting. */
  restOf(provider: Provider, model: string): ProviderRest | null {
    const rest = this.#of(provider, model);
    if (rest === null) return null;
    return isResting(rest, this.#parts.clock()) || this.#probed.has(provider.name) ? rest : null;
  }

  /** Whether the next call only tries whether the provider works again. */
  isProbe(provider: Provider, model: string): boolean {
    return this.#of(provider, model) !== null;
  }

  /** Notes that a call asks; other calls pass the provider over until this is disposed, if it rested before. */
  ask(provider: Provider, model: string): Disposable {
    const probes = this.isProbe(provider, model) && !this.#probed.has(provider.name);
    if (probes) this.#probed.add(provider.name);
    return { [Symbol.dispose]: () => void (probes && this.#probed.delete(provider.name)) };
  }

  /** Ends the rest of a provider that answered. */
  async answered(provider: Provider): Promise<void> {
    if (this.#rests.delete(provider.name)) await this.#save();
  }

  /** Lets a provider rest if its failure calls for it. */
  async failed(provider: Provider, model: string, failure: ModelFailure): Promise<void> {
    const first = firstRests[failure.code];
    if (first === null) return;
    const failures = (this.#of(provider, model)?.failures ?? 0) + 1;
    const own = Math.min(longestRest, first * 2 ** Math.min(failures - 1, 20));
    const wanted = Math.min(longestWantedRest, failure.retryAfterMs ?? 0);
    this.#rests.set(provider.name, {
      provider: provider.name,
      settings: provider.settings,
      model,
      reason: failure.message,
      failures,
      until: this.#parts.clock() + Math.max(own, wanted),
      isWanted: wanted >= own,
    });
    await this.#save();
  }

  #of(provider: Provider, model: string): ProviderRest | null {
    const rest = this.#rests.get(provider.name) ?? null;
    return rest?.settings === provider.settings && rest.model === model ? rest : null;
  }

  async #load(): Promise<void> {
    try {
      for (const rest of await this.#parts.rests.all()) this.#rests.set(rest.provider, rest);
    } catch (error) {
      this.#parts.report(`Which providers rest could not be read: ${describeError(error)}`);
    }
  }

  /** A rest that cannot be kept counts in this process all the same. */
  async #save(): Promise<void> {
    try {
      await this.#parts.rests.save([...this.#rests.values()]);
    } catch (error) {
      this.#parts.report(`Which providers rest could not be saved: ${describeError(error)}`);
    }
  }
}
