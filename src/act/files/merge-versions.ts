import { mergeAdjacent } from "../../text/diff/merge.ts";

/** Three versions of a file; null where there is none. */
export type FileVersions = {
  readonly base: Uint8Array | null;
  readonly ours: Uint8Array | null;
  readonly theirs: Uint8Array | null;
};

/** The merged contents (null: no file), or a conflict. */
export type MergedVersions =
  | { readonly ok: true; readonly bytes: Uint8Array | null }
  | { readonly ok: false };

/** Whether two versions are the same, byte for byte. */
export function sameBytes(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : Buffer.compare(one, other) === 0;
}

/**
 * Merges two changes of a file line by line. Only changes of the same lines are a conflict, and so is any second change of a binary file or of a
 * file that is gone. Our change of text that is nowhere else left leaves no empty file where we want none.
 */
export function mergeVersions({ base, ours, theirs }: FileVersions): MergedVersions {
  if (sameBytes(theirs, base) || sameBytes(ours, theirs)) return { ok: true, bytes: ours };
  if (sameBytes(ours, base)) return { ok: true, bytes: theirs };
  const versions = [base, ours, theirs];
  if (theirs === null || versions.some((bytes) => bytes?.includes(0) === true)) return { ok: false };
  // One character for each byte, so that every byte comes back in whatever encoding.
  const [from = "", mine = "", its = ""] = versions.map((bytes) =>
    Buffer.from(bytes ?? []).toString("latin1"),
  );
  const merged = mergeAdjacent(from, mine, its);
  if (!merged.ok) return merged;
  const isGone = merged.text === "" && ours === null;
  return { ok: true, bytes: isGone ? null : Buffer.from(merged.text, "latin1") };
}
