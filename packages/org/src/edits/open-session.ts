import { findFileKeywords, type ReadSetupFile } from "../outline/file-keywords.ts";
import { readSettings } from "../outline/file-settings.ts";
import type { OrgVariables } from "../outline/org-variables.ts";
import type { Moment } from "../time/timestamp.ts";
import { openDraft } from "./draft.ts";
import { readLogSettings } from "./log-settings.ts";
import type { EditSession } from "./session.ts";

/** What edits depend on besides the text. */
export type SessionOptions = {
  readonly now: Moment;
  readonly newId: () => string;
  /** Records go into a drawer, where the file does not say otherwise (`org-log-into-drawer`). */
  readonly logIntoDrawer?: boolean;
  /** Done entries get a time, where the file does not say otherwise (`org-log-done`). */
  readonly logDone?: "time" | "note" | null;
  /** What Emacs's variables set, where the file does not say otherwise. */
  readonly variables?: OrgVariables;
  /** Reads the setup files that the text names; without it none is read. */
  readonly readSetup?: ReadSetupFile;
};

/** Opens a text for editing, with its own settings. */
export function openEditSession(
  text: string,
  { now, newId, logIntoDrawer, logDone, variables = [], readSetup = () => null }: SessionOptions,
): EditSession {
  const draft = openDraft(text, { variables, readSetup });
  const settings = readSettings(findFileKeywords(text, readSetup), variables);
  return {
    draft,
    now,
    newId,
    settings,
    log: readLogSettings(settings, { intoDrawer: logIntoDrawer ?? false, done: logDone ?? null }),
    odd: settings.startup.includes("odd"),
    pending: null,
    note: "",
    clock: null,
  };
}
