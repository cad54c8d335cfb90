import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, relative, resolve } from "node:path";
import { pathOfNote } from "../folder/notes-folders.ts";
import type { NotesPlace } from "../folder/setup-files.ts";
import type { LinkWorld } from "./broken-links.ts";

/** The files of this machine, as links of the notes name them. Each is looked for once. */
export function linkWorld(place: NotesPlace): LinkWorld {
  const known = new Map<string, boolean>();
  return {
    hasFile(from, target) {
      const path = resolve(dirname(pathOfNote(place, from)), target.replace(/^~(?=\/)/, homedir()));
      const isThere = known.get(path) ?? existsSync(path);
      known.set(path, isThere);
      return isThere;
    },
    pathFrom(from, to) {
      const path = relative(dirname(pathOfNote(place, from)), pathOfNote(place, to));
      return path.startsWith(".") ? path : `./${path}`;
    },
  };
}
