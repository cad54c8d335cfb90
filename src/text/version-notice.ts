const restart =
  "Leave all conversations and stop it (Ctrl-C where it runs; systemctl --user restart passepartout for a service), then start this again.";

/** What to do where the daemon is of another version; null where it is not. */
export function versionNotice(daemon: string, program: string): string | null {
  const difference = daemon === program ? 0 : compareVersions(program, daemon);
  if (difference === 0) return null;
  return difference !== null && difference < 0
    ? `The daemon is version ${daemon}, newer than this program (${program}). Leave, and start the newer program.`
    : `The daemon is version ${daemon} and this program ${program}: it may not know all commands. ${restart}`;
}

/** What to do where the daemon speaks another protocol, so that nothing can be said to it. */
export function protocolNotice(
  daemon: { readonly version: string; readonly protocol: number },
  ownProtocol: number,
): string {
  const { version, protocol } = daemon;
  const way =
    protocol > ownProtocol ? "This program is the older one: leave, and start the newer one." : restart;
  return `The daemon is version ${version} and speaks another protocol (${protocol}, not ${ownProtocol}), so nothing can be said to it. ${way}`;
}

/**
 * Below 0 where a version is older than another one, by the rules of semver: what has a suffix came before
 * its release, and what stands behind a + does not count. Null where one is no such version.
 */
function compareVersions(one: string, other: string): number | null {
  const [these, those] = [partsOf(one), partsOf(other)];
  if (these === null || those === null) return null;
  const differences = Array.from({ length: Math.max(these.length, those.length) }, (_, at) =>
    comparePart(these[at], those[at]),
  );
  return differences.find((difference) => difference !== 0) ?? 0;
}

/** The numbers of a release, what says whether it came out, and the parts of its suffix. */
function partsOf(version: string): readonly string[] | null {
  const [, release = "", suffix] = /^(\d+\.\d+\.\d+)(?:-([\dA-Za-z.-]+))?(?:\+.*)?$/.exec(version) ?? [];
  if (release === "") return null;
  return suffix === undefined
    ? [...release.split("."), "1"]
    : [...release.split("."), "0", ...suffix.split(".")];
}

/** A part that is missing comes first, then numbers, then words. */
function comparePart(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return one === other ? 0 : one === undefined ? -1 : 1;
  const [isNumber, isOtherNumber] = [one, other].map((part) => /^\d+$/.test(part));
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  if (isNumber) return Number(one) - Number(other);
  return one === other ? 0 : one < other ? -1 : 1;
}
