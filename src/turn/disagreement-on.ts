import type { Turn } from "../signal/turn.ts";

/** What the judge is told of a call: the words of a disagreement about it. */
export function disagreementOn(
  { consensus }: Turn,
  { digest }: { readonly digest: string },
): { readonly disagreement?: string } {
  if (consensus === undefined || consensus.disagreement === null) return {};
  return consensus.digests.includes(digest) ? { disagreement: consensus.disagreement } : {};
}
