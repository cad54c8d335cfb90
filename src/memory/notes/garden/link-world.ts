import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, relative, resolve } from "node:path";
import { readDenoteName } from "../../../notes/denote-name.ts";
import { pathOfNote } from "../folder/notes-folders.ts";
import { orNull } from "../folder/or-null.ts";
import type { NotesPlace } from "../folder/setup-files.ts";
import type { LinkWorld } from "./broken-links.ts";

/** The files of this machine, as links of the notes name them. Each is looked for once. `folders`: those of the notes. */
export function linkWorld(place: NotesPlace, folders: readonly string[]): LinkWorld {
  const known = new Map<string, boolean>();
  let identifiers: ReadonlySet<string> | null = null;
  const pathOf = (from: string, target: string): string =>
    resolve(dirname(pathOfNote(place, from)), target.replace(/^~(?=\/)/, homedir()));
  return {
    pathOf,
    hasDenoteFile(identifier) {
      identifiers ??= denoteFilesIn(place, folders);
      return identifiers.has(identifier);
    },
    hasFile(from, target) {
      const path = pathOf(from, target);
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

/** The identifiers of Denote in the names of all files: notes may be Markdown or plain text too. */
function denoteFilesIn(place: NotesPlace, folders: readonly string[]): ReadonlySet<string> {
  const names = folders.flatMap((folder) => orNull(() => readdirSync(pathOfNote(place, folder))) ?? []);
  return new Set(names.flatMap((name) => readDenoteName(name)?.id ?? []));
}
