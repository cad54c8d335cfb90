import type { Outline } from "../outline.ts";
import type { Moment } from "../timestamp.ts";
import { changeTodo } from "./change-todo.ts";
import { toggleCheckbox } from "./checkbox.ts";
import { clockIn, clockOut } from "./clock.ts";
import { type Marker, openDraft } from "./draft.ts";
import { writePendingLog } from "./log-note.ts";
import { readLogSettings } from "./log-settings.ts";
import type { Operation } from "./operation.ts";
import { setPriority } from "./priority.ts";
import { deleteProperty, putProperty } from "./properties.ts";
import { ownProperty } from "./read-property.ts";
import { archiveToSibling, refile } from "./refile.ts";
import { setDate } from "./schedule.ts";
import { headlineAt, type Refusal, type Session } from "./session.ts";
import type { Splice } from "./splice.ts";
import { setTags, toggleTag } from "./tags.ts";

/** What edits depend on besides the text. */
export type EditOptions = {
  readonly now: Moment;
  readonly newId: () => string;
  /** Records go into a drawer, where the file does not say otherwise (`org-log-into-drawer`). */
  readonly logIntoDrawer?: boolean;
  /** Done entries get a time, where the file does not say otherwise (`org-log-done`). */
  readonly logDone?: "time" | "note" | null;
};

/** An operation that was not done, with its place in the row. */
export type RefusedOperation = {
  readonly index: number;
  readonly operation: Operation;
  readonly reason: string;
};

export type Edited = {
  readonly text: string;
  /** How the text came about, to be applied to the text that was given. */
  readonly splices: readonly Splice[];
  readonly refused: readonly RefusedOperation[];
};

/** Applies operations to a text of Org in order, as Emacs's commands would. What cannot be done is refused with a reason, and the rest goes on. */
export function editOrg(text: string, operations: readonly Operation[], options: EditOptions): Edited {
  const session = openSession(text, options);
  const refused: RefusedOperation[] = [];
  for (const [index, operation] of operations.entries()) {
    if ("note" in operation) session.note = operation.note ?? "";
    const reason = apply(session, operation);
    writePendingLog(session);
    if (reason !== null) refused.push({ index, operation, reason });
  }
  const { draft } = session;
  return { text: draft.text, splices: draft.splices(), refused };
}

function openSession(text: string, { now, newId, logIntoDrawer, logDone }: EditOptions): Session {
  const draft = openDraft(text);
  const { settings } = draft.outline;
  return {
    draft,
    now,
    newId,
    todo: settings.todo,
    log: readLogSettings(settings, { intoDrawer: logIntoDrawer ?? false, done: logDone ?? null }),
    priorities: settings.priorities,
    odd: settings.startup.includes("odd"),
    pending: null,
    note: "",
    clock: null,
  };
}

function apply(session: Session, operation: Operation): Refusal {
  if (operation.op === "checkbox") return toggleCheckbox(session, operation.line);
  if (!("at" in operation) || operation.at === undefined) return "not built yet";
  const place = find(session, operation.at);
  if (place === null) return noHeading(operation.at);
  return applyAt(session, place, operation);
}

function applyAt(session: Session, place: Marker, operation: Operation): Refusal {
  switch (operation.op) {
    case "todo":
      return changeTodo(session, place, operation.state === "" ? null : operation.state);
    case "schedule":
      return setDate(session, place, { word: "SCHEDULED", value: operation.value });
    case "deadline":
      return setDate(session, place, { word: "DEADLINE", value: operation.value });
    case "tags":
      return setTags(session, place, tagsOf(operation.value));
    case "priority":
      return setPriority(session, place, operation.value);
    case "put":
      return put(session, place, operation);
    case "delete-property":
      return deleteProperty(session, place, operation.key);
    case "id":
      return createId(session, place);
    case "clock-in":
      return clockIn(session, place);
    case "clock-out":
      return clockOut(session, place);
    case "archive-tag":
      toggleTag(session, place, "ARCHIVE", "other");
      return null;
    case "archive-sibling":
      return archiveToSibling(session, place);
    case "refile": {
      const to = find(session, operation.to);
      return to === null ? noHeading(operation.to) : refile(session, place, to);
    }
    default:
      return "not built yet";
  }
}

function put(session: Session, place: Marker, { key, value }: { key: string; value: string }): Refusal {
  switch (key) {
    case "TODO":
      return changeTodo(session, place, value.trim() === "" ? null : value);
    case "PRIORITY":
      return setPriority(session, place, value);
    case "SCHEDULED":
    case "DEADLINE":
      return setDate(session, place, { word: key, value });
    default:
      return putProperty(session, place, { name: key, value });
  }
}

function createId(session: Session, place: Marker): Refusal {
  const id = ownProperty(headlineAt(session, place), "ID");
  return id !== null && /\S/.test(id)
    ? null
    : putProperty(session, place, { name: "ID", value: session.newId() });
}

function tagsOf(value: string): readonly string[] {
  return value
    .trim()
    .split(":")
    .filter((tag) => tag !== "");
}

function find({ draft }: Session, at: string): Marker | null {
  const headline = findHeadline(draft.outline, at);
  return headline === undefined ? null : draft.mark(headline.begin, true);
}

/** The first headline with this title, ID or CUSTOM_ID. */
function findHeadline({ headlines }: Outline, at: string) {
  return headlines.find(
    (headline) =>
      headline.title === at ||
      ownProperty(headline, "ID") === at ||
      ownProperty(headline, "CUSTOM_ID") === at,
  );
}

function noHeading(at: string): string {
  return `there is no heading '${at}'`;
}
