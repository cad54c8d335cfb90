import { type JobRequest, jobRequestOf } from "../signal/jobs/job-request.ts";
import { type ReviewRequest, readReviewRequest } from "../signal/review.ts";
import type { Signal } from "../signal/signal.ts";
import { commandUsages } from "./command-usages.ts";
import { type DraftSkill, type InspectSkill, skillCommand } from "./draft-skill-command.ts";
import { type ForgetDerived, forgetting, type ShowDerived } from "./forgetting.ts";
import { type ModelCommand, modelCommand } from "./model-command.ts";
import type { NotesCommand } from "./notes-request.ts";
import { isSpending, type SpendingCommand, spendingCommand } from "./spending-commands.ts";
import { type TrustFolder, trustFolderCommand } from "./trust-folder-command.ts";

/** A command of the owner. It is executed and not sent to the model. */
export type OwnerCommand =
  | { readonly kind: "help" | "exit" | "status" }
  | { readonly kind: "undo" }
  | { readonly kind: "stop" }
  /** A command line of the shell that the owner typed behind `!`. */
  | { readonly kind: "run"; readonly line: string }
  /** Shortens the past that the model sees of a session, or begins it anew. */
  | { readonly kind: "compact" | "clear" }
  /** `value`: the values whose origin the question asks about count as the owner's for the rest of its turn. */
  | SpendingCommand
  | { readonly kind: "approve"; readonly token: string; readonly value?: true }
  /** `reason`: what the owner wants the model to know about the refusal. */
  | { readonly kind: "deny"; readonly token: string; readonly reason: string | null }
  /** Shows the rule that would spare a question; `keep` keeps it, and answers the question with yes. */
  | { readonly kind: "always"; readonly token: string; readonly keep: boolean }
  /** Shows the flight plan of the session (`org`: as an Org node), ends it, or lets it go on after a call that differed from it. */
  | { readonly kind: "plan"; readonly change: "none" | "drop" | "resume" | "org" }
  /** Takes back words that wait for their turn. Nobody types this. */
  | { readonly kind: "take-back"; readonly turn: string }
  /** Asks for notes whose title holds these words. Nobody types this. */
  | { readonly kind: "titles"; readonly words: string }
  | NotesCommand
  /** Hands over a file with the next words of the session, which name it by the id that the reply gives. */
  | { readonly kind: "attach"; readonly path: string }
  /** Asks for the questions that wait, in words. Nobody types this: `/status` shows them too. */
  | { readonly kind: "questions" }
  /** Shows what the last turn changed; takes the last undo back. */
  | { readonly kind: "diff" | "redo" }
  /** Goes back to before a turn (its id or number), previews that, gives its words (`said`), or lists. */
  | {
      readonly kind: "rewind";
      readonly turn: string | null;
      readonly what: "all" | "words" | "files";
      readonly preview: boolean | "said";
    }
  /** Shows all that the last call of a tool gave. */
  | { readonly kind: "output" }
  | DraftSkill
  | InspectSkill
  /** Shows what the gates said of the last calls, the models, and the rules. */
  | { readonly kind: "why" | "rules" | "skill" }
  | ModelCommand
  /** Says how to set up a model. */
  | { readonly kind: "models" }
  | { readonly kind: "setup" }
  /** Shows what is due, from a day on. */
  | { readonly kind: "agenda"; readonly day: string }
  /** Shows what a status bar shows. */
  | { readonly kind: "overview" }
  /** Lists the sessions; the past of this one; names one, begins one with the past of another, or forgets one. Without an id, this one. */
  | { readonly kind: "sessions" }
  | { readonly kind: "history"; readonly id: string | null; readonly limit: number | null }
  | { readonly kind: "rename-session"; readonly id: string | null; readonly name: string }
  | { readonly kind: "fork-session"; readonly id: string | null }
  | { readonly kind: "delete-session"; readonly id: string }
  /** Without an id, `rollback` goes to the latest snapshot and `focus` shows the present focus. */
  | { readonly kind: "rollback"; readonly id: string | null }
  | { readonly kind: "focus"; readonly id: string | null }
  /** The owner declares the text of a note to be their own. */
  | { readonly kind: "trust"; readonly id: string }
  | TrustFolder
  /** Forgets everything that was kept of a note, of an object of the agent, or of a turn. */
  | { readonly kind: "forget"; readonly id: string }
  | ShowDerived
  | ForgetDerived
  | { readonly kind: "search"; readonly query: string }
  | { readonly kind: "note"; readonly text: string }
  /** The owner declares a note, or words that they quote, to be no longer private. */
  | { readonly kind: "public"; readonly what: string }
  /** Sends the owner's last message, which was held back because of private words in it, as it is. */
  | { readonly kind: "send" }
  /** Shows the settings, or changes one in the settings file: `keep` makes the change that was shown last. */
  | { readonly kind: "config"; readonly change: "list" | "keep" }
  | { readonly kind: "config"; readonly change: "get" | "unset"; readonly name: string }
  | { readonly kind: "config"; readonly change: "set"; readonly name: string; readonly value: string }
  /** Continues a turn that stopped at its depth limit. If there is none, it is ordinary text. */
  | { readonly kind: "continue" }
  /** Shows the jobs and what they did; runs, pauses or resumes one. */
  | { readonly kind: "jobs"; readonly request: JobRequest }
  /** Lists or shows what was proposed in the background, decides on it, or takes what was accepted back. */
  | { readonly kind: "review"; readonly request: ReviewRequest }
  /** Colours are those of a client, which runs this itself. */
  | { readonly kind: "theme" }
  /** Looks like a command but is none of these: one of the owner's own, with what was typed after its name, or not known. The person is told then; the model does not see it. */
  | { readonly kind: "unknown-command"; readonly name: string; readonly given: string }
  /** A command that nobody typed: it was pasted, or came by a pipe. Nothing is done. */
  | { readonly kind: "pasted-command"; readonly name: string }
  /** A command with missing or superfluous arguments. `usage` shows the right form. Nothing is done. */
  | { readonly kind: "misused-command"; readonly name: string; readonly usage: string };

