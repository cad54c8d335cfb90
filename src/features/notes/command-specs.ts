import { type CommandSpec, flag, valued } from "../../text/command-spec.ts";

const files = { form: "[FILE…]", values: "file" } as const;

export const agendaSpec = {
  name: "agenda",
  summary: "list what is scheduled and due, by default this week",
  about: [
    "Lists what is scheduled and due in the notes folder, or in the files, as Emacs's agenda does. The default is the current week, from Monday.",
  ],
  arguments: [files],
  options: {
    from: valued("DAY", "first day: 2024-01-15, today, +3d (in three days) or -1w (a week ago)"),
    days: valued("N", "number of days, from 1 to 3660; without --from they begin today"),
    today: valued("DAY", "day that counts as today"),
    inactive: flag("includes inactive timestamps, such as [2024-01-15]"),
    json: flag("prints a JSON object for each line"),
  },
  exit: { 0: "something is due", 1: "nothing is due" },
} as const satisfies CommandSpec;

export const querySpec = {
  name: "query",
  summary: "find headlines by tags, properties, TODO keywords, dates and text",
  about: [
    "Finds headlines in the notes folder, or in the files. EXPR has the match syntax of Emacs's agenda, and a little more:",
    "  '+work-boss'                tagged work, but not boss",
    "  'PRIORITY=\"A\"/!NEXT'        priority A, with the TODO keyword NEXT",
    "  'DEADLINE<=\"<+1w>\"'         due within a week",
    "  '{^pro}'                    with a tag that begins with pro",
    "  '\"boiler\" AND NOT (a OR b)' text in the headline or below it, combined with AND, OR, NOT and parentheses",
    "An EXPR that begins with a hyphen needs '--' before it.",
  ],
  arguments: [{ form: "EXPR", called: "an expression" }, files],
  options: {
    tree: flag("prints the matching headlines with the headlines above them"),
    json: flag("prints a JSON object for each match"),
  },
  exit: { 0: "some headline matches", 1: "none does" },
} as const satisfies CommandSpec;

export const backlinksSpec = {
  name: "backlinks",
  summary: "list the notes that link to a note",
  about: ["Lists your notes that link to the note with this ID, each with the line of the link."],
  arguments: [{ form: "ID" }],
  options: { json: flag("prints a JSON object for each note") },
  exit: { 0: "some note links to it", 1: "none does, or there is no such note" },
} as const satisfies CommandSpec;

export const memorySpec = {
  name: "memory",
  summary: "search and verify memory, roll it back, forget",
  about: ["Works with the notes, the agent's own memory and all that was said."],
  verbs: [
    {
      name: "snapshot",
      arguments: [{ form: "[NOTE]", words: true }],
      help: "takes a snapshot of memory and files, to go back to",
    },
    {
      name: "history",
      arguments: [{ form: "[ID]", words: true }],
      help: "lists the snapshots, or the changes of an object or a file",
    },
    {
      name: "rollback",
      arguments: [{ form: "SNAPSHOT", called: "the number of a snapshot; memory history lists them" }],
      help: "takes memory and files back to a snapshot; this can itself be undone",
    },
    {
      name: "show",
      arguments: [{ form: "[ID]", words: true }],
      help: "prints a note, a memory or a message; without ID, a summary",
    },
    {
      name: "search",
      arguments: [{ form: "QUERY", called: "words", words: true }],
      help: "searches the notes and all that was said, by words, and by meaning if EMBEDDING_PROVIDER is set",
    },
    { name: "verify", help: "checks the database, and the notes index against the files" },
    { name: "rebuild", help: "rebuilds the notes index from the files" },
    {
      name: "why",
      arguments: [{ form: "ID", called: "the ID of a note, a memory or a message", words: true }],
      help: "prints the lines of a note, a memory or a message, who wrote them, and what they were made from",
    },
    {
      name: "forget",
      arguments: [{ form: "[ID]", words: true }],
      help: "deletes for good what was kept of a note, a memory or a turn; your own file stays",
    },
  ],
  options: {
    "derived-from": {
      ...valued(
        "SOURCE",
        "takes back all that grew from an address, file, note, turn or session, after it showed it",
      ),
      verbs: ["forget"],
    },
    "dry-run": {
      ...flag("only shows what that would take back"),
      verbs: ["forget"],
      beside: ["derived-from"],
    },
    undoable: { ...flag("keeps it for /undo"), verbs: ["forget"], beside: ["derived-from"] },
    yes: { ...flag("takes it back without asking"), verbs: ["forget"], beside: ["derived-from"] },
    json: flag("prints JSON"),
  },
  either: [["dry-run", "yes"]],
  exit: { 0: "done", 1: "nothing found, or damaged, or it could not be done" },
} as const satisfies CommandSpec;

export const orgParseSpec = {
  name: "org parse",
  summary: "print the syntax tree and headlines of files or fragments as JSON",
  about: [
    "Prints a line of JSON for each FILE: its syntax tree, as Org 9.8's own parser has it, and what Emacs reads from each headline.",
    "Nothing in a file is evaluated. The variables in brackets set the same options.",
  ],
  arguments: [files],
  options: {
    jsonl: {
      type: "string",
      multiple: true,
      value: "IN",
      values: "file",
      help: 'parses each line {"n": …, "text": "…"} of IN',
    },
    "inline-tasks": flag("takes headlines of fifteen stars and more for inline tasks (ORACLE_INLINETASK=1)"),
    units: {
      ...valued(
        "UNIT",
        "unit of offsets, which count from 0: utf16 (the default), char or byte (ORACLE_UNITS)",
      ),
      values: ["utf16", "char", "byte"],
    },
    "no-text": flag("leaves out plain text (ORACLE_TEXT=0)"),
    "no-entries": flag("leaves out what Emacs reads from headlines (ORACLE_SEM=0)"),
  },
  exit: { 0: "done", 1: "something could not be read (the rest is printed)" },
} as const satisfies CommandSpec;

