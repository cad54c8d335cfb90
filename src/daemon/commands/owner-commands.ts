import { raisedBy, startOfDay } from "../../memory/state/spending-day.ts";
import type { OwnerCommand } from "../../perceive/commands.ts";
import type { NotesRequest } from "../../perceive/notes-request.ts";
import type { OrgTreeRequest } from "../../perceive/org-tree-request.ts";
import type { Label } from "../../signal/label.ts";
import type { Signal } from "../../signal/signal.ts";
import type { FileLocks } from "../../turn/file-locks.ts";
import type { OtherCommand } from "../../turn/run-loop-command.ts";
import { runUndo } from "./begun-undo.ts";
import type { CommandReply } from "./command-reply.ts";
import { type ConfigParts, configCommand } from "./config-commands.ts";
import { type FocusParts, focus, focusAt } from "./focus.ts";
import { type JobCommandParts, runJobCommand } from "./job-commands.ts";
import { listTitles } from "./list-titles.ts";
import { isLookUp, type LookUpParts, lookUp } from "./look-up.ts";
import type { NoteLookups } from "./note-lookups.ts";
import { planCommand } from "./plan-commands.ts";
import type { DerivedLookups } from "./plan-derived.ts";
import { previewUndo } from "./preview-undo.ts";
import { makePublic, type PublicTextParts } from "./public-text.ts";
import type { RecordPolicy } from "./record-policy.ts";
import { type ReviewCommandParts, runReviewCommand } from "./review-commands.ts";
import { redo, rewind } from "./rewind-commands.ts";
import { rollBackTo } from "./roll-back.ts";
import { always } from "./rule-commands.ts";
import { runSessionCommand, type SessionCommandParts } from "./session-commands.ts";
import { type TrustFolderParts, trustFolder } from "./trust-folder.ts";
import { undoLast } from "./undo-commands.ts";
import type { CommandOrigin } from "./undo-request.ts";
import { usageCommand } from "./usage-command.ts";
import { wrongCommand } from "./wrong-command.ts";

/** What the owner's commands need. */
export type OwnerCommandParts = LookUpParts &
  Pick<SessionCommandParts, "endPrograms"> &
  PublicTextParts &
  JobCommandParts &
  ReviewCommandParts &
  TrustFolderParts &
  ConfigParts &
  FocusParts &
  NoteLookups &
  DerivedLookups & {
    readonly recordPolicy: RecordPolicy;
    readonly attachFile: (path: string, by: CommandOrigin) => Promise<CommandReply>;
    readonly showOrgTree: (request: OrgTreeRequest, by: CommandOrigin) => Promise<CommandReply>;
    readonly showNotes: (request: NotesRequest, by: { readonly label: Label }) => Promise<CommandReply>;
    readonly journalEndedPlans: () => Promise<void>;
    readonly forgetSetAside: FileLocks["forgetSetAside"];
    readonly draftSkill: (request: {
      readonly name: string;
      readonly sentence: string;
      readonly session: string;
      readonly label: Label;
    }) => Promise<CommandReply>;
  };

/**
 * Reads what the owner named: a file that goes with the next words, the tree of one, notes, or a skill, or
 * has one drafted.
 */
function readForOwner(
  parts: OwnerCommandParts,
  command: Extract<OtherCommand, { kind: "attach" | "org-ast" | "notes" | "inspect-skill" | "draft-skill" }>,
  where: { readonly signal: Signal; readonly workspace: string | null },
): Promise<CommandReply> {
  if (command.kind === "attach") return parts.attachFile(command.path, where);
  if (command.kind === "notes") return parts.showNotes(command, where.signal);
  if (command.kind === "org-ast") return parts.showOrgTree(command, where);
  if (command.kind === "draft-skill")
    return parts.draftSkill({ ...command, session: where.signal.session, label: where.signal.label });
  return parts.inspectSkill(command, where.signal.session);
}

/** Runs a command of the owner that is not about a turn under way. Gives its reply as a kebab-case code and the text to show. */
export async function runOwnerCommand(
  parts: OwnerCommandParts,
  command: OtherCommand,
  signal: Signal,
): Promise<CommandReply> {
  const workspace = (await parts.state.sessions.get(signal.session))?.workspace ?? null;
  if (isLookUp(command)) return lookUp(parts, command.kind, signal.session);
  switch (command.kind) {
    case "rollback":
    case "rewind":
    case "undo":
    case "redo":
    case "diff":
      return goBack(parts, command, { signal, workspace });
    case "sessions":
    case "history":
    case "rename-session":
    case "fork-session":
    case "delete-session":
    case "compact":
    case "clear":
    case "model":
      return runSessionCommand(parts, command, { signal, workspace });
    case "focus":
    case "focus-at":
    case "titles":
    case "forget":
    case "derived":
    case "forget-derived":
    case "trust":
    case "public":
    case "trust-folder":
      return runNoteCommand(parts, command, { signal, workspace });
    case "attach":
    case "org-ast":
    case "notes":
    case "inspect-skill":
    case "draft-skill":
      return readForOwner(parts, command, { signal, workspace });
    case "usage":
    case "budget":
    case "always":
    case "config":
    case "plan":
    case "jobs":
    case "review":
      return runLastingCommand(parts, command, { signal, workspace });
    case "unknown-command":
    case "misused-command":
      return { code: command.kind, text: await wrongCommand(parts, command) };
    case "theme":
    case "run":
    case "send":
    case "search":
    case "note":
    case "agenda":
    case "continue":
      return { code: "not-done", text: notHere[command.kind] ?? `/${command.kind} does nothing here.` };
  }
}

