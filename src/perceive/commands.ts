import type { Signal } from "../signal/signal.ts";

/** What the owner commands instead of saying it to the model. */
export type OwnerCommand =
  | { readonly kind: "help" | "exit" | "status" | "stop" | "undo" }
  | { readonly kind: "approve" | "deny"; readonly token: string }
  /** Without an id: to the latest snapshot; the focus: which it is. */
  | { readonly kind: "rollback" | "focus"; readonly id: string | null }
  /** The owner's word that a note's text is to count as their own. */
  | { readonly kind: "trust"; readonly id: string }
  /** The owner's word that a note, an object of the agent's own or a turn is to leave nothing behind. */
  | { readonly kind: "forget"; readonly id: string }
  | { readonly kind: "search"; readonly query: string }
  | { readonly kind: "note"; readonly text: string }
  /** Goes on with a turn that stopped at its depth limit; without one it is ordinary words. */
  | { readonly kind: "continue" }
  /** Looks like a command and is none: told to the person, never to the model. */
  | { readonly kind: "unknown-command"; readonly name: string }
  /** A command that lacks something or says too much: `usage` says how it goes. Nothing is done. */
  | { readonly kind: "misused-command"; readonly name: string; readonly usage: string };

/** The commands in the order in which `/help` lists them. */
export const commandUsages: readonly {
  readonly name: string;
  readonly usage: string;
  readonly help: string;
}[] = [
  { name: "help", usage: "/help", help: "show this list" },
  { name: "exit", usage: "/exit", help: "leave; what runs goes on" },
  { name: "status", usage: "/status", help: "what runs, waits and was spent" },
  { name: "stop", usage: "/stop", help: "stop what runs in this session, at once" },
  { name: "approve", usage: "/approve TOKEN", help: "allow the action that was asked about" },
  { name: "deny", usage: "/deny TOKEN", help: "refuse it" },
  { name: "undo", usage: "/undo", help: "take back the last turn that changed something" },
  { name: "rollback", usage: "/rollback [ID]", help: "take memory and files back to a snapshot" },
  { name: "focus", usage: "/focus [ID]", help: "show or set the note in focus" },
  { name: "trust", usage: "/trust ID", help: "count a note's text as your own, wherever it came from" },
  { name: "forget", usage: "/forget ID", help: "forget for good what was kept of a note or a turn" },
  { name: "search", usage: "/search QUERY", help: "search the notes" },
  { name: "note", usage: "/note TEXT", help: "keep a note" },
];

/** Folders at the root of a system: a message that begins with one is about a path. */
const rootFolders: ReadonlySet<string> = new Set(
  "bin boot dev etc home lib lib32 lib64 media mnt nix opt proc root run sbin snap srv sys tmp users usr var".split(
    " ",
  ),
);
const typedBy: ReadonlySet<Signal["source"]> = new Set(["cli", "tui", "emacs"]);

/** Recognises a command: the whole message, typed by the owner on a proved connection. Anything else is null and stays words. */
export function recogniseCommand(signal: Signal): OwnerCommand | null {
  const { person, sensor, source, depth } = signal;
  if (person !== "owner" || sensor !== "user-input" || !typedBy.has(source) || depth !== 0) return null;
  const text = signal.text.trim();
  if (/^continue$/i.test(text)) return { kind: "continue" };
  const match = /^\/([a-z][a-z-]*)(?:\s+([\s\S]+))?$/i.exec(text);
  if (match === null) return null;
  const name = (match[1] ?? "").toLowerCase();
  const rest = match[2] ?? "";
  const lines = text.includes("\n") ? "several" : "one";
  const known = commandUsages.find((command) => command.name === name);
  if (known === undefined) {
    return rootFolders.has(name) || lines === "several" ? null : { kind: "unknown-command", name };
  }
  if (lines === "several" && name !== "note" && !takesToken(name)) return null;
  return commandOf(name, rest, lines) ?? { kind: "misused-command", name, usage: known.usage };
}

/** A token enters no prompt: what holds one in pasted text is refused instead of being taken for words. */
function takesToken(name: string): boolean {
  return name === "approve" || name === "deny";
}

function commandOf(name: string, rest: string, lines: "one" | "several"): OwnerCommand | null {
  const word = lines === "one" && /^\S*$/.test(rest) ? rest : null;
  switch (name) {
    case "help":
    case "exit":
    case "status":
    case "stop":
    case "undo":
      return rest === "" ? { kind: name } : null;
    case "approve":
    case "deny":
      return word === null || word === "" ? null : { kind: name, token: word };
    case "rollback":
      return word === null ? null : { kind: name, id: word === "" ? null : word };
    case "focus":
      return lines === "several" ? null : { kind: name, id: rest.trim() === "" ? null : rest.trim() };
    case "trust":
    case "forget":
      return rest === "" || lines === "several" ? null : { kind: name, id: rest.trim() };
    case "search":
      return rest === "" ? null : { kind: name, query: rest };
    case "note":
      return rest === "" ? null : { kind: name, text: rest };
    default:
      return null;
  }
}
