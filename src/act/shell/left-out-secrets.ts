import { relative } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import type { ProtectedPathsSearch, ResolvedPathUse } from "./confine.ts";
import type { PlannedCommand } from "./plan.ts";
import { type LeftOut, leaveOut } from "./programs/exclusions.ts";

/** The secret files, sockets and pipes in the folders that a proved command searches. */
export type SecretsOfSearch = { readonly found: readonly LeftOut[]; readonly complete: boolean };

/** Finds what a search must leave out. A secret that the command names itself is not among it. */
export async function findSecretsOfSearch(
  command: PlannedCommand,
  search: ProtectedPathsSearch,
): Promise<SecretsOfSearch> {
  const trees = command.reads.filter(({ access, tree }) => tree && access === "contents");
  const searched = await Promise.all(trees.map(async (use) => ({ use, result: await search(use.path) })));
  const found = searched.flatMap(({ use, result }) =>
    result.masked.filter(({ path }) => path !== use.path && isInside(use.path, path)),
  );
  return {
    found: [...new Map(found.map((each) => [each.path, each])).values()],
    complete: searched.every(({ result }) => result.complete),
  };
}

const maxLeftOut = 500;

/** Makes a search that runs without a sandbox leave secrets out. Where it cannot, each of them becomes a read that is judged. */
export function withoutSecrets(
  command: PlannedCommand,
  { found, complete }: SecretsOfSearch,
): PlannedCommand {
  if (!complete) return { ...command, proof: null, doubt: "it searches too many files" };
  if (found.length === 0) return command;
  const { exclusion } = command;
  if (exclusion !== null && found.length <= maxLeftOut)
    return {
      ...command,
      argv: leaveOut(command.argv, exclusion, found),
      leftOut: found.map(({ path }) => path),
    };
  const reads = found
    .slice(0, 20)
    .map(({ path }): ResolvedPathUse => ({ path, written: path, access: "contents", tree: false }));
  return { ...command, reads: [...command.reads, ...reads] };
}

/** Whether the output of a command is a search, whose reader must know what it did not search. */
export function isSearch({ exclusion, argv }: PlannedCommand): boolean {
  return exclusion !== null && (exclusion.form !== "git" || argv.includes("grep"));
}

/** Says what was left out of a search; null for nothing. */
export function describeLeftOut(paths: readonly string[], cwd: string): string | null {
  if (paths.length === 0) return null;
  const shown = [...new Set(paths)].map((path) => (isInside(cwd, path) ? relative(cwd, path) : path));
  const more = shown.length > 10 ? `, and ${shown.length - 10} more` : "";
  return `Left out of the search, because they are secret files, sockets or pipes: ${shown.slice(0, 10).join(", ")}${more}.`;
}
