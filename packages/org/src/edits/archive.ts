import { literalPropertyOf, uniqueFromEnd } from "../outline/inherit.ts";
import { showLinks } from "../text/bracket-link.ts";
import { isLineStart, skipSpaceBack } from "../text/lines.ts";
import type { Range } from "../text/range.ts";
import { printMoment } from "../time/calendar.ts";
import type { Moment } from "../time/timestamp.ts";
import { updateBoxStatistics } from "./box-statistics.ts";
import { findDay, narrowedSubtree } from "./date-tree.ts";
import type { Marker } from "./draft.ts";
import { putProperty } from "./properties.ts";
import { propertyWithInheritance } from "./read-property.ts";
import {
  type EditableHeadline,
  type EditSession,
  headlineAt,
  headlineInTree,
  parentOf,
  type Refusal,
} from "./session.ts";
import { cutSubtree, levelBelow, pasteSubtree } from "./subtree.ts";
import { setTags } from "./tags.ts";
import { updateParentStatistics, writeCookies } from "./todo-statistics.ts";

const boxed = /^[ \t]*(?:[-+*]|\d+[.)]) \[[- X]\]/m;

/**
 * Updates the statistics cookies of a heading: from its checkboxes, or from its child entries where it has no
 * checkboxes.
 */
function refreshStatistics(session: EditSession, place: Marker): void {
  const { draft } = session;
  const headline = headlineInTree(session, place);
  const section = draft.text.slice(headline.begin, headline.sectionEnd);
  const todo = /\btodo\b/.test(literalPropertyOf(headline.properties, "COOKIE_DATA") ?? "");
  const child = draft.outline.headlines[headline.index + 1];
  if (boxed.test(section) && !todo) updateBoxStatistics(session, place.at);
  else if (child?.parent === headline.index) updateParentStatistics(session, { at: child.begin });
  else writeCookies(session, place, (old) => (old.endsWith("%]") ? "[100%]" : "[0/0]"));
}

/** The location of an archive: a file, and optionally a heading in it (`* Done`). An empty file name is the edited file. */
export type ArchivePlace = { readonly file: string; readonly heading: string };

/** The name of the edited file, how an archived entry remembers it, and access to other files. */
export type EditableFiles = {
  readonly name: string;
  readonly shownAs: string;
  /** The session for another file; null if it cannot be edited. A new file has no text. */
  readonly open: (file: string) => EditSession | null;
};

const dateTree = /^datetree\/(\**)/;

/** What Emacs writes at the top of a new archive whose name does not say that it is Org. */
const modeLine = "#    -*- mode: org -*-\n\n";

/** Moves a subtree to the archive that its `ARCHIVE` property or the file's keyword names, by default `NAME_archive`, and records its origin. */
export function archiveSubtree(session: EditSession, place: Marker, files: EditableFiles): Refusal {
  const { draft } = session;
  const headline = headlineAt(session, place);
  const archive = archivePlace(session, headline, files.name);
  if (archive === null) return "its archive location is malformed: write FILE::HEADING";
  const inside = archive.file === "";
  const other = inside ? session : files.open(archive.file);
  if (other === null) return `the archive ${archive.file} cannot be written`;
  const inherited = inheritedTags(session, headline);
  const context = contextOf(session, headline, { files, tags: inherited });
  const parent = parentOf(session, headline);
  const above = parent === null ? null : draft.mark(parent.begin, true);
  const tree = cutSubtree(session, place);
  if (other.draft.text === "" && !inside) {
    const mode = archive.file.endsWith(".org") ? "" : modeLine;
    other.draft.replace({ begin: 0, end: 0 }, `${mode}\nArchived entries from file ${files.name}\n\n`);
  }
  const date = headline.planning?.closed?.start ?? session.now;
  const paste = () => pasteArchived(other, tree, { heading: archive.heading, date });
  const moved = inside ? withPlaceholder(session, place, { tree, level: headline.level, paste }) : paste();
  if (inside && inherited.length > 0)
    setTags(session, moved, [...inherited, ...(headline.tags?.names ?? [])]);
  for (const [name, value] of context) if (value !== "") putProperty(other, moved, { name, value });
  if (above !== null) refreshStatistics(session, above);
  return null;
}

function archivePlace(session: EditSession, headline: EditableHeadline, name: string): ArchivePlace | null {
  const said =
    propertyWithInheritance(session, headline, "ARCHIVE") ?? session.settings.archive ?? "%s_archive::";
  const at = said.indexOf("::");
  if (at === -1) return null;
  const base = name.slice(name.lastIndexOf("/") + 1);
  const fill = (format: string) => format.replace(/%([s%])/g, (_, key) => (key === "s" ? base : key)).trim();
  const file = fill(said.slice(0, at)).replace(/^(?:\.\/)+/, "");
  return { file: file === base ? "" : file, heading: fill(said.slice(at + 2)) };
}

