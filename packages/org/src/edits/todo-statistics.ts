import { literalPropertyOf } from "../outline/inherit.ts";
import { endOfLine } from "../text/lines.ts";
import type { Marker } from "./draft.ts";
import { type EditableHeadline, type EditSession, headlineAt, headlineInTree, parentOf } from "./session.ts";
import { alignTags } from "./tags.ts";

const cookie = /\[(?:\d*%|\d*\/\d*)\]/g;

/** Counts the done below the heading above an entry anew, and further up where a property says so. */
export function updateParentStatistics(session: EditSession, place: Marker): void {
  const headline = headlineAt(session, place);
  let above = parentOf(session, headline);
  const source = cookieData(session, above);
  const recursive = /\brecursive\b/.test(source.value);
  while (above !== null && above.begin >= source.limit) {
    if (/\bcheckbox\b/i.test(literalPropertyOf(above.properties, "COOKIE_DATA") ?? "")) return;
    const marker = session.draft.mark(above.begin, true);
    const level = recursive ? null : headline.level;
    writeCookies(session, marker, (old) => cookieFor(old, countTodos(session, marker, level)));
    if (!recursive) return;
    above = parentOf(session, headlineAt(session, marker));
  }
}

/** A cookie for a count, in the form of the one that it replaces. */
export function cookieFor(old: string, { done, all }: { done: number; all: number }): string {
  return old.endsWith("%]") ? `[${Math.floor((100 * done) / Math.max(1, all))}%]` : `[${done}/${all}]`;
}

function cookieData(
  session: EditSession,
  from: EditableHeadline | null,
): { readonly value: string; readonly limit: number } {
  for (let at = from; at !== null; at = parentOf(session, at)) {
    const value = literalPropertyOf(at.properties, "COOKIE_DATA");
    if (value !== null) return { value, limit: at.begin };
  }
  return { value: "", limit: 0 };
}

/** Of all headings below one, or of those of one level, how many have a TODO word, and how many are done. */
function countTodos(
  session: EditSession,
  place: Marker,
  level: number | null,
): { done: number; all: number } {
  const { headlines } = session.draft.outline;
  const above = headlineInTree(session, place);
  const count = { done: 0, all: 0 };
  for (let at = above.index + 1; at < headlines.length; at += 1) {
    const below = headlines[at];
    if (below === undefined || below.level <= above.level) break;
    if (below.todo === null || (level !== null && below.level !== level)) continue;
    count.all += 1;
    if (below.todo.done) count.done += 1;
  }
  return count;
}

/** Replaces all cookies of a heading. */
export function writeCookies(session: EditSession, place: Marker, freshOf: (old: string) => string): void {
  const { draft } = session;
  cookie.lastIndex = place.at;
  for (let hit = cookie.exec(draft.text); hit !== null; hit = cookie.exec(draft.text)) {
    const begin = hit.index;
    if (begin >= endOfLine(draft.text, place.at)) return;
    const fresh = freshOf(hit[0]);
    draft.replace({ begin, end: begin + hit[0].length }, fresh);
    if (fresh !== hit[0]) alignTags(session, place);
    cookie.lastIndex = begin + fresh.length;
  }
}
