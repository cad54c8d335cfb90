import { escapeInvisible } from "../text/escape-invisible.ts";

/** Where the price of a call comes from: the owner's setting, the model table (by the model's name alone with `name`), this machine, a careful assumption, the provider itself. */
export const priceSources = [
  "setting",
  "table",
  "name",
  "local",
  "assumption",
  "stated",
  "unrecorded",
] as const;
export type PriceSource = (typeof priceSources)[number];

/** The origin of a price; `day` is that of the model table, as in 2026-09-23, and null for other sources. */
export type PriceOrigin = { readonly from: PriceSource; readonly day: string | null };

/** What the calls of one model took, at prices of one origin. The parts of input and output are included in them. Money is in millionths of a dollar. */
export type ModelSpending = {
  readonly provider: string;
  readonly model: string;
  readonly price: PriceOrigin;
  readonly calls: number;
  readonly failed: number;
  /** Calls that a crash interrupted; each is booked at its reservation. */
  readonly unknown: number;
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly thinkingTokens: number;
  readonly microdollars: number;
};

/** What calls can be counted by. `rule`: what chose their model. */
export const usageKeys = ["day", "job", "skill", "model", "rule"] as const;
export type UsageKey = (typeof usageKeys)[number];

/** The calls of one day, job, skill, model or rule; the key is null for those that have none. */
export type UsageRow = Pick<
  ModelSpending,
  "calls" | "failed" | "inputTokens" | "cacheReadTokens" | "outputTokens" | "microdollars"
> & { readonly key: string | null };

/** What stands in the place of a rule for calls whose answer is only compared with another. */
export const consensusRoute = "consensus";

/** What was spent of a budget, by model, in millionths of a dollar. */
export type Spending = {
  readonly microdollars: number;
  readonly limitMicrodollars: number;
  readonly models: readonly ModelSpending[];
};

/** Tells what was spent of a budget: the sum, then a line for each model. `period` ends the sentence, as in "today". */
export function describeSpending(period: string, spending: Spending): string {
  const { microdollars, limitMicrodollars, models } = spending;
  const limit = `of ${dollars(limitMicrodollars, 2)}`;
  if (models.length === 0) return `Nothing was spent ${period}, ${limit}.`;
  return [`Spent ${period}: ${dollars(microdollars, 4)} ${limit}.`, ...models.map(describeModel)].join("\n");
}

function describeModel(spent: ModelSpending): string {
  const { provider, model, price, calls, failed, unknown, inputTokens, outputTokens, microdollars } = spent;
  const lost = unknown === 0 ? "" : `, ${unknown} cut off and booked in full`;
  const cached = parts([spent.cacheReadTokens, "cached"], [spent.cacheWriteTokens, "put into the cache"]);
  return [
    `  ${provider}, ${model}: ${calls} ${calls === 1 ? "call" : "calls"} (${failed} failed${lost})`,
    `${inputTokens} tokens in${cached}`,
    `${outputTokens} out${parts([spent.thinkingTokens, "thinking"])}`,
    `${dollars(microdollars, 4)} by ${describePriceOrigin(price)}`,
  ].join(", ");
}

/** The parts of a number of tokens, in brackets; empty where there are none. */
function parts(...counts: readonly (readonly [count: number, what: string])[]): string {
  const shown = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return shown.length === 0 ? "" : ` (${shown.join(", ")})`;
}

/** Says where a price comes from. */
export function describePriceOrigin({ from, day }: PriceOrigin): string {
  const table = day === null ? "the model table" : `the model table of ${day}`;
  switch (from) {
    case "setting":
      return "your setting";
    case "table":
      return table;
    case "name":
      return `${table}, by the name alone: the address is of no service that it knows`;
    case "local":
      return "this machine";
    case "assumption":
      return "a careful assumption";
    case "stated":
      return "the provider's own statement";
    case "unrecorded":
      return "prices that were not recorded";
  }
}

/** A sum in few characters: cents from a cent on. */
export function formatMoney(microdollars: number): string {
  return dollars(microdollars, microdollars < 10_000 ? 4 : 2);
}

function dollars(microdollars: number, digits: number): string {
  return `$${(microdollars / 1_000_000).toFixed(digits)}`;
}

/** Where the key of a row is null: what its calls have in common. */
const without: { readonly [By in UsageKey]: string } = {
  day: "no day",
  job: "no job",
  skill: "no skill",
  model: "no model",
  rule: "the order of the settings",
};

/** Tells what calls took, by one of their properties, a line each; `period` ends the heading, as in "in 30 days". */
export function describeUsage(by: UsageKey, rows: readonly UsageRow[], period: string): string {
  if (rows.length === 0) return `No model was asked ${period}.`;
  const total = rows.reduce((sum, { microdollars }) => sum + microdollars, 0);
  const lines = rows.map(({ key, calls, failed, inputTokens, cacheReadTokens, outputTokens, microdollars }) =>
    [
      `  ${key === null ? without[by] : escapeInvisible(key)}: ${dollars(microdollars, 4)}`,
      `${calls} ${calls === 1 ? "call" : "calls"}${failed === 0 ? "" : ` (${failed} failed)`}`,
      `${inputTokens} tokens in${parts([cacheReadTokens, "cached"])}`,
      `${outputTokens} out`,
    ].join(", "),
  );
  return [`Spent ${period}, by ${by}: ${dollars(total, 4)}.`, ...lines].join("\n");
}
