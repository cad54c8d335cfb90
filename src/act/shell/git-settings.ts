import type { GitOfOwner } from "./git-of-owner.ts";
import type { PlannedCommand } from "./plan.ts";

type Setting = readonly [key: string, value: string];

/**
 * For git with the copy of a repository. Now and then git packs a repository, and removes what it packed:
 * not there, since only new objects come back.
 */
const forCopy: readonly Setting[] = [
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
];

/**
 * The settings of git that a command gets by its variables. One that was proved to only read sees no file of
 * settings, so it has the folders of other users that the owner calls safe from here, and what stands for the
 * owner's filters: a repository with filters of its own proves nothing. And git looks for a
 * repository on the disk of its folder alone, where a sandbox with a copy has several.
 */
export function gitSettings(
  { proof, repository }: Pick<PlannedCommand, "proof" | "repository">,
  { safe, filters }: Pick<GitOfOwner, "safe" | "filters">,
): readonly (readonly [string, string])[] {
  const ofOwner: readonly Setting[] = [
    ...safe.map((folder): Setting => ["safe.directory", folder]),
    ...filters.map(({ filter, key, value }): Setting => [`filter.${filter}.${key}`, value]),
  ];
  const settings = [...(proof === null ? [] : ofOwner), ...(repository === null ? [] : forCopy)];
  if (settings.length === 0) return [];
  return [
    ...(repository === null ? [] : [["GIT_DISCOVERY_ACROSS_FILESYSTEM", "1"] as const]),
    ["GIT_CONFIG_COUNT", `${settings.length}`],
    ...settings.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key] as const,
      [`GIT_CONFIG_VALUE_${at}`, value] as const,
    ]),
  ];
}
