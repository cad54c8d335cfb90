import { printMoment } from "../time/calendar.ts";
import type { Marker } from "./draft.ts";
import { putProperty } from "./properties.ts";
import {
  type EditableHeadline,
  type EditSession,
  headlineAt,
  headlineInTree,
  parentOf,
  type Refusal,
} from "./session.ts";
import { endOfOrg, levelBelow, moveSubtree } from "./subtree.ts";
import { alignTags, toggleTag } from "./tags.ts";
import { updateParentStatistics } from "./todo-statistics.ts";

const siblingTitle = "Archive";
const archiveTag = "ARCHIVE";

/** Moves a subtree below another heading, as the last entry there. */
export function refile(session: EditSession, place: Marker, to: Marker): Refusal {
  const { log } = session;
  const source = headlineInTree(session, place);
  const target = headlineInTree(session, to);
  if (target.begin >= source.begin && target.begin < source.end) {
    return "it cannot be moved below itself or one of its own children";
  }
  const moved = moveSubtree(session, place, { at: target.end, level: levelBelow(session, target.level) });
  if (log.refile !== null) session.pending = { purpose: "refile", state: null, previous: null, place: moved };
  alignTags(session, moved);
  return null;
}

/** Moves a subtree below its sibling `Archive`, which is created if needed, and records when. */
export function archiveToSibling(session: EditSession, place: Marker): Refusal {
  const { level } = headlineAt(session, place);
  const archive = findSibling(session, place) ?? makeSibling(session, place);
  const { end, begin } = headlineInTree(session, archive);
  if (place.at >= begin && place.at < end) return "it is already in the archive, or it is the archive itself";
  const moved = moveSubtree(session, place, { at: end, level: levelBelow(session, level) });
  putProperty(session, moved, { name: "ARCHIVE_TIME", value: printMoment(session.now) });
  updateParentStatistics(session, archive);
  return null;
}

function findSibling(session: EditSession, place: Marker): Marker | null {
  const { draft } = session;
  const headline = headlineAt(session, place);
  const parent = parentOf(session, headline);
  const found = draft.outline.headlines.find(
    ({ begin, level, title, tags }) =>
      level === headline.level &&
      title === siblingTitle &&
      tags?.names[0] === archiveTag &&
      begin > (parent?.begin ?? -1) &&
      begin < endOfSiblings(session, headline),
  );
  return found === undefined ? null : draft.mark(found.begin, true);
}

function endOfSiblings(session: EditSession, headline: EditableHeadline): number {
  const { headlines } = session.draft.outline;
  const next = headlines.find(({ begin, level }) => begin > headline.begin && level < headline.level);
  const parent = parentOf(session, headline);
  if (parent !== null) return headlineInTree(session, { at: parent.begin }).end;
  return next?.begin ?? session.draft.text.length;
}

function makeSibling(session: EditSession, place: Marker): Marker {
  const { draft } = session;
  const headline = headlineAt(session, place);
  const end = Math.min(endOfSiblings(session, headline), endOfOrg(draft.text));
  const lead = end === 0 || draft.text[end - 1] === "\n" ? "" : "\n";
  draft.replace({ begin: end, end }, `${lead}${"*".repeat(headline.level)} ${siblingTitle}\n`);
  const archive = draft.mark(end + lead.length, true);
  toggleTag(session, archive, archiveTag, "on");
  return archive;
}
