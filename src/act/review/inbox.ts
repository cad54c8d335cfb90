import { decodeOrgText, encodeOrgText, type Headline, propertyOf, scanOutline } from "#org";
import type { KeptProposal } from "../../signal/review.ts";
import { diffOf, type EntryStyle, formatEntry, inactiveTimestamp } from "./entry.ts";

/** A proposal with what the inbox is to say of it, at a time in Unix milliseconds. */
export type FiledProposal = { readonly proposal: KeptProposal; readonly at: number };

/** How an entry stands in the file: `edited` if its diff is no longer the one that was proposed, `closed` if somebody marked it as done. */
export type EntryStanding = "shown" | "edited" | "closed" | "gone";

/**
 * The inbox with its entries as they are to be: an open proposal has one, a decided one is DONE with its outcome. An entry that somebody removed is not
 * made again, unless the proposal is new. Every other byte stays.
 */
export function fileProposals(
  current: Uint8Array | null,
  proposals: readonly FiledProposal[],
  style: EntryStyle,
): Uint8Array {
  const source = decodeOrgText(current ?? new Uint8Array());
  let { text } = source;
  for (const filed of proposals) text = withProposal(text, filed, style);
  return encodeOrgText({ ...source, text });
}

/** How the entry of a proposal stands in the file; `gone` where the file has none. */
export function standingOf(
  current: Uint8Array | null,
  proposal: KeptProposal,
  style: EntryStyle,
): EntryStanding {
  if (current === null) return "gone";
  const { text } = decodeOrgText(current);
  const entry = findEntry(text, proposal.id);
  if (entry === null) return "gone";
  const shown = text.slice(entry.begin, entry.end);
  if (!isShown(diffOf(proposal, style.shownPath).join("\n"), blockOf(shown))) return "edited";
  return entry.todo?.done === true ? "closed" : "shown";
}

function withProposal(text: string, { proposal, at }: FiledProposal, style: EntryStyle): string {
  const entry = findEntry(text, proposal.id);
  if (proposal.state !== "open")
    return entry === null ? text : closed(text, entry, `${proposal.state} ${inactiveTimestamp(at)}`);
  if (entry === null) return appended(text, formatEntry(proposal, style));
  const shown = text.slice(entry.begin, entry.end);
  const diff = diffOf(proposal, style.shownPath).join("\n");
  if (entry.todo?.done !== true && isShown(diff, blockOf(shown))) return text;
  return text.slice(0, entry.begin) + reopened(shown, diff) + text.slice(entry.end);
}

/** An entry with a new diff, open again; what somebody wrote around it stays. */
function reopened(entry: string, diff: string): string {
  return entry
    .replace(/^(\*+ )DONE /, "$1TODO ")
    .replace(/^:OUTCOME:.*\n/m, "")
    .replace(block, (_, begin: string, _old: string, end: string) => `${begin}${diff}\n${end}`);
}

function appended(text: string, entry: string): string {
  const before = text === "" ? "#+TITLE: Review\n\n" : text;
  return `${before}${before.endsWith("\n") ? "" : "\n"}${entry}`;
}

/** Marks an entry as done, with what was decided; its words stay. */
function closed(text: string, entry: Headline, outcome: string): string {
  const drawer = entry.properties;
  if (drawer === null || propertyOf(drawer, "OUTCOME") !== null) return text;
  const end = text.lastIndexOf("\n", drawer.end - 2) + 1;
  const marked = `${text.slice(0, end)}:OUTCOME:  ${outcome}\n${text.slice(end)}`;
  if (entry.todo === null || entry.todo.done) return marked;
  return `${marked.slice(0, entry.todo.begin)}DONE${marked.slice(entry.todo.end)}`;
}

function findEntry(text: string, id: string): Headline | null {
  if (!text.includes(id)) return null;
  return scanOutline(text).headlines.find(({ properties }) => propertyOf(properties, "ID") === id) ?? null;
}

/** What stands in the first block of an entry. */
function blockOf(entry: string): string {
  return block.exec(entry)?.[2] ?? "";
}

const block = /^(#\+begin_src diff\n)([\s\S]*?)^(#\+end_src)$/m;

/** Whether a block shows a diff: with the commas that make its lines inert, and whatever blanks at their ends. */
function isShown(diff: string, block: string): boolean {
  const [wanted, found] = [trimmed(diff), trimmed(block)];
  let at = 0;
  for (let index = 0; index < found.length; index += 1) {
    if (found[index] === wanted[at]) at += 1;
    else if (!isInertingComma(found, index)) return false;
  }
  return at === wanted.length;
}

/** Such a comma stands in what Org would obey: never between the letters or digits of a word, and never before a blank. */
function isInertingComma(text: string, at: number): boolean {
  return (
    text[at] === "," &&
    /\S/.test(text[at + 1] ?? "") &&
    !/^[\p{L}\p{N}],[\p{L}\p{N}]/u.test(text.slice(at - 1, at + 2))
  );
}

function trimmed(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}
