import { skipSpaceBack } from "../text/lines.ts";
import { printMoment } from "../time/calendar.ts";
import type { Marker } from "./draft.ts";
import { putProperty } from "./properties.ts";
import { propertyWithInheritance } from "./read-property.ts";
import { refreshStatistics } from "./refresh-statistics.ts";
import {
  type EditableHeadline,
  type EditSession,
  headlineAt,
  headlineInTree,
  parentOf,
  type Refusal,
} from "./session.ts";
import { cutSubtree, endOfOrg, levelBelow, pasteSubtree } from "./subtree.ts";
import { setTags } from "./tags.ts";

/** The location of an archive: a file, and optionally a heading in it (`* Done`). An empty file name is the edited file. */
export type ArchivePlace = { readonly file: string; readonly heading: string };

/** The name of the edited file, and access to other files. */
export type EditableFiles = {
  readonly name: string;
  /** The session for another file; null if it cannot be edited. A new file has no text. */
  readonly open: (file: string) => EditSession | null;
};

/** What Emacs writes at the top of a new archive whose name does not say that it is Org. */
const modeLine = "#    -*- mode: org -*-\n\n";

/** Moves a subtree to the archive that its `ARCHIVE` property or the file's keyword names, by default `NAME_archive`, and records its origin. */
export function archiveSubtree(session: EditSession, place: Marker, files: EditableFiles): Refusal {
  const { draft } = session;
  const headline = headlineAt(session, place);
  const archive = archivePlace(session, headline, files.name);
  if (archive === null) return "its archive location is malformed: write FILE::HEADING";
  if (archive.heading.startsWith("datetree/")) return "archives in a date tree are not supported";
  const inside = archive.file === "";
  const other = inside ? session : files.open(archive.file);
  if (other === null) return `the archive ${archive.file} cannot be written`;
  const inherited = inheritedTags(session, headline);
  const context = contextOf(session, headline, { name: files.name, tags: inherited });
  const parent = parentOf(session, headline);
  const above = parent === null ? null : draft.mark(parent.begin, true);
  const tree = cutSubtree(session, place);
  if (other.draft.text === "" && !inside) {
    const mode = archive.file.endsWith(".org") ? "" : modeLine;
    other.draft.replace({ begin: 0, end: 0 }, `${mode}\nArchived entries from file ${files.name}\n\n`);
  }
  const moved = pasteArchived(other, tree, archive.heading);
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
  const fill = (format: string) => format.replaceAll("%s", base).trim();
  return { file: fill(said.slice(0, at)), heading: fill(said.slice(at + 2)) };
}

function pasteArchived(session: EditSession, tree: string, heading: string): Marker {
  const { draft } = session;
  const level = /^\*+/.exec(heading)?.[0].length ?? 0;
  if (level === 0) return pasteAtEnd(session, tree);
  const title = heading.slice(level).trim();
  const found = draft.outline.headlines.find((one) => one.level === level && one.title === title);
  const target = found === undefined ? makeHeading(session, heading) : draft.mark(found.begin, true);
  const { end, begin } = headlineInTree(session, target);
  const last = skipSpaceBack(draft.text, Math.min(end, endOfOrg(draft.text)), begin);
  draft.replace({ begin: last, end: Math.min(end, endOfOrg(draft.text)) }, "\n\n");
  return pasteSubtree(session, tree, { at: last + 2, level: levelBelow(session, level) });
}

function makeHeading({ draft }: EditSession, heading: string): Marker {
  const end = endOfOrg(draft.text);
  const lead = end === 0 || draft.text[end - 1] === "\n" ? "\n" : "\n\n";
  draft.replace({ begin: end, end }, `${lead}${heading}\n`);
  return draft.mark(end + lead.length, true);
}

function pasteAtEnd(session: EditSession, tree: string): Marker {
  const { draft } = session;
  const end = endOfOrg(draft.text);
  draft.replace({ begin: end, end }, "\n");
  return pasteSubtree(session, tree, { at: end + 1, level: 1 });
}

/** The context properties that an archived entry keeps. */
function contextOf(
  session: EditSession,
  headline: EditableHeadline,
  { name, tags }: { readonly name: string; readonly tags: readonly string[] },
): readonly (readonly [string, string])[] {
  const base = name.slice(name.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
  const category =
    propertyWithInheritance(session, headline, "CATEGORY") ?? session.settings.category ?? base;
  return [
    ["ARCHIVE_TIME", printMoment(session.now)],
    ["ARCHIVE_FILE", name],
    [
      "ARCHIVE_OLPATH",
      pathTo(session, headline)
        .map(({ title }) => title)
        .join("/"),
    ],
    ["ARCHIVE_CATEGORY", category],
    ["ARCHIVE_TODO", headline.todo?.word ?? ""],
    ["ARCHIVE_ITAGS", tags.join(" ")],
  ];
}

function inheritedTags(session: EditSession, headline: EditableHeadline): readonly string[] {
  const above = pathTo(session, headline).flatMap(({ tags }) => tags?.names ?? []);
  const all = [...session.settings.tags, ...above];
  return [...new Set(all)].filter((tag) => headline.tags?.names.includes(tag) !== true);
}

function pathTo(session: EditSession, headline: EditableHeadline): readonly EditableHeadline[] {
  const above: EditableHeadline[] = [];
  for (let at = parentOf(session, headline); at !== null; at = parentOf(session, at)) above.unshift(at);
  return above;
}
