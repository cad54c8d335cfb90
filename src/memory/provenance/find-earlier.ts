import { decodeOrgText } from "#org";
import type { NoteNode } from "../../notes/note-node.ts";
import { originProperty } from "../../notes/origin-property.ts";
import type { NotesPlace } from "../notes/folder/setup-files.ts";
import { nodesIn } from "../notes/labels/label-of-file.ts";
import type { State } from "../state/state.ts";

/** What finding earlier sections needs. `isGrown` tells words that grew from the source, by their hash. */
export type EarlierParts = {
  readonly state: Pick<State, "changes">;
  readonly place: NotesPlace;
  readonly isGrown: (words: string) => boolean;
};

/** What stood in the place of a note before it grew: nothing, a section to put back, or other text that cannot be told from it. */
export type Earlier =
  | { readonly kind: "nothing" }
  | { readonly kind: "section"; readonly text: string }
  | { readonly kind: "mixed"; readonly why: string };

/** A version of a file before a change; null where its text is no longer kept. */
type Version = { readonly text: string; readonly nodes: readonly NoteNode[] } | null;

/** Looks up what each note of a file was before it grew. The latest version with other words than grown ones counts. */
export async function openEarlier(
  { state, place, isGrown }: EarlierParts,
  {
    path,
    bytes,
    nodes: present,
  }: { readonly path: string; readonly bytes: Uint8Array; readonly nodes: readonly NoteNode[] },
): Promise<(node: NoteNode) => Promise<Earlier>> {
  const changes = (await state.changes.ofFile(path)).filter(({ undone }) => !undone).toReversed();
  const now = decodeOrgText(bytes).text;
  const read = new Map<string, Version>();
  const versionOf = async (blob: string): Promise<Version> => {
    const known = read.get(blob);
    if (known !== undefined) return known;
    const kept = await state.changes.preImage(blob);
    const version =
      kept.status === "kept"
        ? {
            text: decodeOrgText(kept.bytes).text,
            nodes: (await nodesIn({ path, notes: place }, kept.bytes)).nodes,
          }
        : null;
    read.set(blob, version);
    return version;
  };
  return async (node) => {
    const isSame = (one: NoteNode): boolean => nameInFile(one) === nameInFile(node);
    const section = now.slice(node.begin, node.sectionEnd);
    let newer = present;
    for (const { before, preImage } of changes) {
      if (before === null) return { kind: "nothing" };
      const version = preImage === null ? null : await versionOf(preImage);
      if (version === null) return unknown(node);
      const { text, nodes } = version;
      const [same, other] = nodes.filter(isSame);
      // Of several notes of one name nothing says which one it was.
      if (same === undefined || other !== undefined || present.filter(isSame).length > 1) {
        if (!sharesLines(section, version, isGrown) && !losesNotes(version, newer, isGrown))
          return { kind: "nothing" };
        return { kind: "mixed", why: "it may hold text that stood in the file before; look at it yourself" };
      }
      if (!isGrown(same.words)) return { kind: "section", text: text.slice(same.begin, same.sectionEnd) };
      newer = nodes;
    }
    return { kind: "nothing" };
  };
}

/** A note by its `:ID:`, or else by its place in its file. */
export function nameInFile({
  properties,
  path,
  title,
}: Pick<NoteNode, "properties" | "path" | "title">): string {
  return properties["ID"] ?? JSON.stringify([...path, title]);
}

/** Whether a section has a line of a note that was there before it, and that did not grow itself. */
function sharesLines(
  section: string,
  { text, nodes }: NonNullable<Version>,
  isGrown: EarlierParts["isGrown"],
): boolean {
  const others = nodes
    .filter(({ words }) => !isGrown(words))
    .flatMap(({ begin, sectionEnd }) => linesOf(text.slice(begin, sectionEnd)));
  const known = new Set(others);
  return linesOf(section).some((line) => known.has(line));
}

/** Whether a note that did not grow went as the next version came: the new one may be that, under another title. */
function losesNotes(
  { nodes }: NonNullable<Version>,
  newer: readonly NoteNode[],
  isGrown: EarlierParts["isGrown"],
): boolean {
  const names = new Set(newer.map(nameInFile));
  return nodes.some((node) => !isGrown(node.words) && !names.has(nameInFile(node)));
}

/** The lines that say something, without headings. */
function linesOf(section: string): readonly string[] {
  return section
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && !/^(?:#\+|\*+ |:[^\s:]+:)/.test(line));
}

/** Where earlier versions are gone, a note that has the marks of one that was filed was made as a whole. */
function unknown({ properties }: NoteNode): Earlier {
  return properties[originProperty] === undefined || properties["CREATED"] === undefined
    ? { kind: "mixed", why: "what stood there before is no longer kept; look at it yourself" }
    : { kind: "nothing" };
}
