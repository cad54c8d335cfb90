import { decodeOrgText, scanOutline } from "#org";
import type { LiftedMark } from "../../../signal/effect.ts";
import type { Label } from "../../../signal/label.ts";
import { isOrgFile } from "../nodes/is-org-file.ts";
import { readNodes } from "../nodes/read-nodes.ts";
import { labelNodes } from "./labelled-index.ts";

/** The contents of Org files before and after a change that moves text between them. */
export type ChangedVersions = {
  readonly before: readonly Uint8Array[];
  readonly after: readonly Uint8Array[];
};

/**
 * The headings whose words a change would leave without their privacy tag, `:crypt:` or origin mark: a line stood under the mark, no longer stands
 * there, and stands in the open instead. Only what the files themselves say counts, since another machine sees nothing else.
 */
export async function findLiftedMarks(
  path: string,
  { before, after }: ChangedVersions,
  privacyTags: readonly string[],
): Promise<readonly LiftedMark[]> {
  if (!isOrgFile(path.toLowerCase())) return [];
  const [old, now] = await Promise.all([sectionsIn(before, privacyTags), sectionsIn(after, privacyTags)]);
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

async function sectionsIn(
  versions: readonly Uint8Array[],
  privacyTags: readonly string[],
): Promise<readonly Section[]> {
  const rules = { privacyTags, originsOf: async () => new Map() };
  const sections: Section[] = [];
  for (const bytes of versions) {
    const { text } = decodeOrgText(bytes);
    const nodes = readNodes("a.org", scanOutline(text)).map(({ node }) => node);
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