/** Emacs cuts a tree once it is archived. In the same file a bare heading keeps its place until then, so that the blank lines come out the same. */
function withPlaceholder(
  session: EditSession,
  { at }: Marker,
  { tree, level, paste }: { readonly tree: string; readonly level: number; readonly paste: () => Marker },
): Marker {
  const { draft } = session;
  draft.replace({ begin: at, end: at }, `${"*".repeat(level)} \uFFFC${tree.endsWith("\n") ? "\n" : ""}`);
  const placeholder = draft.mark(at, true);
  const moved = paste();
  const { begin, sectionEnd } = headlineAt(session, placeholder);
  draft.replace({ begin, end: sectionEnd }, "");
  return moved;
}

/** Pastes a tree where the archive wants it: below a heading, in the day of a date tree, or at the end. */
function pasteArchived(
  session: EditSession,
  tree: string,
  { heading, date }: { readonly heading: string; readonly date: Moment },
): Marker {
  const dated = dateTree.exec(heading);
  const day = dated === null ? null : findDay(session, { under: null, date, extent: narrowedSubtree });
  const above = day === null ? 0 : headlineInTree(session, day).level;
  const stars = dated?.[1] ?? /^\**/.exec(heading)?.[0] ?? "";
  const place: Place = { session, day, gap: day === null ? "\n\n" : "\n" };
  if (stars === "") return pasteAtEnd(place, tree, above + 1);
  const level = day === null ? stars.length : above + stars.length * (session.odd ? 2 : 1);
  const title = heading.slice(dated?.[0].length ?? stars.length);
  return pasteBelow(place, tree, `${"*".repeat(level)}${title}`);
}

/** The archive, and the day in it; entries of a day have no blank line between them. */
type Place = { readonly session: EditSession; readonly day: Marker | null; readonly gap: string };

function pasteAtEnd({ session, day }: Place, tree: string, level: number): Marker {
  const { draft } = session;
  const { end } = narrowedSubtree(session, day);
  const lead = day !== null && isLineStart(draft.text, end) ? "" : "\n";
  draft.replace({ begin: end, end }, lead);
  return pasteSubtree(session, tree, { at: end + lead.length, level });
}

function pasteBelow(place: Place, tree: string, heading: string): Marker {
  const { session, day, gap } = place;
  const { draft } = session;
  const inside = narrowedSubtree(session, day);
  const target = findHeading(session, inside, heading) ?? makeHeading(place, heading);
  const { begin, end, level } = headlineInTree(session, target);
  const to = Math.min(end, narrowedSubtree(session, day).end);
  const last = skipSpaceBack(draft.text, to, begin);
  draft.replace({ begin: last, end: to }, gap);
  return pasteSubtree(session, tree, { at: last + gap.length, level: levelBelow(session, level) });
}

/** The first heading with this line, tags aside. */
function findHeading({ draft }: EditSession, { begin, end }: Range, heading: string): Marker | null {
  const line = new RegExp(`^${RegExp.escape(heading)}(?:[ \\t]+:(?:[\\p{L}\\p{N}_@#%]+:)+)?[ \\t]*$`, "imu");
  const found = draft.outline.headlines.find(
    (one) =>
      one.begin >= begin && one.begin < end && line.test(draft.text.slice(one.begin, one.lineEnd).trimEnd()),
  );
  return found === undefined ? null : draft.mark(found.begin, true);
}

function makeHeading({ session, day }: Place, heading: string): Marker {
  const { draft } = session;
  const { end } = narrowedSubtree(session, day);
  const lead = (isLineStart(draft.text, end) ? "" : "\n") + (day === null ? "\n" : "");
  draft.replace({ begin: end, end }, `${lead}${heading}\n`);
  return draft.mark(end + lead.length, true);
}

/** The context properties that an archived entry keeps. */
function contextOf(
  session: EditSession,
  headline: EditableHeadline,
  { files, tags }: { readonly files: EditableFiles; readonly tags: readonly string[] },
): readonly (readonly [string, string])[] {
  const { name, shownAs } = files;
  const base = name.slice(name.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
  const category =
    propertyWithInheritance(session, headline, "CATEGORY") ?? session.settings.category ?? base;
  return [
    ["ARCHIVE_TIME", printMoment(session.now)],
    ["ARCHIVE_FILE", shownAs],
    ["ARCHIVE_OLPATH", pathTo(session, headline).map(nameInPath).join("/")],
    ["ARCHIVE_CATEGORY", category],
    ["ARCHIVE_TODO", headline.todo?.word ?? ""],
    ["ARCHIVE_ITAGS", tags.join(" ")],
  ];
}

/** A title as Emacs shows it in a path: without statistics, and links by their descriptions. */
function nameInPath({ title }: EditableHeadline): string {
  return showLinks(title.replace(/\[(?:\d+%|\d+\/\d+)\]/g, "")).trim();
}

function inheritedTags(session: EditSession, headline: EditableHeadline): readonly string[] {
  const above = pathTo(session, headline).flatMap(({ tags }) => tags?.names ?? []);
  return uniqueFromEnd([...session.settings.tags, ...above]).filter(
    (tag) => headline.tags?.names.includes(tag) !== true,
  );
}

function pathTo(session: EditSession, headline: EditableHeadline): readonly EditableHeadline[] {
  const above: EditableHeadline[] = [];
  for (let at = parentOf(session, headline); at !== null; at = parentOf(session, at)) above.unshift(at);
  return above;
}