/** Folders at the root of a file system: a message that begins with one of them is about a path. */
const rootFolders: ReadonlySet<string> = new Set(
  "bin boot dev etc home lib lib32 lib64 media mnt nix opt proc root run sbin snap srv sys tmp users usr var".split(
    " ",
  ),
);
const typedBy: ReadonlySet<Signal["source"]> = new Set(["cli", "tui", "emacs"]);

/** Recognises a command: a whole message, typed by the owner on a proved connection. Null for any other message. */
export function recogniseCommand(signal: Signal): OwnerCommand | null {
  const { person, sensor, source, depth, payload } = signal;
  if (person !== "owner" || sensor !== "user-input" || !typedBy.has(source) || depth !== 0) return null;
  // Words of a command that the owner wrote are words: they never run by themselves.
  if (payload["expanded"] !== undefined) return null;
  const text = signal.text.trim();
  if (payload["pasted"] === true) return recognisePasted(text);
  // On a command line, a script may have put in the words of others: there no text runs by itself.
  return text.startsWith("!") && source === "tui" ? runCommand(text.slice(1).trim()) : recogniseTyped(text);
}

/** What was pasted is text, unless it reads as a command as a whole: then the owner is told. Nothing that may hold a token is text. */
function recognisePasted(text: string): OwnerCommand | null {
  const name = /^\/([a-z][a-z-]*)(?!\S)/i.exec(text)?.[1]?.toLowerCase() ?? "";
  const known = commandUsages.some((command) => command.name === name);
  if (!known || (text.includes("\n") && name !== "note" && !takesToken(name))) return null;
  return { kind: "pasted-command", name };
}

function recogniseTyped(text: string): OwnerCommand | null {
  if (/^continue$/i.test(text)) return { kind: "continue" };
  const match = /^\/([a-z][a-z-]*)(?:\s+([\s\S]+))?$/i.exec(text);
  if (match === null) return null;
  const name = (match[1] ?? "").toLowerCase();
  const rest = match[2] ?? "";
  const lines = text.includes("\n") ? "several" : "one";
  const known = commandUsages.find((command) => command.name === name);
  if (known === undefined) {
    return rootFolders.has(name) || lines === "several"
      ? null
      : { kind: "unknown-command", name, given: rest };
  }
  if (lines === "several" && name !== "note" && !takesToken(name)) return null;
  return commandOf(name, rest, lines) ?? { kind: "misused-command", name, usage: known.usage };
}

function runCommand(line: string): OwnerCommand {
  return line === "" ? { kind: "misused-command", name: "!", usage: "!COMMAND" } : { kind: "run", line };
}

/** Pasted text with one of these commands is refused instead of being read as text, because a token must reach no prompt. */
function takesToken(name: string): boolean {
  return name === "approve" || name === "deny" || name === "always";
}

/** A denial, whose reason may have several lines. */
function denial(rest: string): OwnerCommand | null {
  const [, token, reason = ""] = /^(\S+)(?:\s+because\s+(\S[\s\S]*))?$/i.exec(rest.trim()) ?? [];
  return token === undefined ? null : { kind: "deny", token, reason: reason === "" ? null : reason };
}

function sessionCommand(rest: string): OwnerCommand | null {
  const [, verb = "", argument = ""] = /^(\S*)(?:\s+(.+))?$/.exec(rest) ?? [];
  switch (verb.toLowerCase()) {
    case "":
    case "list":
      return argument === "" ? { kind: "sessions" } : null;
    case "rename":
      return argument === "" ? null : { kind: "rename-session", id: null, name: argument };
    case "fork":
      return argument === "" ? { kind: "fork-session", id: null } : null;
    case "delete":
      return argument === "" ? null : { kind: "delete-session", id: argument };
    default:
      return null;
  }
}

