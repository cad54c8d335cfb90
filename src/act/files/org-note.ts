import type { Label } from "../../signal/label.ts";
import { disarmNewConstructs } from "../../text/later/disarm.ts";

/** A note for the inbox, with its origin: the file says only how far it is trusted, the table of origins has its sources. */
export type Note = {
  readonly id: string;
  readonly text: string;
  readonly label: Label;
  /** Unix milliseconds. */
  readonly at: number;
};

/**
 * A note as an Org entry: the first line is the headline, the rest the body. No line of the text can become a headline, drawer or
 * keyword, and no words but the owner's a tag: such lines get a comma, which a person can see and remove.
 * What Emacs would run is made inert, unless the words are the owner's.
 */
export function formatNote({ id, text, label, at }: Note): string {
  const [first = "", ...rest] = text.replaceAll(/\r\n?/g, "\n").trim().split("\n").map(inert);
  const title = first.trim() === "" ? "Note" : withOwnTags(first.trim(), label);
  const body = rest.map((line) => (line.trim() === "" ? "" : `  ${bodyLine(line.trimEnd())}`));
  const entry = [
    `* ${title}`,
    ":PROPERTIES:",
    `:ID:       ${id}`,
    `:CREATED:  ${inactive(at)}`,
    `:ORIGIN:   ${label.integrity}`,
    ":END:",
    ...body,
    "",
  ].join("\n");
  return label.integrity === "user" ? entry : (disarmNewConstructs("inbox.org", "", entry)?.text ?? entry);
}

/** Tags are the owner's to give: those of others get a comma behind them. */
function withOwnTags(title: string, { integrity }: Label): string {
  return integrity === "user" ? title : title.replace(/(:[\p{L}\p{N}_@#%:]+:)$/u, "$1,");
}

/** Appends an entry to the inbox; every byte before it stays. */
export function appendNote(inbox: Uint8Array | null, note: Note): Uint8Array {
  const before = Buffer.from(inbox ?? []);
  const gap = before.length === 0 ? "#+TITLE: Inbox\n\n" : before.at(-1) === 10 ? "" : "\n";
  return Buffer.concat([before, Buffer.from(`${gap}${formatNote(note)}`)]);
}

/** Whether an inbox has the note of this ID. */
export function isNoted(inbox: Uint8Array | null, id: string): boolean {
  return (
    inbox !== null && new RegExp(`^\\s*:ID:\\s+${id}\\s*$`, "im").test(Buffer.from(inbox).toString("latin1"))
  );
}

function inert(line: string): string {
  return line.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (character) =>
    character === "\t" ? " " : "�",
  );
}

function bodyLine(line: string): string {
  return /^\s*(?:[*,]|#\+|:[^\s:]+:|CLOCK:|(?:SCHEDULED|DEADLINE|CLOSED):)/i.test(line)
    ? `,${line.trimStart()}`
    : line;
}

function inactive(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][date.getDay()] ?? "";
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}`;
  return `[${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${day} ${clock}]`;
}
