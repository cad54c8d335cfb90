import { scanOutline } from "#org";
import type { LiftedMark } from "../../../signal/effect.ts";
import type { Label } from "../../../signal/label.ts";
import { isOrgFile } from "../../../text/is-org-file.ts";
import type { NotesPlace } from "../folder/setup-files.ts";
import { nodesIn, orgTextOf } from "./label-of-file.ts";
import { labelNodes } from "./labelled-index.ts";

/** The contents of Org files before and after a change that moves text between them. */
export type ChangedVersions = {
  readonly before: readonly Uint8Array[];
  readonly after: readonly Uint8Array[];
};

/** What marks depend on: which tags are private, and where the setup files of the path are found. */
export type MarkRules = {
  readonly path: string;
  readonly notes: NotesPlace;
  readonly privacyTags: readonly string[];
};

/**
 * The headings whose words a change would leave without their privacy tag, `:crypt:` or origin mark: a line stood under the mark, no longer stands
 * there, and stands in the open instead. Only what the files themselves say counts, since another machine sees nothing else.
 */
export async function findLiftedMarks(
  { path, notes, privacyTags }: MarkRules,
  { before, after }: ChangedVersions,
): Promise<readonly LiftedMark[]> {
  if (!isOrgFile(path.toLowerCase())) return liftedSettings(before, after, privacyTags);
  const rules = { path, notes, privacyTags };
  const [old, now] = await Promise.all([sectionsIn(before, rules), sectionsIn(after, rules)]);
  if (old.every(({ lines }) => lines.length === 0)) return liftedSettings(before, after, privacyTags);
  const found = new Map<string, LiftedMark>();
  for (const [mark, isUnder] of marks) {
    const [oldUnder, oldOpen] = countLines(old, isUnder);
    const [under, open] = countLines(now, isUnder);
    const isLifted = (line: string): boolean =>
      (under.get(line) ?? 0) < (oldUnder.get(line) ?? 0) && (open.get(line) ?? 0) > (oldOpen.get(line) ?? 0);
    for (const { heading, lines, body, label } of old) {
      if (isUnder(label) && (mark === "encryption" ? body : lines).some(isLifted))
        found.set(JSON.stringify([heading, mark]), { heading, mark });
    }
  }
  return [...found.values()];
}

/**
 * The mark that a change of a file without text of its own takes from other notes: they may name it as their setup file, and it no longer sets a privacy tag,
 * or a member of the group of one.
 */
function liftedSettings(
  before: readonly Uint8Array[],
  after: readonly Uint8Array[],
  privacyTags: readonly string[],
): readonly LiftedMark[] {
  const now = privacySettings(after, privacyTags);
  const isLifted = after.length > 0 && [...privacySettings(before, privacyTags)].some((one) => !now.has(one));
  return isLifted ? [{ heading: "the notes that name it as their setup file", mark: "privacy" }] : [];
}

/** The privacy tags that files set for all of their text, and the members of the groups of such tags. */
function privacySettings(
  versions: readonly Uint8Array[],
  privacyTags: readonly string[],
): ReadonlySet<string> {
  const isPrivate = (tag: string): boolean => privacyTags.includes(tag.toLowerCase());
  const found = new Set<string>();
  for (const bytes of versions) {
    if (!settingKeyword.test(Buffer.from(bytes).toString("latin1"))) continue;
    const { tags, tagGroups } = scanOutline(orgTextOf(bytes)).settings;
    for (const tag of tags) if (isPrivate(tag)) found.add(tag);
    for (const { name, members } of tagGroups)
      if (isPrivate(name)) for (const member of members) found.add(`${name}: ${member}`);
  }
  return found;
}

const settingKeyword = /#\+(?:filetags|tags):/i;

const marks: readonly (readonly [mark: LiftedMark["mark"], isUnder: (label: Label) => boolean])[] = [
  ["encryption", ({ secrecy }) => secrecy === "secret"],
  ["privacy", ({ secrecy }) => secrecy !== "public"],
  ["origin", ({ integrity }) => integrity !== "user"],
  ["origin", ({ integrity }) => integrity === "untrusted"],
];

type Section = {
  readonly heading: string;
  /** The heading, which stays readable where the body is encrypted, and the body. */
  readonly lines: readonly string[];
  readonly body: readonly string[];
  readonly label: Label;
};

async function sectionsIn(versions: readonly Uint8Array[], place: MarkRules): Promise<readonly Section[]> {
  const rules = { privacyTags: place.privacyTags, originsOf: async () => new Map() };
  const sections: Section[] = [];
  for (const bytes of versions) {
    const text = orgTextOf(bytes);
    const { nodes } = await nodesIn(place, bytes);
    for (const { title, lineEnd, sectionEnd, level, label } of await labelNodes(nodes, rules)) {
      const body = text.slice(lineEnd, sectionEnd).split("\n").map(bareLine).filter(isContent);
      const lines = level === 0 ? body : [bareLine(title), ...body];
      sections.push({ heading: title, lines, body, label });
    }
  }
  return sections;
}

function bareLine(line: string): string {
  return line.replace(/^[*,\s]+/, "").trimEnd();
}

/** False for the lines of a drawer, a planning line, a keyword and an empty line. */
function isContent(line: string): boolean {
  return line !== "" && !/^(?::[^\s:]+:(?:\s|$)|#\+\S+:|(?:SCHEDULED|DEADLINE|CLOSED|CLOCK):)/.test(line);
}

/** How often each line stands under the mark, and how often in the open. */
function countLines(sections: readonly Section[], isUnder: (label: Label) => boolean) {
  const counts = [new Map<string, number>(), new Map<string, number>()] as const;
  for (const { lines, label } of sections) {
    const count = isUnder(label) ? counts[0] : counts[1];
    for (const line of lines) count.set(line, (count.get(line) ?? 0) + 1);
  }
  return counts;
}
