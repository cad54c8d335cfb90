import { looksRandom } from "./looks-random.ts";
import { publishedKeys, type TokenFormat, tokenFormats } from "./secret-formats.ts";
import type { SecretMatch } from "./secret-match.ts";

/** The token that begins at a place, if it has a known format. */
export function tokenAt(text: string, at: number): SecretMatch | null {
  const beginning = beginningOf(text, at);
  if (beginnings[beginning] !== 1) return null;
  for (const format of formatsByBeginning.get(beginning) ?? []) {
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

/** A number for the two characters at a place; no format has that of other characters than ASCII. */
function beginningOf(text: string, at: number): number {
  const first = text.charCodeAt(at);
  const second = text.charCodeAt(at + 1);
  return first < 128 && second < 128 ? first * 128 + second : 0;
}

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
const formatsByBeginning: ReadonlyMap<number, readonly CompiledFormat[]> = Map.groupBy(
  tokenFormats.flatMap(compile),
  ({ prefix }) => beginningOf(prefix, 0),
);
/** 1 for each beginning of a format. */
const beginnings = new Uint8Array(128 * 128);
for (const beginning of formatsByBeginning.keys()) beginnings[beginning] = 1;
