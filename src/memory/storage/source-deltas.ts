import type { Label, LabelSource } from "../../signal/label.ts";

type Sources = Label["sources"];

/** A list of sources as it differs from the one before: without its first `drop`, and with `add` at its end. */
export type SourceDelta = { readonly drop: number; readonly add: Sources };

/** The shorter of a list of sources and its difference from the list before. A conversation names the same sources in each of its labels. */
export function packSources(before: Sources, sources: Sources): Sources | SourceDelta {
  if (before.length === 0) return sources;
  for (let drop = 0; drop < before.length; drop += 1) {
    const kept = before.length - drop;
    if (kept > sources.length) continue;
    if (!before.slice(drop).every((source, index) => isSame(source, sources[index]))) continue;
    return { drop, add: sources.slice(kept) };
  }
  return sources;
}

/** The list of sources that was packed. */
export function unpackSources(before: Sources, packed: Sources | SourceDelta): Sources {
  return "drop" in packed ? [...before.slice(packed.drop), ...packed.add] : packed;
}

function isSame(one: LabelSource, other: LabelSource | undefined): boolean {
  return other !== undefined && one.id === other.id && one.path === other.path;
}
