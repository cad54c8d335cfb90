import { existsSync, realpathSync } from "node:fs";
import type { NoteToForget } from "../../memory/notes/edits/note-copies.ts";
import { noteName } from "../../memory/notes/folder/notes-folders.ts";
import type { Notes } from "../../memory/notes/open-notes.ts";
import type { State } from "../../memory/state/state.ts";
import { originHashes } from "../../notes/note-hashes.ts";
import type { NoteNode } from "../../notes/note-node.ts";
import type { NotePlace } from "../../perceive/notes-request.ts";

/** The texts of a note and of all below it, with what their recorded origins are found by. */
export type NoteTexts = { readonly hashes: readonly string[]; readonly texts: readonly string[] };

/** What the recorded origins of a note are found by. */
type NoteHashes = { readonly words: string; readonly all: readonly string[] };

/** What the owner's commands look up of the notes. */
export type NoteLookups = {
  /** Whether there is a note, or an object of the agent's own memory, of this id. */
  readonly hasNote: (id: string) => Promise<boolean>;
  /**
   * The id of the note at a place: of the innermost headline of its outline that is known, else of the file;
   * null where the file is no note.
   */
  readonly noteAt: (place: NotePlace) => Promise<string | null>;
  /** The notes whose title holds these words, best first. */
  readonly titled: (words: string, limit: number) => Promise<readonly NoteNode[]>;
  /** The title of a note; null where there is no note of this id. */
  readonly noteTitle: (id: string) => Promise<string | null>;
  /**
   * The hash of a note's words, and what the origins of the whole note are found by; null where there is no
   * note of this id, or no words in it.
   */
  readonly noteHashes: (id: string) => Promise<NoteHashes | null>;
  /** The texts of a note and of all below it; null where there is no note of this id. */
  readonly noteTexts: (id: string) => Promise<NoteTexts | null>;
  /** A note with what its copies are known by; its `file` is null where there is no note of this id. */
  readonly noteToForget: (id: string) => Promise<NoteToForget>;
  /** Brings the index up to date, and overwrites on the disk what it held before. */
  readonly overwriteIndex: () => Promise<void>;
};

/** Looks notes up in the index, once it is up to date. */
export function makeNoteLookups({ notes, state }: { notes: Notes; state: State }): NoteLookups {
  const noteOf = async (id: string) => {
    await notes.ready();
    return notes.index.resolveId(id);
  };
  return {
    hasNote: async (id) => ((await noteOf(id)) ?? (await state.objects.get("own", id))) !== null,
    async noteAt({ file, outline }) {
      await notes.ready();
      const path = existsSync(file) ? realpathSync(file) : file;
      const nodes = await notes.index.nodesInFile(noteName(notes.place, path));
      for (let depth = outline.length; depth > 0; depth -= 1) {
        const titles = outline.slice(0, depth).join("\n");
        const node = nodes.find(({ path: above, title }) => [...above, title].join("\n") === titles);
        if (node !== undefined) return node.id;
      }
      return nodes[0]?.id ?? null;
    },
    async titled(words, limit) {
      await notes.ready();
      return notes.index.titled(words, limit);
    },
    noteTitle: async (id) => (await noteOf(id))?.title ?? null,
    async noteHashes(id) {
      const node = await noteOf(id);
      return node === null || node.words === "" ? null : { words: node.words, all: originHashes(node) };
    },
    async noteTexts(id) {
      if ((await noteOf(id)) === null) return null;
      const nodes = await notes.subtree(id);
      const texts = await notes.texts(nodes);
      return { hashes: nodes.flatMap(originHashes), texts: [...texts.values()] };
    },
    overwriteIndex: () => notes.overwriteFreed(),
    async noteToForget(id) {
      const node = await noteOf(id);
      const { variables } = notes.place;
      if (node === null)
        return { id, file: null, isFile: false, ownNames: [], subtreeNames: [], text: "", variables };
      const path = notes.pathOf(node.file);
      const nodes = await notes.subtree(id);
      const texts = await notes.texts(nodes);
      const { makeNoteToForget } = await import("../../memory/notes/edits/note-copies.ts");
      return makeNoteToForget(node, {
        id,
        file: existsSync(path) ? realpathSync(path) : path,
        nodes,
        texts,
        variables,
      });
    },
  };
}
