import { type CommandSpec, flag } from "../../text/command-spec.ts";

export const orgArchiveSpec = {
  name: "org archive",
  summary: "move a done tree to its archive, as Emacs does",
  about: [
    "Moves the entry with this ID, or every done tree of a file of your notes, to the archive that its ARCHIVE property, #+ARCHIVE: or ORG_ARCHIVE_LOCATION names, with the properties",
    "that Emacs writes. Both files are one change: passepartout review undo ID takes it back.",
  ],
  arguments: [{ form: "ID|FILE", called: "the ID of an entry, or a file of the notes" }],
  options: { json: flag("prints the proposal that was accepted as a JSON object") },
  exit: { 0: "archived", 1: "nothing was archived", 4: "it asks, and the question waits" },
} as const satisfies CommandSpec;
