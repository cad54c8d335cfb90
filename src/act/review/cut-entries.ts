import { type Headline, propertyOf, scanOutline } from "#org";
import type { KeptProposal } from "../../signal/review.ts";
import type { EntryStyle } from "./entry.ts";
import { readInboxText } from "./inbox-text.ts";
import { ownLines } from "./renew-entry.ts";

/**
 * Removes the entries of proposals from a text. What somebody wrote in an entry stays, below the heading "Forgotten". Every other byte stays. Null if the text
 * has no such entry.
 */
export function cutEntries(
  current: Uint8Array,
  proposals: readonly KeptProposal[],
  style: EntryStyle,
): Uint8Array | null {
  const source = readInboxText(current);
  const known = new Map(proposals.map((proposal) => [proposal.id, proposal]));
  let { text } = source;
  let isFound = false;
  for (const entry of scanOutline(text, style).headlines.toReversed()) {
    const proposal = known.get(propertyOf(entry.properties, "ID") ?? "");
    if (proposal === undefined) continue;
    isFound = true;
    text = `${text.slice(0, entry.begin)}${restOf(text, entry, { proposal, style })}${text.slice(entry.sectionEnd)}`;
  }
  return isFound ? source.encode(text) : null;
}

function restOf(
  text: string,
  entry: Headline,
  { proposal, style }: { readonly proposal: KeptProposal; readonly style: EntryStyle },
): string {
  const lines = ownLines(text, entry, { proposal, style });
  const isAlone = entry.end === entry.sectionEnd && lines.trim() === "";
  return isAlone ? "" : `${"*".repeat(entry.level)} Forgotten\n${lines}`;
}
