import type { PlannedCommand } from "./plan.ts";
import { isSecretExclusion } from "./programs/git-secrets.ts";

/** How many words of a line are looked at as files and folders. */
export const mostNamed = 200;

/** The words of a line that may name files, also of the scripts that stand in it. */
export function wordsOfLine(
  commands: readonly Pick<PlannedCommand, "argv" | "assignments">[],
): readonly string[] {
  const all = commands.flatMap(({ argv, assignments }) =>
    [...argv, ...assignments.map(({ value }) => value)].filter((word) => !isSecretExclusion(word)),
  );
  const words = all.flatMap((word) => word.split(/[\s;&|()<>"'=]+/));
  return [...new Set(words)].filter((word) => word !== "" && !word.startsWith("-"));
}
