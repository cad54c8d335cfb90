import { namesIfThere } from "../../act/files/names-if-there.ts";
import { entryIfThere } from "../../act/files/status-if-there.ts";
import type { State } from "../../memory/state/state.ts";
import { lastingIdentity } from "../../memory/storage/lasting-identity.ts";
import { isJsonObject, type Json, type JsonObject } from "../../signal/json.ts";

type Places = Pick<State, "sessionPlaces">;

/** What is remembered of so many sessions; of those that were opened longest ago it is dropped first. */
const mostSessions = 1_000;

/** Notes which folder a session works in, on which disk, when it is opened there. */
export async function notePlace({ sessionPlaces }: Places, session: string, path: string): Promise<void> {
  const now = await placeOf(path);
  const kept = placesOf(await sessionPlaces.get());
  const before = kept[session];
  if (now === null || before === now || (await isUnmounted(before, now, path))) return;
  const others = Object.entries(kept).filter(([each]) => each !== session);
  await sessionPlaces.set(Object.fromEntries([...others, [session, now] as const].slice(-mostSessions)));
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
  if (now === null) return (await entryIfThere(path))?.isDirectory() !== true;
  if ((await sessions.get(session))?.workspace !== path) return false;
  return isUnmounted(placesOf(await sessionPlaces.get())[session], now, path);
}

async function isUnmounted(before: Json | undefined, now: string, path: string): Promise<boolean> {
  const [disk, ...folder] = String(before ?? now).split(" ");
  const [diskNow, ...folderNow] = now.split(" ");
  const isOther = disk !== diskNow && folder.join(" ") !== folderNow.join(" ");
  return isOther && (await namesIfThere(path)).length === 0;
}

/**
 * The device of a folder and its lasting identity; null where no such folder is there, or its disk does not
 * say.
 */
async function placeOf(path: string): Promise<string | null> {
  const found = await entryIfThere(path);
  const identity = found === null ? null : await lastingIdentity(path);
  return found === null || identity === null ? null : `${found.dev} ${identity}`;
}

const placesOf = (kept: Json): JsonObject => (isJsonObject(kept) ? kept : {});
