import type { FileSettings } from "../outline/outline.ts";
import type { Marker } from "./draft.ts";
import { type EditSession, headlineAt, type Refusal } from "./session.ts";
import { alignTags } from "./tags.ts";

/** Sets a heading's priority to one that the file allows. An empty value removes it. */
export function setPriority(session: EditSession, place: Marker, written: string): Refusal {
  const value = written.trim();
  const { draft, settings } = session;
  const { priorities } = settings;
  if (value !== "" && !isBetween(value, priorities)) {
    return `'${value}' is not a priority from ${priorities.highest} to ${priorities.lowest}`;
  }
  const { priority, todo, begin, level } = headlineAt(session, place);
  if (value === "") {
    if (priority === null) return "it has no priority to remove";
    const end = draft.text[priority.end] === " " ? priority.end + 1 : priority.end;
    draft.replace({ begin: priority.begin, end }, "");
  } else if (priority !== null) {
    draft.replace({ begin: priority.begin + 2, end: priority.end - 1 }, value);
  } else if (todo !== null) {
    draft.replace({ begin: todo.end, end: todo.end }, ` [#${value}]`);
  } else {
    const at = afterStars(draft.text, begin + level);
    draft.replace({ begin: at, end: at }, `[#${value}] `);
  }
  alignTags(session, place);
  return null;
}

function isBetween(value: string, { highest, lowest }: Omit<FileSettings["priorities"], "default">): boolean {
  const numeric = /^\d+$/;
  if (numeric.test(highest) !== numeric.test(value) || !/^(?:[A-Z]|\d{1,2})$/.test(value)) return false;
  if (numeric.test(value)) return Number(value) >= Number(highest) && Number(value) <= Number(lowest);
  return value >= highest && value <= lowest;
}

function afterStars(text: string, from: number): number {
  let at = from;
  while (text[at] === " ") at += 1;
  return at;
}
