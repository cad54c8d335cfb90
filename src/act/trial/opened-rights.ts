import type { WritePath } from "../../signal/effect.ts";

/** Rights of the group and of others, and those by which a program runs as its owner or group. */
const foreign = 0o6077;

/**
 * What a change of permission bits opens to others, as a part of an effect; nothing where it opens nothing.
 */
export function openedRights(was: number, mode: number): Pick<WritePath, "opens"> {
  if ((mode & ~was & foreign) === 0) return {};
  return { opens: `${octal(was)} → ${octal(mode)}` };
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(3, "0");
}
