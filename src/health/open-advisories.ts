import { type Advisory, advisories } from "./advisories.ts";

/**
 * The advisories that concern a version of a component. A version that does not parse counts as affected by
 * each.
 */
export function openAdvisories(
  component: string,
  version: string,
  known: readonly Advisory[] = advisories,
): readonly Advisory[] {
  const parsed = numbersOf(version);
  return known.filter(
    ({ component: concerned, affected }) =>
      concerned === component &&
      (parsed === null ||
        affected.some(
          ({ introduced, fixed }) =>
            !isBefore(parsed, introduced) && (fixed === undefined || isBefore(parsed, fixed)),
        )),
  );
}

/**
 * The three numbers of a version, and a fourth that puts a pre-release before its release. Null for what is
 * no version.
 */
function numbersOf(version: string): readonly number[] | null {
  const [, numbers, pre] = /^(\d+\.\d+\.\d+)(-.*)?$/.exec(version) ?? [];
  return numbers === undefined ? null : [...numbers.split(".").map(Number), pre === undefined ? 1 : 0];
}

function isBefore(version: readonly number[], end: string): boolean {
  const ends = numbersOf(end) ?? [];
  const at = version.findIndex((number, place) => number !== ends[place]);
  return at !== -1 && (version[at] ?? 0) < (ends[at] ?? 0);
}