const file = { form: "FILE", called: "a file", values: "file" } as const;

export const orgPrintSpec = {
  name: "org print",
  summary: "parse a file and print it back, byte for byte",
  about: ["Parses FILE and prints it from its syntax tree: the same bytes as in the file."],
  arguments: [file],
  options: {},
  exit: { 0: "done", 1: "FILE could not be read" },
} as const satisfies CommandSpec;

export const orgCheckSpec = {
  name: "org check",
  summary: "print each problem of files with its line and column",
  about: [
    "Prints each problem of the files as FILE:LINE:COLUMN: description [name of the problem]. It finds",
    "  - IDs that exist twice, in one file or in several",
    "  - drawers, blocks, planning lines and clocks that are not closed, or are in the wrong place",
    "  - timestamps, repeaters, priorities and tags that cannot be parsed",
    "  - links to headings, IDs, names and files that do not exist, and footnotes without a definition",
    "IDs that a file links to are also searched in the notes beside it, and those of a note in all notes. Nothing is evaluated, changed or sent.",
  ],
  arguments: [{ form: "FILE…", called: "a file", values: "file" }],
  options: { json: flag("prints a JSON object for each problem") },
  exit: { 0: "no problem", 1: "a problem was found or a file could not be read" },
} as const satisfies CommandSpec;

export const orgTangleSpec = {
  name: "org tangle",
  summary: "write the source blocks of a file into the files that they name",
  about: [
    "Writes the source blocks of FILE into the files that their :tangle arguments name, with <<references>> filled in, as Emacs's org-babel-tangle does.",
    "A file that somebody changed since it was tangled is named and not written. A file outside the folder of FILE, or one that is run or obeyed later, asks first, unless it was tangled before. Nothing is evaluated.",
  ],
  arguments: [file],
  options: {
    check: flag("writes nothing, and says which files differ from their source"),
    force: flag("replaces files that somebody changed since they were tangled, too"),
    yes: flag("writes files outside the folder of FILE without asking"),
    json: flag("prints a JSON object for each file"),
  },
  either: [["check", "force"]],
  exit: {
    0: "every file is as FILE has it",
    1: "a file differs, something could not be tangled, or nobody said yes",
  },
} as const satisfies CommandSpec;

export const orgEditSpec = {
  name: "org edit",
  summary: "apply operations from standard input, as Emacs's commands would",
  about: [
    "Reads a JSON array of operations from standard input and applies them to FILE in order, as Emacs's commands would:",
    '  {"op":"todo","at":"HEADING OR ID","state":"DONE"}              state "" removes the keyword',
    '  {"op":"schedule"|"deadline","at":…,"value":"2024-02-01 10:00"} value "" removes it; <2024-02-01 Thu +1w> repeats',
    '  {"op":"priority"|"tags"|"title","at":…,"value":…}              {"op":"put"|"delete-property","at":…,"key":…,"value":…}',
    '  {"op":"id"|"clock-in"|"clock-out"|"archive-tag"|"archive-sibling"|"archive"|"promote"|"demote","at":…}',
    '  {"op":"refile","at":…,"to":"HEADING"}   {"op":"move","at":…,"to":"up"|"down"}   {"op":"checkbox","line":17}',
    '  {"op":"insert","at":…,"where":"under"|"after"|"before","title":…,"text":…}   {"op":"paste","at":…,"where":…,"text":"* …"}',
    '  {"op":"append"|"body","at":…,"text":…}   {"op":"capture","title":…,"text":…,"date":…,"under":…}',
    "FILE is replaced in one step. A file with unsaved changes in Emacs is not written. Unless standard output is a terminal, it gets the edited text.",
  ],
  arguments: [file],
  options: {
    now: valued("TIME", 'time that counts as now, such as "2024-01-15 10:00"'),
    "dry-run": flag("writes nothing"),
    json: flag("prints one JSON object: text, outcomes, changed"),
    "log-into-drawer": flag("logs into the LOGBOOK drawer (also ORG_LOG_INTO_DRAWER=t)"),
    "log-done": {
      type: "string",
      default: "",
      value: "KIND",
      values: ["time", "note"],
      help: "logs completion: time or note (also ORG_LOG_DONE=KIND)",
    },
  },
  notes: ["TODO words and logging are as the settings ORG_… have them, unless FILE says otherwise."],
  exit: {
    0: "done",
    1: "an operation was refused (the others are done) or FILE could not be read or written",
  },
} as const satisfies CommandSpec;

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

export const orgSpec = {
  name: "org",
  summary: "parse, print, check or edit Org files as Emacs does",
  about: ["Works on Org files, without an agent. Add --help to one of these for its options."],
  options: {},
  parts: [orgParseSpec, orgPrintSpec, orgCheckSpec, orgEditSpec, orgTangleSpec, orgArchiveSpec],
  exit: { 0: "done", 1: "a file could not be read or has a problem" },
} as const satisfies CommandSpec;
