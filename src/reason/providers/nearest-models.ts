import type { ProviderEndpoint } from "./endpoint.ts";
import { listModels } from "./list-models.ts";

/** How long a provider may take to list its models. Milliseconds. */
const patience = 3_000;
const mostNames = 3;

/** The names of the provider's models that are most like a name that it does not know, as a clause; empty if it does not list them. Sends nothing but the key. */
export async function listNearestModels(
  endpoint: ProviderEndpoint,
  wanted: string,
  cancel: AbortSignal,
): Promise<string> {
  const signal = AbortSignal.any([cancel, AbortSignal.timeout(patience)]);
  // Without the list the failure is told without it.
  const offered = await listModels(endpoint, signal);
  const names = offered.ok ? offered.models : [];
  const nearest = nearestOf(names, wanted);
  return nearest.length === 0 ? "" : `; it has ${nearest.join(", ")}`;
}

function nearestOf(names: readonly string[], wanted: string): readonly string[] {
  return [...names]
    .map((name) => ({ name, distance: distanceOf(name.toLowerCase(), wanted.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, mostNames)
    .map(({ name }) => name);
}

/** Levenshtein distance; what one name has beyond the other costs little, so that a family or a tag may be missing. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let index = 0; index < other.length; index += 1) {
      const change = (row[index] ?? 0) + (one[at] === other[index] ? 0 : 1);
      next.push(Math.min(change, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return (row.at(-1) ?? 0) - 0.8 * Math.abs(one.length - other.length);
}
