import { type CommandSpec, flag } from "../../text/command-spec.ts";

export const backupSpec = {
  name: "backup",
  summary: "write state, journal, vault and settings into a file, verified",
  about: [
    "Writes the state, the journal, the vault (encrypted as it is) and the settings into FILE, which must not be there yet, also while the agent runs. Every file is read",
    "back and compared by its hash. No key goes in in clear: settings with keys are left out, and the result names them.",
  ],
  arguments: [{ form: "FILE", called: "the name of a FILE", values: "file" }],
  options: {
    notes: flag("takes the notes folders too, with all files in them"),
    passphrase: flag(
      "takes the key that opens secret earlier contents too, encrypted with a passphrase of yours: typed twice, or the first line of standard input. Without it the backup can be restored whole where this state is, and elsewhere by: passepartout restore FILE --without-key",
    ),
    json: flag("prints a JSON object"),
  },
  notes: ["What commands displaced for /undo, the index of the notes and links inside them are not in it."],
  exit: { 0: "written and verified", 1: "it could not be made" },
} as const satisfies CommandSpec;

export const restoreSpec = {
  name: "restore",
  synopsis: [
    "passepartout restore FILE [--notes] [--passphrase | --without-key] [--dry-run | --yes] [--json]",
    "passepartout restore --undo [--json]",
  ],
  summary: "put a backup in their place, after showing what it replaces; and back",
  about: [
    "Puts the state, the journal, the vault and the settings of a backup in the place of those of now, all or none. It first checks every byte of FILE, shows what it",
    "would replace, and asks. What was there is kept aside. The agent must not run meanwhile.",
  ],
  arguments: [{ form: "[FILE]", values: "file" }],
  options: {
    notes: flag("restores the notes too, into the folders that the restored settings name"),
    passphrase: flag(
      "reads the passphrase of the backup from the first line of standard input; on a terminal it is asked for where it is needed",
    ),
    "without-key": flag(
      "restores without the key that opens secret earlier contents: /undo cannot bring those back, and what was private and is in no note now is forgotten",
    ),
    "dry-run": flag("shows what would be replaced, and replaces nothing"),
    yes: flag("does not ask"),
    undo: flag("takes the last restore back, and by a second time the taking back"),
    json: flag("prints a JSON object"),
  },
  either: [
    ["passphrase", "without-key"],
    ["dry-run", "yes"],
  ],
  exit: {
    0: "restored (with --dry-run: it can be restored)",
    1: "refused or not wanted: nothing was changed",
  },
} as const satisfies CommandSpec;

export const purgeSpec = {
  name: "purge",
  summary: "show and remove all that was written outside of your notes",
  about: [
    "Shows all that Passepartout ever wrote outside of your notes folders, with sizes, asks, and removes it: conversations, journal, memory, settings, the vault and its",
    "passphrase in the system's keyring, and the service. It cannot be undone; passepartout backup keeps a copy. Your notes and the program itself stay.",
  ],
  options: {
    "dry-run": flag("shows it, and removes nothing"),
    yes: flag("does not ask"),
    json: flag("prints a JSON object"),
  },
  either: [["dry-run", "yes"]],
  exit: { 0: "removed, or nothing is there (with --dry-run: shown)", 1: "not removed" },
} as const satisfies CommandSpec;
