import { dirname } from "node:path";
import { entryIfThere } from "../files/status-if-there.ts";
import { type AccessList, accessListsBelow, accessListsOf } from "../sandbox/access-lists.ts";
import { canReadAttributes, hasAccessList } from "../sandbox/extended-attributes.ts";
import type { Overlay } from "../sandbox/overlay.ts";
import type { OverlayAttributes } from "./attribute-changes.ts";
import { TooLarge } from "./measure.ts";

/** What lists of access give others after a command that they had not before it, in words, by the paths. */
export type GivenAccess = ReadonlyMap<string, string>;

const unread = "its lists of access could not be read";
const nobody: AccessList = new Map();

/**
 * The rights that a command gave by lists of access in an overlay: to a named user or group, to the group of
 * a file behind its mode, or in a folder to others on all that will be made there. What is new has what its
 * folder gives by the list from before. `attributes` are those of the overlay. Throws `TooLarge` where a list
 * cannot be read: then nobody knows.
 */
export async function findGivenAccess(overlay: Overlay, attributes: OverlayAttributes): Promise<GivenAccess> {
  const given = new Map<string, string>();
  const isKnown = await canReadAttributes();
  if (isKnown && ![...attributes.values()].some(hasAccessList)) return given;
  const after = await accessListsBelow(overlay.upper);
  if (after === null) throw new TooLarge(unread);
  if (after.size === 0) return given;
  const paths = [...after.keys()].map((path) => `${overlay.folder}${path.slice(overlay.upper.length)}`);
  const known = new Map<string, string>();
  for (const path of paths) known.set(path, await nearest(path));
  const before = await accessListsOf([...new Set(known.values())]);
  if (before === null) throw new TooLarge(unread);
  for (const [upper, list] of after) {
    const path = `${overlay.folder}${upper.slice(overlay.upper.length)}`;
    const place = known.get(path) ?? path;
    const old = before.get(place) ?? nobody;
    const words = gainedWords(list, place === path ? old : inherited(old, list));
    if (words !== "") given.set(path, words);
  }
  return given;
}

/** The path itself, or the nearest folder above that was there before. */
async function nearest(path: string): Promise<string> {
  let at = path;
  while ((await entryIfThere(at)) === null) at = dirname(at);
  return at;
}

const byDefault = "default:";

/** What something new in a folder gives without a word: by the folder's own list, and else by its mode. */
function inherited(folder: AccessList, made: AccessList): AccessList {
  const defaults = [...folder].filter(([who]) => who.startsWith(byDefault));
  const own = defaults.map(([who, rights]) => [who.slice(byDefault.length), rights] as const);
  const byMode = (["group:", "other:"] as const).map((who) => [who, made.get(who) ?? 0] as const);
  return new Map([...defaults, ...own, ...byMode]);
}

function gainedWords(now: AccessList, old: AccessList): string {
  const others = old.get("other:") ?? 0;
  return [...now]
    .filter(([who]) => who !== "other:")
    .flatMap(([who, rights]) => {
      const had = old.get(who) ?? (who.startsWith(byDefault) ? 0 : others);
      return (rights & ~had) === 0 ? [] : [`${nameOf(who)} ${lettersOf(had)} → ${lettersOf(rights)}`];
    })
    .join(", ");
}

function nameOf(who: string): string {
  const [scope, rest] = who.startsWith(byDefault) ? ["by default ", who.slice(byDefault.length)] : ["", who];
  return `${scope}${rest.replace(/:$/, "").replace(":", " ")}`;
}

function lettersOf(rights: number): string {
  return [..."rwx"].map((letter, at) => ((rights & (4 >> at)) === 0 ? "-" : letter)).join("");
}
