import { callsUsedUp } from "../../signal/jobs/call-caps.ts";
import type { PriceOrigin } from "../../signal/spending.ts";
import { variableOf } from "./setting-name.ts";
import type { TokenUsage } from "./token-usage.ts";

/** Why nothing was reserved: the sums, with what to do where more cannot be asked for; or, in words, that the turn made all the calls that it may make. */
export type Refused = {
  readonly ok: false;
  readonly remaining: number;
  readonly requested: number;
  readonly advice?: string;
  readonly usedUp?: string;
};

/** Why a request was not sent. */
export type RefusalCode = "over-budget" | "unpriced" | "blocked" | typeof callsUsedUp;

type Refusal = { readonly code: RefusalCode; readonly reason: string };

/** A request whose model has no known price. */
export function refuseUnpriced({
  provider,
  model,
}: {
  readonly provider: string;
  readonly model: string;
}): Refusal {
  return { code: "unpriced", reason: describeUnpriced(provider, model) };
}

/** A request for which nothing was reserved. */
export function refuseBeyond(
  { usedUp, ...sums }: Refused,
  about: { readonly provider: string; readonly isPriced: boolean },
): Refusal {
  return usedUp === undefined
    ? { code: "over-budget", reason: describeOverBudget({ ...sums, ...about }) }
    : { code: callsUsedUp, reason: usedUp };
}

/** A call whose price is to be reserved. */
export type WantedCall = {
  readonly turn: string;
  readonly session: string;
  readonly provider: string;
  readonly model: string;
  readonly price: PriceOrigin;
  /** What chose the model; null where the order of the settings holds. */
  readonly route: string | null;
};

/** The ledger, as a port. Millionths of a dollar. */
export type LedgerPort = {
  /** Reserves the most that a call may cost; atomic against the caps. */
  readonly reserve: (
    wanted: WantedCall & { readonly microdollars: number },
  ) => Promise<{ readonly ok: true; readonly id: string } | Refused>;
  /** Books what a call cost. */
  readonly settle: (id: string, used: Spent) => Promise<void>;
  /** Books a failed call: nothing, or what it cost all the same. */
  readonly release: (id: string, reason: string, used?: Spent) => Promise<void>;
};

/** What a call used, with its cost in millionths of a dollar. */
export type Spent = TokenUsage & { readonly microdollars: number };

/**
 * The price of a call, held in the ledger. Nothing can be sent to a model without one, and only the ledger gives one. It is always booked when it goes out of
 * scope: released if nothing was sent, settled in full if a fault hid what was used.
 */
export class Reservation {
  readonly id: string;
  readonly #ledger: LedgerPort;
  readonly #full: Spent;
  #state: "held" | "sent" | "booked" = "held";

  private constructor(ledger: LedgerPort, id: string, full: Spent) {
    this.#ledger = ledger;
    this.id = id;
    this.#full = full;
  }

  /** Reserves the most that a call may cost, or says what the caps leave. */
  static async hold(
    ledger: LedgerPort,
    wanted: WantedCall,
    most: Spent,
  ): Promise<{ readonly ok: true; readonly reservation: Reservation } | Refused> {
    const held = await ledger.reserve({ ...wanted, microdollars: most.microdollars });
    return held.ok ? { ok: true, reservation: new Reservation(ledger, held.id, most) } : held;
  }

  /** The request is about to be sent: from now on it may cost something. */
  markSent(): void {
    this.#state = "sent";
  }

  async settle(used: Spent): Promise<void> {
    this.#state = "booked";
    await this.#ledger.settle(this.id, used);
  }

  async release(reason: string, used?: Spent): Promise<void> {
    this.#state = "booked";
    await this.#ledger.release(this.id, reason, used);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#state === "held") await this.#ledger.release(this.id, "fault");
    if (this.#state === "sent") await this.#ledger.settle(this.id, this.#full);
  }
}

/** States what remains of the budget and what was requested, and whether the price is a guess that the owner can correct. */
export function describeOverBudget({
  remaining,
  requested,
  provider,
  isPriced,
}: {
  readonly remaining: number;
  readonly requested: number;
  readonly provider: string;
  readonly isPriced: boolean;
}): string {
  const dollars = (microdollars: number) => `$${(microdollars / 1_000_000).toFixed(4)}`;
  const sums = `Budget exhausted: ${dollars(remaining)} remaining, ${dollars(requested)} requested`;
  if (isPriced) return sums;
  return `${sums}; the price of this model is not known and assumed to be high: ${setPrices(provider)}`;
}

/** States that a model is not asked because nobody knows what it costs, and what to do about it. */
function describeUnpriced(provider: string, model: string): string {
  return `Nobody knows what the model ${model} costs: ${setPrices(provider)} (dollars for a million tokens; 0 if it costs nothing), or UNPRICED_MODELS=allow`;
}

function setPrices(provider: string): string {
  return `set ${variableOf(provider, "INPUT_PRICE")} and ${variableOf(provider, "OUTPUT_PRICE")}`;
}
