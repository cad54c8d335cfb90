import type { WritePath } from "../../signal/effect.ts";

/** Rights of the group and of others, and those by which a program runs as its owner or group. */
const foreign = 0o6077;

/**
 * What a change of permission bits, and what a list of access gives, opens to others, as a part of an effect;
 * nothing where it opens nothing.
 */
export function openedRights(
  was: number,
  mode: number,
  given: string | undefined = undefined,
): Pick<WritePath, "opens"> {
  const opened = (mode & ~was & foreign) === 0 ? [] : [`${octal(was)} → ${octal(mode)}`];
  const all = given === undefined ? opened : [...opened, given];
  return all.length === 0 ? {} : { opens: all.join(", ") };
}

/** Permission bits as people write them. */
export function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(3, "0");
}
