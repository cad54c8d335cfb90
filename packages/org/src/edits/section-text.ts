import { isLineStart, nextLine, skipSpaceBack } from "../text/lines.ts";
import type { Marker } from "./draft.ts";
import { endOfMetadata, findDrawers } from "./find-drawers.ts";
import { hasHeading } from "./insert-entry.ts";
import { type EditableHeadline, type EditSession, headlineAt, type Refusal } from "./session.ts";
import { endOfOrg } from "./subtree.ts";

const heading = "the text has a heading; 'insert' and 'paste' write those";

/** Appends text to an entry's own text, before its child entries. */
export function appendText(session: EditSession, place: Marker, text: string): Refusal {
  if (hasHeading(text)) return heading;
  const { draft } = session;
  const headline = headlineAt(session, place);
  const last = skipSpaceBack(draft.text, endOfSection(draft.text, headline), headline.begin);
  const end = nextLine(draft.text, last);
  put(session, { begin: end, end }, text);
  return null;
}

/** Replaces an entry's own text: what follows its planning, properties and logbook, up to its first child entry. */
export function replaceBody(session: EditSession, place: Marker, text: string): Refusal {
  if (hasHeading(text)) return heading;
  const { draft } = session;
  const headline = headlineAt(session, place);
  const begin = beginOfBody(draft.text, headline);
  const last = skipSpaceBack(draft.text, endOfSection(draft.text, headline), begin);
  put(session, { begin, end: last === begin ? begin : nextLine(draft.text, last) }, text);
  return null;
}

function put({ draft }: EditSession, { begin, end }: { begin: number; end: number }, text: string): void {
  const body = text.replace(/\n+$/, "");
  const lead = isLineStart(draft.text, begin) || body === "" ? "" : "\n";
  const open = end === draft.text.length && !draft.text.endsWith("\n");
  const tail = body === "" || open ? "" : "\n";
  draft.replace({ begin, end }, lead + body + tail);
}

function endOfSection(text: string, { sectionEnd }: EditableHeadline): number {
  return Math.min(sectionEnd, endOfOrg(text));
}

function beginOfBody(text: string, headline: EditableHeadline): number {
  const drawers = findDrawers(text, headline);
  let at = endOfMetadata(headline);
  for (const { begin, end, name } of drawers) if (begin === at && /^(?:LOGBOOK|CLOCK)$/i.test(name)) at = end;
  return at;
}
