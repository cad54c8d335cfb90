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
 * settings, so it has the folders of other users that the owner calls safe from here. And git looks for a
 * repository on the disk of its folder alone, where a sandbox with a copy has several.
 */
export function gitSettings(
  { proof, repository }: Pick<PlannedCommand, "proof" | "repository">,
  safe: readonly string[],
): readonly (readonly [string, string])[] {
  const folders = proof === null ? [] : safe.map((folder): Setting => ["safe.directory", folder]);
  const settings = [...folders, ...(repository === null ? [] : forCopy)];
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
