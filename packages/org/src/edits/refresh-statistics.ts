import { literalPropertyOf } from "../outline/inherit.ts";
import { updateBoxStatistics } from "./box-statistics.ts";
import type { Marker } from "./draft.ts";
import { type EditSession, headlineInTree } from "./session.ts";
import { updateParentStatistics, writeCookies } from "./todo-statistics.ts";

const boxed = /^[ \t]*(?:[-+*]|\d+[.)]) \[[- X]\]/m;

/** Updates the statistics cookies of a heading: from its checkboxes if it has any, or else from its child entries. */
export function refreshStatistics(session: EditSession, place: Marker): void {
  const { draft } = session;
  const headline = headlineInTree(session, place);
  const section = draft.text.slice(headline.begin, headline.sectionEnd);
  const todo = /\btodo\b/.test(literalPropertyOf(headline.properties, "COOKIE_DATA") ?? "");
  const child = draft.outline.headlines[headline.index + 1];
  if (boxed.test(section) && !todo) updateBoxStatistics(session, place.at);
  else if (child?.parent === headline.index) updateParentStatistics(session, { at: child.begin });
  else writeCookies(session, place, (old) => (old.endsWith("%]") ? "[100%]" : "[0/0]"));
}
