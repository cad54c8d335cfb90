const restart =
  "Leave all conversations and stop it (Ctrl-C where it runs; systemctl --user restart passepartout for a service), then start this again.";

/** What to do where the daemon is of another version; null where it is not. */
export function versionNotice(daemon: string, program: string): string | null {
  if (daemon === program) return null;
  return isOlder(program, daemon)
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

function isOlder(one: string, other: string): boolean {
  const [these, those] = [numbersOf(one), numbersOf(other)];
  const at = these.findIndex((number, index) => number !== those[index]);
  return at !== -1 && (these[at] ?? 0) < (those[at] ?? 0);
}

/** The numbers of a release; none for every other version. */
function numbersOf(version: string): readonly number[] {
  return /^\d+\.\d+\.\d+$/.test(version) ? version.split(".").map(Number) : [];
}
