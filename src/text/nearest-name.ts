import { isWithinDistance } from "./edit-distance.ts";

/** The known name that was most likely meant: the same in another case, or with at most two letters wrong, missing, added or exchanged, or the only one that begins with it; null if there is none. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const wanted = name.toLowerCase();
  const allowed = Math.min(2, Math.floor(wanted.length / 4));
  for (let most = 0; most <= allowed; most += 1) {
    const near = known.find((candidate) => isWithinDistance(wanted, candidate.toLowerCase(), most));
    if (near !== undefined) return near;
  }
  const longer =
    wanted.length < fewestLetters ? [] : known.filter((name) => name.toLowerCase().startsWith(wanted));
  return longer.length === 1 ? (longer[0] ?? null) : null;
}

/** Letters that a beginning needs to say which name was meant. */
const fewestLetters = 3;
