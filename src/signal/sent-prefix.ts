import { countOf } from "../text/count-of.ts";
import { escapeInvisible } from "../text/escape-invisible.ts";
import { formatTime, type LocalNow } from "../text/format-time.ts";

/**
 * The parts of a request in the order in which the cache of a provider reads them; each model has its own.
 */
export const prefixParts = ["model", "form", "tools", "instructions", "messages"] as const;
export type PrefixPart = (typeof prefixParts)[number];

/** A part of a request by its name, with a digest of it. */
export type NamedDigest = readonly [name: string, digest: string];

/** What a session sent last and a provider answered, as digests. */
export type SentPrefix = {
  /** The provider and its model, as `groq/llama`. */
  readonly model: string;
  /** Whether it went in the form that the strictest servers take. */
  readonly strict: boolean;
  readonly tools: readonly NamedDigest[];
  /** The sections of the system text by their headings. */
  readonly instructions: readonly NamedDigest[];
  /** The messages by what they are. */
  readonly messages: readonly NamedDigest[];
};

/**
 * A request that does not begin with all that its session sent before: where it differs, with what it took.
 */
export type PrefixBreak = {
  /** Unix milliseconds. */
  readonly at: number;
  readonly session: string;
  readonly model: string;
  readonly differs: readonly { readonly part: PrefixPart; readonly what: string }[];
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
};

/** Keeps what each session sent last, and where a request did not go on from it. */
export type SentPrefixes = {
  /** Null before the first request of a session. */
  readonly last: (session: string) => Promise<SentPrefix | null>;
  readonly save: (session: string, prefix: SentPrefix) => Promise<void>;
  /** The latest breaks from a time on, the newest last. */
  readonly breaks: (since: number) => Promise<readonly PrefixBreak[]>;
  readonly addBreak: (broken: PrefixBreak) => Promise<void>;
};

/** How many of the latest breaks are told one by one. */
const mostTold = 10;

/** Tells where requests did not begin with what was sent before; empty where all did. */
export function describeBreaks(breaks: readonly PrefixBreak[], here: LocalNow): string {
  if (breaks.length === 0) return "";
  const counts = prefixParts.flatMap((part) => {
    const count = breaks.filter(({ differs }) => differs[0]?.part === part).length;
    return count === 0 ? [] : [`${part} ${count}`];
  });
  const lines = breaks.slice(-mostTold).map(({ at, model, differs, inputTokens, cacheReadTokens }) => {
    const parts = differs.map(({ part, what }) => `${part} (${what})`).join(", ");
    return `  ${formatTime(at, here)}, ${escapeInvisible(model)}: ${escapeInvisible(parts)}; ${inputTokens} tokens in (${cacheReadTokens} cached)`;
  });
  const latest = breaks.length > mostTold ? ` The latest ${mostTold}:` : "";
  const requests = countOf(breaks.length, "request");
  return [
    `${requests} did not begin with what the session sent before, first by: ${counts.join(", ")}.${latest}`,
    ...lines,
  ].join("\n");
}
