import { type Attributes, attributesBelow, attributesOf } from "../sandbox/extended-attributes.ts";
import type { Overlay } from "../sandbox/overlay.ts";
import { TooLarge } from "./measure.ts";

/** The attributes of entries of an overlay, by their paths in its folder. */
export type OverlayAttributes = ReadonlyMap<string, Attributes>;

const unread = "its extended attributes could not be read";
const none: Attributes = new Map();

/** Reads what has attributes in an overlay. Throws `TooLarge` where they cannot be read. */
export async function readOverlayAttributes({ upper, folder }: Overlay): Promise<OverlayAttributes> {
  const found = await attributesBelow(upper);
  if (found === null) throw new TooLarge(unread);
  return new Map([...found].map(([path, each]) => [`${folder}${path.slice(upper.length)}`, each]));
}

/**
 * Which paths of entries that are in the folder and in the overlay have other attributes in the overlay, with
 * what is another in words. An overlay shows no attributes of its folder itself, but for its list of access:
 * there only what it has counts. Throws `TooLarge` where they cannot be read.
 */
export async function findAttributeChanges(
  folder: string,
  after: OverlayAttributes,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const before = await attributesOf(paths);
  if (before === null) throw new TooLarge(unread);
  const changes = new Map<string, string>();
  for (const path of paths) {
    const [old, now] = [before.get(path) ?? none, after.get(path) ?? none];
    const names = new Set(path === folder ? now.keys() : [...old.keys(), ...now.keys()]);
    const changed = [...names].filter((name) => old.get(name) !== now.get(name));
    if (changed.length > 0) changes.set(path, changeWords(changed));
  }
  return changes;
}

function changeWords(names: readonly string[]): string {
  const others = names.filter((name) => name.startsWith("user."));
  return others.length === 0 ? "another list of access" : `other extended attributes (${others.join(", ")})`;
}
