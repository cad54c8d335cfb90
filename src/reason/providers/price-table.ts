import type { Prices } from "../model/model-port.ts";

/** The day on which the version of `@pydantic/genai-prices` was published that the table is made of. */
export const priceTableDay = "2026-09-23";

/** Which model names an entry stands for. Names are compared without regard to case. */
type NameMatch =
  | { readonly or: readonly NameMatch[] }
  | { readonly and: readonly NameMatch[] }
  | { readonly equals: string }
  | { readonly starts_with: string }
  | { readonly ends_with: string }
  | { readonly contains: string }
  | { readonly regex: string };

/** Microdollars for a million tokens, of a prompt with more than so many tokens: of input, output, cache reads, cache writes, thinking. Null: as input or output. */
export type TierRates = readonly [
  above: number,
  input: number,
  output: number,
  cacheRead: number | null,
  cacheWrite: number | null,
  thinking: number | null,
];

/** Rates that hold always, from a day on, or between two times of each day (UTC, such as `01:00:00Z`). The last entry that holds counts. */
export type DatedRates = {
  readonly from?: string;
  readonly daily?: readonly [start: string, end: string];
  readonly tiers: readonly TierRates[];
};

/** A model of a service. `window` is its context window in tokens; null if it is not known. */
export type PricedModel = {
  readonly match: NameMatch;
  readonly window: number | null;
  readonly rates: readonly DatedRates[];
};

/** A service, the pattern of its addresses, and the models that are its own. */
export type PricedProvider = {
  readonly id: string;
  readonly url: string;
  readonly family: NameMatch | null;
  readonly models: readonly PricedModel[];
};

/** What the table knows of a model. `byNameOnly`: the address is of no known service, and the name is of this one. */
export type TableEntry = {
  readonly service: string;
  readonly byNameOnly: boolean;
  readonly contextWindow: number | null;
  readonly prices: Prices;
};

/** Looks a model up by its provider's address, else by its name alone. Null if the table does not know it. `now` is Unix milliseconds. */
export function findInTable(
  table: readonly PricedProvider[],
  { url, model, now }: { readonly url: string; readonly model: string; readonly now: number },
): TableEntry | null {
  const name = model.trim().toLowerCase();
  const addressed = table.find((provider) => new RegExp(provider.url).test(url));
  const service = addressed ?? table.find(({ family }) => family !== null && matches(family, name));
  const found = service?.models.find(({ match }) => matches(match, name));
  if (service === undefined || found === undefined) return null;
  return {
    service: service.id,
    byNameOnly: addressed === undefined,
    contextWindow: found.window,
    prices: pricesOf(found, now),
  };
}

/** The names of the models of the service at an address, of each the shortest that the table has. */
export function namesOfService(table: readonly PricedProvider[], url: string): readonly string[] {
  const service = table.find((provider) => new RegExp(provider.url).test(url));
  const names = (service?.models ?? []).flatMap(({ match }) => {
    const [shortest] = namesIn(match).toSorted((one, other) => one.length - other.length);
    return shortest ?? [];
  });
  return names.filter((name) => findInTable(table, { url, model: name, now: 0 }) !== null);
}

function namesIn(match: NameMatch): readonly string[] {
  if ("or" in match) return match.or.flatMap(namesIn);
  if ("and" in match) return match.and.flatMap(namesIn);
  if ("equals" in match) return [match.equals];
  return "starts_with" in match ? [match.starts_with] : [];
}

function pricesOf({ rates }: PricedModel, now: number): Prices {
  const current = rates.findLast((entry) => holds(entry, now)) ?? rates[0];
  const [base, ...longer] = (current?.tiers ?? []).map(([above, input, output, read, write, thinking]) => ({
    aboveInputTokens: above,
    inputMicrodollarsPerMillion: input,
    outputMicrodollarsPerMillion: output,
    ...(read === null ? {} : { cacheReadMicrodollarsPerMillion: read }),
    ...(write === null ? {} : { cacheWriteMicrodollarsPerMillion: write }),
    ...(thinking === null ? {} : { thinkingMicrodollarsPerMillion: thinking }),
  }));
  if (base === undefined) throw new Error("a model of the price table has no rates");
  const { aboveInputTokens: _, ...prices } = base;
  return longer.length === 0 ? prices : { ...prices, longerPrompts: longer };
}

function holds({ from, daily }: DatedRates, now: number): boolean {
  if (from !== undefined) return now >= Date.parse(from);
  if (daily === undefined) return true;
  const [start, end] = daily;
  const time = `${new Date(now).toISOString().slice(11, 19)}Z`;
  return end < start ? time >= start || time < end : time >= start && time < end;
}

function matches(match: NameMatch, name: string): boolean {
  if ("or" in match) return match.or.some((part) => matches(part, name));
  if ("and" in match) return match.and.every((part) => matches(part, name));
  if ("equals" in match) return name === match.equals.toLowerCase();
  if ("starts_with" in match) return name.startsWith(match.starts_with.toLowerCase());
  if ("ends_with" in match) return name.endsWith(match.ends_with.toLowerCase());
  if ("contains" in match) return name.includes(match.contains.toLowerCase());
  return new RegExp(match.regex).test(name);
}
