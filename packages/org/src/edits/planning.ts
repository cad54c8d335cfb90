import type { Headline } from "../outline/outline.ts";
import { endOfLine, nextLine, skipBlanks, skipBlanksBack, startOfLine } from "../text/lines.ts";
import { printMoment } from "../time/calendar.ts";
import type { Moment } from "../time/timestamp.ts";
import type { Draft, Marker } from "./draft.ts";
import { type EditSession, headlineAt } from "./session.ts";

export type PlanningWord = "CLOSED" | "DEADLINE" | "SCHEDULED";

const anyPlanning = /\b(?:SCHEDULED|DEADLINE|CLOSED): *[[<][^\]>]+[\]>]/g;
const patterns: Readonly<Record<PlanningWord, RegExp>> = {
  CLOSED: /\bCLOSED: *\[([^\]]+)\]/,
  DEADLINE: /\bDEADLINE: *<([^>]+)>/,
  SCHEDULED: /\bSCHEDULED: *<([^>]+)>/,
};

/** The timestamp after a planning keyword in an entry's planning line. */
export function planned(
  text: string,
  { planning }: Pick<Headline, "planning">,
  word: "DEADLINE" | "SCHEDULED",
): string | null {
  if (planning === null) return null;
  const found = patterns[word].exec(text.slice(planning.begin, planning.end))?.[1];
  return found === undefined ? null : `<${found}>`;
}

/** Writes a timestamp into an entry's planning line, which is created if needed. A timestamp under the same keyword is replaced. */
export function setPlanning(
  session: EditSession,
  place: Marker,
  { word, stamp, without }: { word: PlanningWord; stamp: string; without: readonly PlanningWord[] },
): void {
  const { draft } = session;
  const { planning, begin } = headlineAt(session, place);
  if (planning === null) {
    const end = endOfLine(draft.text, begin);
    draft.replace({ begin: end, end }, `\n${word}: ${stamp}`);
    return;
  }
  removeWords(draft, planning.begin, [word, ...without]);
  const at = skipBlanks(draft.text, planning.begin, endOfLine(draft.text, planning.begin));
  const gap = at === endOfLine(draft.text, at) ? "" : " ";
  draft.replace({ begin: at, end: at }, `${word}: ${stamp}${gap}`);
}

/** Removes a planning keyword. An empty planning line is removed too. */
export function removePlanning(session: EditSession, place: Marker, word: PlanningWord): void {
  const { draft } = session;
  const { planning } = headlineAt(session, place);
  if (planning === null) return;
  removeWords(draft, planning.begin, [word]);
  const { text } = draft;
  const end = endOfLine(text, planning.begin);
  if (skipBlanks(text, planning.begin, end) === end) draft.replace({ begin: planning.begin - 1, end }, "");
}

/** Removes every active timestamp after a planning keyword from an entry, its body included. */
export function removeStamps(session: EditSession, place: Marker, word: "DEADLINE" | "SCHEDULED"): void {
  const { draft } = session;
  const { begin, sectionEnd } = headlineAt(session, place);
  const pattern = new RegExp(`\\b${word}: +<[^>\\n]+>[ \\t]*`, "g");
  const end = draft.mark(sectionEnd);
  while (true) {
    pattern.lastIndex = begin;
    const found = pattern.exec(draft.text);
    if (found === null || found.index >= end.at) return;
    draft.replace({ begin: found.index, end: found.index + found[0].length }, "");
    tidyAfterRemoval(draft, found.index);
  }
}

/** `<2024-01-15 Mon>` or, with brackets, `[2024-01-15 Mon 10:00]`. */
export function stampOf(moment: Moment, brackets: "<>" | "[]" = "<>"): string {
  return `${brackets[0]}${printMoment(moment)}${brackets[1]}`;
}

function removeWords(draft: Draft, line: number, words: readonly PlanningWord[]): void {
  for (const word of words) {
    const found = patterns[word].exec(draft.text.slice(line, endOfLine(draft.text, line)));
    if (found === null) continue;
    const begin = line + found.index;
    anyPlanning.lastIndex = begin + found[0].length;
    const next = anyPlanning.exec(draft.text);
    const end = endOfLine(draft.text, line);
    draft.replace({ begin, end: next !== null && next.index < end ? next.index : end }, "");
  }
  const end = endOfLine(draft.text, line);
  const first = skipBlanks(draft.text, line, end);
  draft.replace({ begin: skipBlanksBack(draft.text, end, first), end }, "");
}

function tidyAfterRemoval(draft: Draft, at: number): void {
  const { text } = draft;
  const line = startOfLine(text, at);
  const before = text.slice(line, at);
  if (/\S/.test(before) && before.endsWith(" ")) draft.replace({ begin: at - 1, end: at }, "");
  else if (/^[ \t]*$/.test(text.slice(line, endOfLine(text, at)))) {
    draft.replace({ begin: line, end: nextLine(text, at) }, "");
  }
}
