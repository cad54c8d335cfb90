import { type Headline, propertyOf, scanOutline } from "#org";
import type { KeptProposal } from "../../signal/review.ts";
import { diffOf, type EntryStyle, formatEntry, inactiveTimestamp } from "./entry.ts";
import { readInboxText } from "./inbox-text.ts";
import { blockOf, renewEntry } from "./renew-entry.ts";

/** A proposal in the state that the inbox is to show, and the time of that state in Unix milliseconds. */
export type FiledProposal = { readonly proposal: KeptProposal; readonly at: number };

/**
 * The state of an entry in the file: `edited` if its diff is not the proposed one, `closed` if somebody marked it as done, `gone` if somebody removed it,
 * `unknown` if the file has no entry of it but is missing or incomplete, so that nothing follows from that.
 */
export type EntryStanding = "shown" | "edited" | "closed" | "gone" | "unknown";

/**
 * Brings the inbox in line with proposals: an open proposal has an entry, a decided one is DONE with its outcome. The entry of a decided proposal that somebody
 * removed is not made again. Every other byte stays.
 */
export function fileProposals(
  current: Uint8Array | null,
  proposals: readonly FiledProposal[],
  style: EntryStyle,
): Uint8Array {
  const source = readInboxText(current);
  const isLost = isBlank(current);
  let text = source.text === "" ? "#+TITLE: Review\n\n" : source.text;
  for (const filed of proposals) {
    // A decision stands in a file that was lost, too.
    const { state } = filed.proposal;
    const isAnswer = state === "accepted" || state === "rejected";
    if (isLost && isAnswer) text = withProposal(text, { ...filed, proposal: opened(filed) }, style);
    text = withProposal(text, filed, style);
  }
  return source.encode(text);
}

/** True for a missing or empty file: nobody removed the entries that it lacks. */
export function isBlank(current: Uint8Array | null): boolean {
  return readInboxText(current).text.trim() === "";
}

/** Reads the states of entries from a file, which is scanned once. */
export function readStandings(
  current: Uint8Array | null,
  style: EntryStyle,
): (proposal: KeptProposal) => EntryStanding {
  const { text } = readInboxText(current);
  const { headlines } = scanOutline(text, style);
  const entries = new Map(
    headlines.toReversed().map((entry) => [propertyOf(entry.properties, "ID"), entry] as const),
  );
  const missing = isWhole(text, headlines.at(-1)?.begin ?? 0) ? "gone" : "unknown";
  return (proposal) => {
    const entry = entries.get(proposal.id);
    if (entry === undefined) return missing;
    const diff = diffOf(proposal, style.shownPath).join("\n");
    if (!isShown(diff, blockOf(text.slice(entry.begin, entry.sectionEnd)))) return "edited";
    return entry.todo?.done === true ? "closed" : "shown";
  };
}

/** False for a text that is empty, that ends in the middle of an entry, as during a copy, or that has conflict markers. `last`: the start of its last entry. */
function isWhole(text: string, last: number): boolean {
  const isCutOff = !text.endsWith("\n") || openConstruct.test(text.slice(last));
  return text.trim() !== "" && !isCutOff && !/^(?:<{7}|>{7})(?: |$)/m.test(text);
}

const openConstruct = /^[ \t]*(?::PROPERTIES:|#\+begin_)(?![\s\S]*^[ \t]*(?::END:|#\+end_))/im;

function withProposal(text: string, { proposal, at }: FiledProposal, style: EntryStyle): string {
  const entry = findEntry(text, proposal.id, style);
  if (proposal.state !== "open")
    return entry === null ? text : closed(text, entry, `${proposal.state} ${inactiveTimestamp(at)}`);
  if (entry === null) return appended(text, formatEntry(proposal, style));
  const diff = diffOf(proposal, style.shownPath).join("\n");
  const isAsProposed = isShown(diff, blockOf(text.slice(entry.begin, entry.sectionEnd)));
  const isDecided = entry.todo?.done === true || propertyOf(entry.properties, "OUTCOME") !== null;
  if (!isDecided && isAsProposed && proposal.replaced === undefined) return text;
  return renewEntry(text, entry, proposal, style);
}

function appended(text: string, entry: string): string {
  return `${text}${text.endsWith("\n") ? "" : "\n"}${entry}`;
}

function opened({ proposal }: FiledProposal): KeptProposal {
  return { ...proposal, state: "open" };
}

/** Marks an entry as done and adds the outcome. Its words stay. */
function closed(text: string, entry: Headline, outcome: string): string {
  const drawer = entry.properties;
  if (drawer === null || propertyOf(drawer, "OUTCOME") !== null) return text;
  const end = text.lastIndexOf("\n", drawer.end - 2) + 1;
  const marked = `${text.slice(0, end)}:OUTCOME:  ${outcome}\n${text.slice(end)}`;
  if (entry.todo === null || entry.todo.done) return marked;
  return `${marked.slice(0, entry.todo.begin)}DONE${marked.slice(entry.todo.end)}`;
}

function findEntry(text: string, id: string, style: EntryStyle): Headline | null {
  if (!text.includes(id)) return null;
  return (
    scanOutline(text, style).headlines.find(({ properties }) => propertyOf(properties, "ID") === id) ?? null
  );
}

/** True if a block shows a diff. Commas that make lines inert and blanks at line ends are ignored. */
function isShown(diff: string, block: string): boolean {
  const [wanted, found] = [trimmed(diff), trimmed(block)];
  let at = 0;
  for (let index = 0; index < found.length; index += 1) {
    if (found[index] === wanted[at]) at += 1;
    else if (!isInertingComma(found, index)) return false;
  }
  return at === wanted.length;
}

/** A comma that makes Org syntax inert is never inside a word and never before a blank. */
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
