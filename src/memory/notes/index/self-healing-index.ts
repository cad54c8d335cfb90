import type { Database } from "../../storage/database.ts";
import type { NoteIndex } from "./note-index.ts";
import { identityOfFile, isDamage, openIndexFile, removeIndexFile } from "./open-index-file.ts";
import { makeSqliteNoteIndex } from "./sqlite-note-index.ts";

/** An index that is opened when it is first used, and anew where its file was damaged or replaced. */
export type SelfHealingIndex = {
  readonly index: NoteIndex;
  /** Turns to the file that is in its place now. */
  readonly refresh: () => void;
  readonly close: () => Promise<void>;
};

type Open = { readonly database: Database; readonly index: NoteIndex; readonly identity: string };

/** Holds the index of a file. A damaged one is made anew, empty, and what was asked is asked of that; whoever syncs next fills it. */
export function openSelfHealingIndex({
  file,
  report,
  emptied,
}: {
  readonly file: string;
  readonly report: (message: string) => void;
  readonly emptied: () => void;
}): SelfHealingIndex {
  const cell: { open: Open | null } = { open: null };
  const current = (): NoteIndex => {
    if (cell.open === null) {
      const opened = openIndexFile(file);
      if (opened.report !== null) report(opened.report);
      const { database } = opened;
      cell.open = { database, index: makeSqliteNoteIndex(database), identity: identityOfFile(file) };
    }
    return cell.open.index;
  };
  const shut = (): void => {
    cell.open?.database.close();
    cell.open = null;
  };
  const use = async <T>(work: (index: NoteIndex) => Promise<T>): Promise<T> => {
    try {
      return await work(current());
    } catch (error) {
      if (!isDamage(error)) throw error;
      shut();
      removeIndexFile(file);
      report(`The index ${file} was damaged; it is made anew from the notes.`);
      emptied();
      return work(current());
    }
  };
  const index: NoteIndex = {
    files: () => use((one) => one.files()),
    file: (path) => use((one) => one.file(path)),
    replace: (files) => use((one) => one.replace(files)),
    touch: (files) => use((one) => one.touch(files)),
    remove: (paths) => use((one) => one.remove(paths)),
    clear: () => use((one) => one.clear()),
    node: (id) => use((one) => one.node(id)),
    claimants: (id) => use((one) => one.claimants(id)),
    nodesInFile: (path) => use((one) => one.nodesInFile(path)),
    children: (id) => use((one) => one.children(id)),
    all: () => current().all(),
    countInFiles: (paths) => use((one) => one.countInFiles(paths)),
    count: () => use((one) => one.count()),
    search: (query, limit) => use((one) => one.search(query, limit)),
    stampsFor: (from, to) => use((one) => one.stampsFor(from, to)),
    linksTo: (type, target) => use((one) => one.linksTo(type, target)),
    openNodesWithTag: (tag) => use((one) => one.openNodesWithTag(tag)),
    root: () => use((one) => one.root()),
    close: async () => shut(),
  };
  return {
    index,
    refresh() {
      if (cell.open !== null && cell.open.identity !== identityOfFile(file)) shut();
    },
    close: async () => shut(),
  };
}
