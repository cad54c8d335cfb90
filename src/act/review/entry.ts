import type { OrgVariables } from "#org";
import type { KeptProposal } from "../../signal/review.ts";
import { beginOf } from "../../text/cut-text.ts";
import { disarmNewConstructs } from "../../text/later/disarm.ts";

/** The style of entries. */
export type EntryStyle = {
  /** The tag that marks a text as private; null if the owner has none. */
  readonly privateTag: string | null;
  /** The name of a file as the entry shows it. */
  readonly shownPath: (path: string) => string;
  /** The settings of Emacs's variables, such as the TODO keywords. */
  readonly variables: OrgVariables;
};

/** The style of entries for a notes folder and the owner's settings. */
export function styleOf(
  notes: string,
  { privacyTags, org }: { readonly privacyTags: readonly string[]; readonly org: OrgVariables },
): EntryStyle {
  return {
    privateTag: privacyTags[0] ?? null,
    variables: org,
    shownPath: (path) => (path.startsWith(`${notes}/`) ? path.slice(notes.length + 1) : path),
  };
}

/**
 * Writes a proposal as an Org entry: a TODO with its ID, its reason, its origin and its diff. No line of its words becomes a headline, a drawer or a
 * keyword, and text that Emacs would run is inert. The entry never counts as the owner's own words.
 */
export function formatEntry(proposal: KeptProposal, { privateTag, shownPath }: EntryStyle): string {
  const { id, title, why, source, by, label, at, change } = proposal;
  const tag = label.secrecy === "public" || privateTag === null ? "" : ` :${privateTag}:`;
  const diff = diffOf(proposal, shownPath);
  const next = change.kind === "none" ? bodyLines(change.next) : [];
  const entry = [
    `* TODO ${titleLine(title)}${tag}`,
    ":PROPERTIES:",
    `:ID:       ${id}`,
    `:CREATED:  ${inactiveTimestamp(at)}`,
    `:BY:       ${oneLine(by)}`,
    `:ORIGIN:   ${label.integrity === "user" ? "agent" : label.integrity}`,
    ":END:",
    ...bodyLines(why),
    ...(source === "" ? [] : bodyLines(`From: ${oneLine(source)}`)),
    ...(diff.length === 0 ? [] : ["#+begin_src diff", ...diff, "#+end_src"]),
    ...next,
    ...bodyLines(
      change.kind === "files"
        ? `This makes the change: passepartout review accept ${id}, and this drops it: passepartout review reject ${id}. DONE alone changes nothing.`
        : `passepartout review accept ${id} notes that this is done, passepartout review reject ${id} drops it.`,
    ),
    "",
  ].join("\n");
  return disarmNewConstructs("review.org", "", entry)?.text ?? entry;
}

/** The lines of the diff block of an entry. */
export function diffOf(
  { change }: Pick<KeptProposal, "change">,
  shownPath: EntryStyle["shownPath"],
): readonly string[] {
  if (change.kind === "none") return [];
  return change.files.flatMap(({ path, before, after, diff }) =>
    [
      `--- ${before === null ? "(no file)" : `${shownPath(path)} ${before}`}`,
      `+++ ${shownPath(path)} ${after}`,
      ...diff.split("\n"),
    ].map(blockLine),
  );
}

/** An inactive timestamp: `[2026-05-05 Tue 10:00]`. */
export function inactiveTimestamp(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][date.getDay()] ?? "";
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}`;
  return `[${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${day} ${clock}]`;
}

/** A title that is one line and ends in no tags. */
export function titleLine(title: string): string {
  const line = beginOf(oneLine(title), longestTitle).trim();
  return line === "" ? "Proposal" : line.replace(/(:[\p{L}\p{N}_@#%:]+:)$/u, "$1,");
}

const longestTitle = 200;

/** A text as one line without control characters. */
export function oneLine(text: string): string {
  return inert(text.replaceAll(/\s+/g, " ")).trim();
}

function bodyLines(text: string): readonly string[] {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .trim()
    .split("\n")
    .map((line) => inert(line).trimEnd())
    .map((line) =>
      /^\s*(?:[*,]|#\+|:[^\s:]+:|CLOCK:|(?:SCHEDULED|DEADLINE|CLOSED):)/i.test(line) ? `,${line}` : line,
    );
}

function inert(line: string): string {
  return line.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (character) =>
    character === "\t" ? " " : "�",
  );
}

/** A line of a block. Org removes the comma again. */
export function blockLine(row: string): string {
  const shown = row.replaceAll(/(?!\t)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, "�");
  return shown.replace(/^([ \t+-]*)(,*(?:\*|#\+))/, "$1,$2");
}