/** Commands that are the same as others. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["cost", "budget"],
  ["provider", "model"],
]);

/** Without a verb it lists them. */
function jobsCommand(rest: string): OwnerCommand | null {
  const [verb = "", ...names] = rest.split(/\s+/);
  const request = names.length > 1 ? null : jobRequestOf(verb || "list", names[0] ?? null);
  return request === null ? null : { kind: "jobs", request };
}

function reviewCommand(rest: string): OwnerCommand | null {
  const request = readReviewRequest(rest);
  return request === null ? null : { kind: "review", request };
}

/** A path as terminals write one that was dropped: in quotes, or with escapes. */
function unquoted(path: string): string {
  return /^(['"])(.*)\1$/.exec(path)?.[2] ?? path.replaceAll(/\\(.)/g, "$1");
}

/** Without a moment it lists them. */
function rewindCommand(rest: string): OwnerCommand | null {
  if (rest === "") return { kind: "rewind", turn: null, what: "all", preview: false };
  const [, turn, what = "all"] = /^(\S+)(?:\s+(words|files))?$/i.exec(rest) ?? [];
  if (turn === undefined) return null;
  const part = what.toLowerCase();
  return { kind: "rewind", turn, what: part === "words" || part === "files" ? part : "all", preview: false };
}

/** Without words it lists the settings. A value may have blanks in it. */
function configCommand(rest: string): OwnerCommand | null {
  const [, verb = "", name = "", value = ""] = /^(\S*)(?:\s+(\S+))?(?:\s+(\S.*))?$/.exec(rest) ?? [];
  const kind = "config";
  switch (verb.toLowerCase()) {
    case "":
    case "list":
      return name === "" ? { kind, change: "list" } : null;
    case "keep":
      return name === "" ? { kind, change: "keep" } : null;
    case "get":
      return name === "" || value !== "" ? null : { kind, change: "get", name };
    case "unset":
      return name === "" || value !== "" ? null : { kind, change: "unset", name };
    case "set":
      return name === "" || value === "" ? null : { kind, change: "set", name, value };
    default:
      return null;
  }
}

/** Commands that are nothing but their name. */
export const plainCommands: readonly OwnerCommand[] = [
  ...(["help", "exit", "status", "undo"] as const).map((kind) => ({ kind })),
  ...(["redo", "diff", "output", "setup", "send", "stop"] as const).map((kind) => ({ kind })),
  ...(["why", "rules", "skill", "models", "compact", "clear"] as const).map((kind) => ({ kind })),
];

function commandOf(named: string, rest: string, lines: "one" | "several"): OwnerCommand | null {
  const name = aliases.get(named) ?? named;
  const word = lines === "one" && /^\S*$/.test(rest) ? rest : null;
  const plain = plainCommands.find(({ kind }) => kind === name);
  if (name === "skill" && rest !== "") return lines === "several" ? null : skillCommand(rest);
  if (plain !== undefined) return rest === "" ? plain : null;
  if (isSpending(name)) return spendingCommand(name, rest.trim());
  switch (name) {
    case "theme":
      return { kind: name };
    case "config":
      return lines === "several" ? null : configCommand(rest.trim());
    case "approve": {
      const [, token, value] = lines === "one" ? (/^(\S+)(\s+value)?$/i.exec(rest.trim()) ?? []) : [];
      if (token === undefined) return null;
      return { kind: name, token, ...(value === undefined ? {} : { value: true }) };
    }
    case "deny":
      return denial(rest);
    case "always": {
      const [, token, keep] = /^(\S+)(\s+keep)?$/i.exec(rest.trim()) ?? [];
      return token === undefined ? null : { kind: name, token, keep: keep !== undefined };
    }
    case "rewind":
      return rewindCommand(rest.trim());
    case "plan":
      if (word === "") return { kind: name, change: "none" };
      return word === "drop" || word === "resume" || word === "org" ? { kind: name, change: word } : null;
    case "model":
      return modelCommand(rest);
    case "rollback":
      return word === null ? null : { kind: name, id: word === "" ? null : word };
    case "focus":
      return lines === "several" ? null : { kind: name, id: rest.trim() === "" ? null : rest.trim() };
    case "trust":
      return rest === "" || lines === "several" ? null : { kind: name, id: rest.trim() };
    case "forget":
      return rest === "" || lines === "several" ? null : forgetting(rest.trim());
    case "public":
      return rest.trim() === "" ? null : { kind: name, what: rest.trim() };
    case "trust-folder":
      return trustFolderCommand(word);
    case "agenda":
      return word === null ? null : { kind: name, day: word };
    case "session":
      return lines === "several" ? null : sessionCommand(rest.trim());
    case "jobs":
      return lines === "several" ? null : jobsCommand(rest.trim());
    case "review":
      return lines === "several" ? null : reviewCommand(rest.trim());
    case "attach":
      return rest.trim() === "" || lines === "several" ? null : { kind: name, path: unquoted(rest.trim()) };
    case "search":
      return rest === "" ? null : { kind: name, query: rest };
    case "note":
      return rest === "" ? null : { kind: name, text: rest };
    default:
      return null;
  }
}
