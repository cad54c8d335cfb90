import type { Label, LabelSource } from "../../signal/label.ts";

type Sources = Label["sources"];
/** A run of the list before, or a source that is not in that list. */
type Part = readonly [from: number, count: number] | LabelSource;

/** A list of sources by what it has in common with the list before. */
export type SourceDelta = { readonly parts: readonly Part[] };

/** Packs a list of sources: as its difference from the list before, or as it is where they have nothing in common. The labels of a conversation name nearly the same sources. */
export function packSources(before: Sources, sources: Sources): Sources | SourceDelta {
  const indexes = new Map(before.map((source, index) => [keyOf(source), index]));
  const parts: Part[] = [];
  for (const source of sources) {
    const index = indexes.get(keyOf(source));
    const last = parts.at(-1);
    if (index === undefined) parts.push(source);
    else if (isRun(last) && last[0] + last[1] === index) parts[parts.length - 1] = [last[0], last[1] + 1];
    else parts.push([index, 1]);
  }
  return parts.some(isRun) ? { parts } : sources;
}

/** The list of sources from its packed form. */
export function unpackSources(before: Sources, packed: Sources | SourceDelta): Sources {
  if (!("parts" in packed)) return packed;
  return packed.parts.flatMap((part) => (isRun(part) ? before.slice(part[0], part[0] + part[1]) : [part]));
}

function isRun(part: Part | undefined): part is readonly [number, number] {
  return Array.isArray(part);
}

function keyOf({ id, path }: LabelSource): string {
  return `${path.length} ${path}${id}`;
}
