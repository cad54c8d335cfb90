import { namesIfThere } from "../../act/files/names-if-there.ts";
import { entryIfThere } from "../../act/files/status-if-there.ts";
import type { State } from "../../memory/state/state.ts";
import { lastingIdentity } from "../../memory/storage/lasting-identity.ts";
import { isJsonObject, type Json, type JsonObject } from "../../text/json.ts";

type Places = Pick<State, "sessionPlaces">;

/** What is remembered of so many sessions; of those that were opened longest ago it is dropped first. */
const mostSessions = 1_000;

/** Notes which folder a session works in, on which disk, where nothing is noted of it. */
export async function noteFirstPlace(state: Places, session: string, path: string): Promise<void> {
  if (placesOf(await state.sessionPlaces.get())[session] === undefined) await notePlace(state, session, path);
}

/**
 * Notes which folder a session works in now. Whether it is another one than was noted, as one that was made
 * anew, or of another disk.
 */
export async function notePlace({ sessionPlaces }: Places, session: string, path: string): Promise<boolean> {
  const now = await placeOf(path);
  const kept = placesOf(await sessionPlaces.get());
  const before = kept[session];
  if (now === null || before === now || (await isUnmounted(before, now, path))) return false;
  const others = Object.entries(kept).filter(([each]) => each !== session);
  await sessionPlaces.set(Object.fromEntries([...others, [session, now] as const].slice(-mostSessions)));
  return before !== undefined && partsOf(before).folder !== partsOf(now).folder;
}

/**
 * Whether the folder of a session is not there, or only the mount point of its disk: an empty folder, and
 * another one on another disk than it was.
 */
export async function isPlaceGone(
  { sessions, sessionPlaces }: Places & Pick<State, "sessions">,
  session: string,
  path: string,
): Promise<boolean> {
  const now = await placeOf(path);
  if (now === null) return true;
  if ((await sessions.get(session))?.workspace !== path) return false;
  return isUnmounted(placesOf(await sessionPlaces.get())[session], now, path);
}

async function isUnmounted(before: Json | undefined, now: string, path: string): Promise<boolean> {
  const [then, after] = [partsOf(before ?? now), partsOf(now)];
  const isOther = then.disk !== after.disk && then.folder !== after.folder;
  return isOther && (await namesIfThere(path)).length === 0;
}

function partsOf(place: Json): { readonly disk: string; readonly folder: string } {
  const [disk = "", ...folder] = String(place).split(" ");
  return { disk, folder: folder.join(" ") };
}

/**
 * The device of a folder and its lasting identity, `-` where its disk does not say; null where no such folder
 * is there.
 */
async function placeOf(path: string): Promise<string | null> {
  const found = await entryIfThere(path);
  return found?.isDirectory() === true ? `${found.dev} ${(await lastingIdentity(path)) ?? "-"}` : null;
}

const placesOf = (kept: Json): JsonObject => (isJsonObject(kept) ? kept : {});
