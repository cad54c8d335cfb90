import type { Folders } from "./facts.ts";
import { isInside } from "./is-inside.ts";
import { reviewFileName } from "./review.ts";

/**
 * Whether the program itself keeps a file: the review inbox, and all in the agent's own folders. What stands
 * there is nothing that its owner works on.
 */
export function isProgramFile(path: string, { notes, own }: Pick<Folders, "notes" | "own">): boolean {
  return path === `${notes}/${reviewFileName}` || own.some((folder) => isInside(folder, path));
}
