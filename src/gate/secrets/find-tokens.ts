import { looksRandom } from "./looks-random.ts";
import { publishedKeys, type TokenFormat, tokenFormats } from "./secret-formats.ts";
import type { SecretMatch } from "./secret-match.ts";

/** The token that begins at a place, if it has a known format. */
export function tokenAt(text: string, at: number): SecretMatch | null {
  for (const format of formatsByBeginning.get(text.slice(at, at + 2)) ?? []) {
    const end = text.startsWith(format.prefix, at) ? endOfToken(text, at, format) : null;
    if (end !== null) return { rule: format.rule, start: at, end, matchStart: at };
  }
  return null;
}

type CompiledFormat = {
  readonly rule: string;
  readonly prefix: string;
  readonly rest: RegExp;
  readonly entropy: number | undefined;
};

function endOfToken(text: string, at: number, { prefix, rest, entropy }: CompiledFormat): number | null {
  rest.lastIndex = at + prefix.length;
  const match = rest.exec(text);
  if (match === null) return null;
  const end = at + prefix.length + match[0].length;
  const isToken =
    entropy === undefined || (looksRandom(match[0], entropy) && !publishedKeys.has(text.slice(end - 8, end)));
  return isToken ? end : null;
}

/** Neither a letter or digit follows a token, nor the ending of a file's name. */
function compile({ rule, prefixes, rest, entropy }: TokenFormat): readonly CompiledFormat[] {
  const whole = new RegExp(`(?:${rest})(?![A-Za-z0-9]|\\.[a-z]{2,4}(?![A-Za-z0-9]))`, "y");
  return prefixes.map((prefix) => ({ rule, prefix, rest: whole, entropy }));
}

/** The formats by the first two characters of their prefixes. */
const formatsByBeginning: ReadonlyMap<string, readonly CompiledFormat[]> = Map.groupBy(
  tokenFormats.flatMap(compile),
  ({ prefix }) => prefix.slice(0, 2),
);
/** The first two characters of each token. */
export const beginningsOfTokens: readonly string[] = [...formatsByBeginning.keys()];
