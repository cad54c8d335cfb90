import { hash } from "node:crypto";
import type { Headline } from "#org";

/** Longer place IDs (UTF-16 units) are replaced by a hash, so that a deep outline costs no more than a flat one. */
const longestId = 300;

/** The place ID of each headline: the file's path, `::`, the outline path, and `~2` … for the second headline of a name. */
export function placeIds(path: string, headlines: readonly Headline[]): readonly string[] {
  const ids: string[] = [];
  const seen = new Map<string, number>();
  for (const { parent, title } of headlines) {
    const above = ids[parent];
    const plain = `${above === undefined ? `${path}::` : `${above}/`}${title.toWellFormed().replaceAll("/", "\\/")}`;
    const wanted = plain.length <= longestId ? plain : `${path}::#${hash("sha256", plain).slice(0, 32)}`;
    const times = (seen.get(wanted) ?? 0) + 1;
    seen.set(wanted, times);
    ids.push(times === 1 ? wanted : unused(`${wanted}~${times}`, seen));
  }
  return ids;
}

/** A title may itself end in `~2`. */
function unused(id: string, seen: Map<string, number>): string {
  let free = id;
  while (seen.has(free)) free = `${free}~`;
  seen.set(free, 1);
  return free;
}
