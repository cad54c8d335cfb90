import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { KeptValue } from "../../memory/state/kept-value.ts";
import { programFolder } from "../../update/own-build.ts";

/** How many changes are named. */
const mostNamed = 8;

/**
 * What an update brought, for the owner, once: at the first start of a newer version. Null at the first start of all, where the version is that of the start
 * before, and for versions that are no release.
 */
export async function tellUpdate(
  kept: KeptValue,
  version: string,
  readChangelog: () => string = readOwnChangelog,
): Promise<string | null> {
  if (!release.test(version)) return null;
  const before = await kept.get();
  if (before === version) return null;
  await kept.set(version);
  if (typeof before !== "string" || !isNewer(version, before)) return null;
  const changes = changesSince(readChangelog(), before);
  const named = changes.slice(0, mostNamed).map((change) => `\n  - ${change}`);
  const more =
    changes.length > mostNamed ? `\n  and ${changes.length - mostNamed} more, in CHANGELOG.md.` : "";
  return `This is version ${version}; the last start was ${before}.${named.length === 0 ? "" : ` What is new:${named.join("")}${more}`}`;
}

const release = /^\d+\.\d+\.\d+$/;

function isNewer(version: string, before: string): boolean {
  const [one, other] = [version, before].map((text) => text.split(".").map(Number));
  const differs = one?.findIndex((number, index) => number !== other?.[index]) ?? -1;
  return differs !== -1 && (one?.[differs] ?? 0) > (other?.[differs] ?? 0);
}

/** The first sentence of each change in the releases after a version, the newest release first. */
function changesSince(changelog: string, before: string): readonly string[] {
  return changelog.split(/^## /m).flatMap((section) => {
    const version = /^\[(\d+\.\d+\.\d+)\]/.exec(section)?.[1];
    if (version === undefined || !isNewer(version, before)) return [];
    return [...section.matchAll(/^- (.+?(?:[.:](?= )|$))/gm)].map(([, change = ""]) => change);
  });
}

/** The changelog that comes with the program: beside the build, or at the root of the sources. */
function readOwnChangelog(): string {
  return readFileSync(join(programFolder(), "CHANGELOG.md"), "utf8");
}
