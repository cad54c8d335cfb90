/** A pattern in a source that finds all places and reads whole characters: its name if it has one, and how it is written. */
const pattern =
  /(?:const\s+(?<name>\w+)(?:\s*:\s*RegExp)?\s*=\s*)?(?:(?<=[=(,:?[]\s*)\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\\\]\n]|\\.)*\])+\/(?<flags>[a-z]+)|new RegExp\((?:[^()]|\([^()]*\))*"(?<made>[a-z]+)"\s*,?\s*\))/g;
const whole = /^(?=.*g)(?=.*[uv])/;
const stateless = /\.(?:match|matchAll|replace|replaceAll|search|split)\(\s*$/;

/**
 * The patterns with `g` and `u` (or `v`) of a source that are used by `exec`, `test` or `lastIndex`, or that are handed on.
 * Such a pattern steps back where `lastIndex` is set into the middle of a character, so that a loop over `exec` or `test` may never end.
 */
export function findSteppedPatterns(source: string): readonly string[] {
  const found: string[] = [];
  for (const match of source.matchAll(pattern)) {
    const { name, flags, made } = match.groups ?? {};
    if (!whole.test(flags ?? made ?? "")) continue;
    if (name === undefined) {
      if (!stateless.test(source.slice(0, match.index))) found.push(match[0]);
      continue;
    }
    const stepped = new RegExp(`(?<![\\w.])${name}\\.(?:lastIndex|exec|test)\\b`);
    if (stepped.test(source)) found.push(match[0]);
  }
  return found;
}
