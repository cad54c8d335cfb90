import type { State } from "../../../memory/state/state.ts";
import { lastingIdentity } from "../../../memory/storage/lasting-identity.ts";
import { isJsonObject, type Json } from "../../../text/json.ts";

/**
 * The folders whose identity is remembered; those in which a session was opened longest ago are dropped
 * first.
 */
const mostFolders = 1_000;

/**
 * Notes which folder sessions at this path have, and takes along the sessions of the same folder from the
 * path that it had before.
 */
export async function followFolder(
  { sessions, sessionFolders }: Pick<State, "sessions" | "sessionFolders">,
  place: string,
): Promise<void> {
  const identity = await lastingIdentity(place);
  if (identity === null) return;
  const kept = foldersOf(await sessionFolders.get());
  const known = kept.filter(([path]) => path !== place);
  const moved: (typeof known)[number][] = [];
  for (const one of known.filter(([, each]) => each === identity))
    if ((await lastingIdentity(one[0])) !== identity) moved.push(one);
  for (const [path] of moved) await sessions.moveFolder(path, place);
  if (moved.length === 0 && kept.some(([path, each]) => path === place && each === identity)) return;
  const stay = known.filter((each) => !moved.includes(each));
  await sessionFolders.set(Object.fromEntries([...stay, [place, identity] as const].slice(-mostFolders)));
}

/** Paths with the identity of the folder that was there. */
function foldersOf(kept: Json): readonly (readonly [path: string, identity: string])[] {
  if (!isJsonObject(kept)) return [];
  return Object.entries(kept).flatMap(([path, identity]) =>
    typeof identity === "string" ? [[path, identity] as const] : [],
  );
}