/** What is said to commands that work elsewhere. */
const notHere: Readonly<Partial<Record<OwnerCommand["kind"], string>>> = {
  theme: "/theme dark and /theme light are for passepartout tui. Nothing was done.",
};

/** Runs a command about what holds beyond one turn. */
function runLastingCommand(
  parts: OwnerCommandParts,
  command: Extract<
    OwnerCommand,
    { readonly kind: "usage" | "budget" | "always" | "config" | "plan" | "jobs" | "review" }
  >,
  by: CommandOrigin,
): Promise<CommandReply> {
  const { session } = by.signal;
  switch (command.kind) {
    case "usage":
      return usageCommand(parts.state, command.by);
    case "budget":
      return budget(parts, session, command.more);
    case "always":
      return always(parts, command.token, command.keep);
    case "config":
      return configCommand(parts, command, session);
    case "plan":
      return planCommand(parts, command.change, session);
    case "jobs":
      return runJobCommand(parts, command.request, session);
    case "review":
      return runReviewCommand(parts, command.request, by);
  }
}

function goBack(
  parts: OwnerCommandParts,
  command: Extract<OwnerCommand, { readonly kind: "rollback" | "rewind" | "undo" | "redo" | "diff" }>,
  by: CommandOrigin,
): Promise<CommandReply> {
  switch (command.kind) {
    case "rollback":
      return runUndo(parts, "rollback", by, (run) => rollBackTo(parts, { ...by, id: command.id }, run));
    case "rewind":
      return rewind(parts, by, command);
    case "undo":
      return runUndo(parts, "undo", by, (run) => undoLast(parts, by, run));
    case "redo":
      return runUndo(parts, "redo", by, (run) => redo(parts, by, run));
    case "diff":
      return previewUndo(parts, { session: by.signal.session, workspace: by.workspace });
  }
}

type NoteCommand = Extract<
  OwnerCommand,
  {
    readonly kind:
      | "focus"
      | "focus-at"
      | "titles"
      | "forget"
      | "derived"
      | "forget-derived"
      | "trust"
      | "public"
      | "trust-folder";
  }
>;

/** Runs a command about notes, or about how their text and that of a folder counts. */
async function runNoteCommand(
  parts: OwnerCommandParts,
  command: NoteCommand,
  by: CommandOrigin,
): Promise<CommandReply> {
  const { workspace } = by;
  const { session } = by.signal;
  switch (command.kind) {
    case "focus":
      return focus(parts, session, command.id);
    case "focus-at":
      return focusAt(parts, { session, workspace }, command.place);
    case "titles":
      return listTitles(parts, command.words);
    case "forget":
      return (await import("./forget-text.ts")).forgetText(parts, command.id, by);
    case "derived":
    case "forget-derived":
      return (await import("./forget-derived.ts")).forgetDerived(parts, command, by);
    case "trust":
      return trust(parts, session, command.id);
    case "public":
      return makePublic(parts, session, command.what);
    case "trust-folder":
      return trustFolder(parts, { session, workspace, on: command.on, isShown: command.isShown === true });
  }
}

async function budget(parts: OwnerCommandParts, session: string, more: number | null): Promise<CommandReply> {
  return more === null ? lookUp(parts, "budget", session) : raiseBudget(parts, session, more);
}

/** Only the owner does this. The caps of day, session and turn are higher until the day ends. */
async function raiseBudget(
  { state, journal }: OwnerCommandParts,
  session: string,
  dollars: number,
): Promise<CommandReply> {
  const now = Date.now();
  const before = raisedBy(await state.raisedBudget.get(), now);
  await journal({ kind: "note", session, detail: { event: "budget-raised", dollars } });
  await state.raisedBudget.set({ day: startOfDay(now), microdollars: before + Math.round(dollars * 1e6) });
  const text = `Today $${(before / 1e6 + dollars).toFixed(2)} more may be spent than the caps of your settings say, in this session and turn too.`;
  return { code: "budget-raised", text };
}

/** The reply of a command that may not have done what was asked. */
type ReplyWith<Code extends string> = { readonly code: Code | "not-done"; readonly text: string };

/** Only the owner does this. The text is trusted as it is now, wherever it stands. */
async function trust(
  { state, noteHashes, journal }: OwnerCommandParts,
  session: string,
  id: string,
): Promise<ReplyWith<"trusted">> {
  const hashes = await noteHashes(id);
  if (hashes === null)
    return { code: "not-done", text: `There is no note ${id} with words in it. /search finds ids.` };
  await journal({ kind: "note", session, detail: { event: "trusted", id, words: hashes.words } });
  await state.origins.trust(hashes.all);
  const text = `The text of ${id}, as it is now, counts as your own. What others change in it later does not.`;
  return { code: "trusted", text };
}
