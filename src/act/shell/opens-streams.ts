import type { PlannedCommand } from "./plan.ts";

/**
 * Whether a program may open its streams by their names: what was proved to only read opens nothing but what
 * it names.
 */
export function mayOpenStreams({ proof, argv, reads }: PlannedCommand): boolean {
  const named = [...argv, ...reads.map(({ path }) => path)];
  return proof === null || named.some((word) => /(?:^|\/)(?:dev|proc)(?:\/|$)/.test(word));
}
