import { copiedNames } from "../text/copied-name.ts";
import { foldedSegments } from "../text/later/fold-path.ts";
import {
  secretFileNames,
  secretFilePatterns,
  secretFolderNames,
  secretPlaceNames,
} from "../text/secret-names.ts";

/** True for a path whose name or place says that it holds a secret: keys, tokens, histories, browser profiles, the memory of other programs. */
export function isSecretPath(path: string, home: string): boolean {
  return secretPathRule(path, home) !== null;
}

/** The name of the rule that makes a path secret, or null. Compares whole segments anywhere in the path, ignoring case: a copy of `.ssh` in a workspace counts. Takes any text, normalised or not. */
export function secretPathRule(path: string, home: string): string | null {
  const segments = foldedSegments(path);
  const copied = segments.map(copiedNames);
  for (const [index, names] of copied.entries()) {
    const folder = firstOf(names, (name) => secretFolders.get(name));
    const rule = folder ?? pairRule(names, copied[index + 1] ?? []);
    if (rule !== null) return rule;
  }
  const byName = firstOf(
    copied.at(-1) ?? [],
    (name) => secretFiles.get(name) ?? byPattern(name, filePatterns),
  );
  return byName ?? byPlace(segments, home);
}

/** What is found for the first name for which something is: a copy is as secret as what it is a copy of. */
function firstOf(names: readonly string[], find: (name: string) => string | null | undefined): string | null {
  for (const name of names) {
    const found = find(name) ?? null;
    if (found !== null) return found;
  }
  return null;
}

/** The rule of a folder and a name in it, either of which may be a copy. */
function pairRule(folders: readonly string[], names: readonly string[]): string | null {
  return firstOf(folders, (outer) => firstOf(names, (inner) => secretPairs.get(`${outer}/${inner}`)));
}

function byPlace(segments: readonly string[], home: string): string | null {
  const outer = foldedSegments(home);
  const atHome = outer.length > 0 && outer.every((segment, index) => segment === segments[index]);
  const [first = "", ...rest] = atHome ? segments.slice(outer.length) : [];
  const below = firstOf(copiedNames(first), (name) => byPattern([name, ...rest].join("/"), homePatterns));
  return below ?? byPattern(`/${segments.join("/")}`, systemPatterns);
}

type Patterns = readonly (readonly [rule: string, pattern: RegExp])[];

function byPattern(text: string, patterns: Patterns): string | null {
  return patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

function named(groups: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(groups).flatMap(([rule, names]) => names.split(" ").map((name) => [name, rule] as const)),
  );
}

const secretFolders = named(secretFolderNames);
const secretPairs = named(secretPlaceNames);
const secretFiles = named(secretFileNames);
const filePatterns: Patterns = secretFilePatterns.map(({ rule, pattern }) => [rule, pattern]);

const homePatterns: Patterns = [
  ["keyring", /^\.local\/share\/(?:keyrings|kwalletd)(?:\/|$)/],
  ["password store", /^(?:passwords?|\.passwords?)(?:\.[a-z0-9]+)?$/],
  ["crypto wallet", /^\.?wallets?(?:\/|$)/],
  [
    "browser profile",
    /^library\/application support\/(?:google|firefox|chromium|bravesoftware|microsoft edge|bitwarden)(?:\/|$)/,
  ],
  ["chat session", /^\.config\/(?:signal|slack|discord)(?:\/|$)/],
];

const systemPatterns: Patterns = [
  ["machine secrets", /^\/etc\/ssh\/[^/]*key(?:\..*)?$/],
  [
    "machine secrets",
    /^\/etc\/(?:networkmanager\/system-connections|ssl\/private|security\/opasswd)(?:\/|$)/,
  ],
  ["run secrets", /^(?:\/var)?\/run\/(?:secrets|credentials|user|keys)(?:\/|$)/],
  [
    "memory of another program",
    /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem|maps|smaps|cmdline|fd|fdinfo|root|cwd|auxv|pagemap|map_files|stack|syscall)(?:\/|$)/,
  ],
  ["kernel memory", /^\/proc\/(?:kcore|kmem|keys|vmcore)$/],
  [
    "raw device",
    /^\/dev\/(?:(?:sd|hd|vd|xvd)[a-z]|nvme|mmcblk|dm-|md\d|loop|nbd|mapper|disk|mem$|kmem$|port$|input|hidraw|usb|tpm|kvm)/,
  ],
];
