import { isInside } from "../../text/is-inside.ts";
import { type Attributes, type OverlayMark, readAttributes } from "../sandbox/extended-attributes.ts";
import type { Overlay } from "../sandbox/overlay.ts";
import { TooLarge } from "./measure.ts";

/** The attributes of entries of an overlay, by their paths in its folder. */
export type OverlayAttributes = ReadonlyMap<string, Attributes>;

/**
 * The attributes of entries of an overlay, and of entries of its folder; `marks`: what it notes for itself.
 */
type BothAttributes = {
  readonly after: OverlayAttributes;
  readonly before: ReadonlyMap<string, Attributes>;
  readonly marks: readonly OverlayMark[];
};

const none: Attributes = new Map();

/**
 * Reads what has attributes in an overlay, and what entries of its folder have. Throws `TooLarge` where they
 * cannot be read.
 */
export async function readBothAttributes(
  { upper, folder }: Overlay,
  paths: readonly string[],
): Promise<BothAttributes> {
  const read = await readAttributes(upper, paths);
  if (read === null) throw new TooLarge("its extended attributes could not be read");
  const { attributes: before, marks } = read;
  const inOverlay = [...before].filter(([path]) => isInside(upper, path));
  return {
    after: new Map(inOverlay.map(([path, each]) => [`${folder}${path.slice(upper.length)}`, each])),
    before,
    marks: marks.filter(({ path }) => isInside(upper, path)),
  };
}

/**
 * Which paths of entries that are in the folder and in the overlay have other attributes in the overlay, with
 * what is another in words. An overlay shows no attributes of its folder itself, but for its list of access:
 * there only what it has counts.
 */
export function findAttributeChanges(
  folder: string,
  { after, before }: BothAttributes,
  paths: readonly string[],
): ReadonlyMap<string, string> {
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
