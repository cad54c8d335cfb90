import { basename } from "node:path";
import { decodeOrgText, type Outline } from "#org";
import { runInSlices } from "../../../machine/yield-to-event-loop.ts";
import { readDenoteName } from "../../../notes/denote-name.ts";
import { labelOfMarks, readTextMarks } from "../../../notes/label-of-text.ts";
import { detailHashes } from "../../../notes/note-hashes.ts";
import type { NoteNode } from "../../../notes/note-node.ts";
import { outlineOf } from "../../../notes/parse-note-file.ts";
import { privateTextsIn } from "../../../notes/private-texts-in.ts";
import { readNodesInSteps } from "../../../notes/read-nodes.ts";
import { bottomLabel, joinAll, joinLabels, type Label } from "../../../signal/label.ts";
import { isOrgFile } from "../../../text/is-org-file.ts";
import { asUtf8 } from "../../../text/utf16-text.ts";
import { type NotesPlace, openSetupFilesOfAny } from "../folder/setup-files.ts";
import { type LabelRules, labelNodes } from "./labelled-index.ts";

/** The label of a file's contents, with the texts in it that are not public. */
export type FileSecrecy = { readonly label: Label; readonly privateTexts: readonly string[] };

/** A line that names a setup file, whose tags count in a copy of a note as well. */
const setupLine = /^[ \t]*#\+setupfile:/im;

/**
 * Whether the label of a file that is no note depends on others: on the setup files that it names, and then
 * on the origins of its nodes.
 */
export function dependsOnOthers(bytes: Uint8Array): boolean {
  return setupLine.test(orgTextOf(bytes));
}

/** What the label of a file depends on besides its contents. Where there is no notes folder, no file is a note. */
export type FileLabelRules = LabelRules & { readonly notes: NotesPlace };

/**
 * The label of a file from its contents. An Org file has that of its tags, of text that is or was encrypted, and of the recorded origins of its nodes.
 * Any other file may be a copy of one: it has the label of the tags that stand in it.
 */
export async function labelOfFile(
  path: string,
  bytes: Uint8Array,
  parts: FileLabelRules,
): Promise<FileSecrecy> {
  const text = orgTextOf(bytes);
  const isOrg = isOrgFile(path);
  const isMarkdown = /\.(?:md|markdown|mdx)$/i.test(path);
  // With NULs it is no note, but text in another encoding, perhaps.
  const marks = isOrg && !text.includes("\0") ? null : readTextMarks(text, parts.privacyTags, { isMarkdown });
  const tags = readDenoteName(path)?.tags ?? [];
  if (!isOrg && tags.some((tag) => parts.privacyTags.includes(tag.toLowerCase())))
    return { label: unknownTagsLabel, privateTexts: [text] };
  const marked = marks === null ? bottomLabel : labelOfMarks(marks);
  if (!isOrg && !setupLine.test(text)) return { label: marked, privateTexts: marks?.parts ?? [] };
  const read = await nodesIn({ path, notes: parts.notes }, bytes);
  const nodes = await labelNodes(read.nodes, parts);
  const known = joinAll([marked, ...nodes.map((node) => node.label)]);
  if (!read.isWhole) return { label: joinLabels(known, unknownTagsLabel), privateTexts: [text] };
  return { label: known, privateTexts: [...(marks?.parts ?? []), ...privateTextsIn(text, nodes)] };
}

/** The label of an Org file that was not read: the most restrictive one. */
export const unreadFileLabel: Label = joinLabels(bottomLabel, {
  integrity: "untrusted",
  secrecy: "secret",
  sources: [],
});

/** The label of a note with a setup file that cannot be read: its tags are not known. */
const unknownTagsLabel: Label = { ...bottomLabel, secrecy: "private" };

/** A change of a file. `flowing` is the label of the text that it adds, `whole` the label of the whole file afterwards. */
export type LabelledChange = {
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array;
  /** What the file held from which nodes moved here. */
  readonly movedFrom?: Uint8Array | null;
  readonly flowing: Label;
  readonly whole: Label;
};

/** Two versions of a file. */
export type FileVersions = Pick<LabelledChange, "path" | "before" | "after">;

/**
 * The label of the entries of an Org file whose own section is not the same, or not at its place, in two
 * versions: what is told of a change tells of these alone.
 */
export async function labelOfTouched(
  { path, before, after }: FileVersions,
  parts: FileLabelRules,
): Promise<Label> {
  const sections = async (bytes: Uint8Array | null): Promise<readonly LabelledSection[]> => {
    if (bytes === null) return [];
    const { nodes, isWhole } = await nodesIn({ path, notes: parts.notes }, bytes);
    const text = orgTextOf(bytes);
    const unknown = isWhole ? bottomLabel : unknownTagsLabel;
    return (await labelNodes(nodes, parts)).map(({ begin, sectionEnd, label }) => ({
      section: text.slice(begin, sectionEnd),
      label: joinLabels(label, unknown),
    }));
  };
  const [old, now] = [await sections(before), await sections(after)];
  const count = new Map<string, number>();
  for (const { section } of old) count.set(section, (count.get(section) ?? 0) + 1);
  for (const { section } of now) count.set(section, (count.get(section) ?? 0) - 1);
  const isChanged = ({ section }: LabelledSection): boolean => count.get(section) !== 0;
  const [stay, here] = [old, now].map((all) => all.filter((one) => !isChanged(one)));
  const moved = (stay ?? []).filter(({ section }, at) => section !== here?.[at]?.section);
  const touched = [...[...old, ...now].filter(isChanged), ...moved];
  return joinAll(touched.map(({ label }) => label));
}

/**
 * The labels of the entries of an outline, by where each begins, and of its file at -1. `setupProblem`: why
 * not all setup files were read, if so; their tags are not known then.
 */
export async function labelsOfEntries(
  outline: Outline,
  rules: LabelRules,
  setupProblem: string | null,
): Promise<ReadonlyMap<number, Label>> {
  const read = await runInSlices(readNodesInSteps("a.org", outline));
  const nodes = await labelNodes(
    read.map(({ node }) => node),
    rules,
  );
  const unknown = setupProblem === null ? bottomLabel : unknownTagsLabel;
  return new Map(
    nodes.map(({ level, begin, label }) => [level === 0 ? -1 : begin, joinLabels(label, unknown)]),
  );
}

type LabelledSection = { readonly section: string; readonly label: Label };

/**
 * The origins to record for the nodes of a changed Org file, by the hashes of their words and of their
 * details (`originHashes`). New parts come from the added text and, where the file's label is as
 * restrictive, also from the parts of that kind that they replace. Parts that stay, and those that moved
 * here, keep their label, even if a privacy tag or an origin property was removed.
 */
export async function labelsToKeep(change: LabelledChange, parts: FileLabelRules): Promise<Labels> {
  const { path, before, after, movedFrom = null } = change;
  if (!isOrgFile(path)) return new Map();
  const place = { path, notes: parts.notes };
  const labelled = async (bytes: Uint8Array | null): Promise<readonly NoteNode[]> =>
    labelNodes(bytes === null ? [] : (await nodesIn(place, bytes)).nodes, parts);
  const [old, now, moved] = [await labelled(before), await labelled(after), await labelled(movedFrom)];
  const kept = new Map<string, Label>();
  const detailsOf = (node: NoteNode): readonly string[] => detailHashes(withoutArchiveMarks(node, moved));
  for (const partsOf of [wordsOf, detailsOf]) {
    const versions = { old: byPart(old, partsOf), now: byPart(now, partsOf), moved: byPart(moved, partsOf) };
    for (const [part, label] of labelsOfParts(versions, change)) kept.set(part, label);
  }
  return kept;
}

/**
 * A node without what archiving itself writes into an entry that moves. That is known by its value: it says
 * nothing that the entry, or the owner's own entries around it, did not say in the file that it came from.
 */
function withoutArchiveMarks(node: NoteNode, moved: readonly NoteNode[]): NoteNode {
  const { words, properties } = node;
  if (words === "" || !moved.some((from) => from.words === words)) return node;
  const around = moved.filter((from) => from.words === words || from.label.integrity === "user");
  const category = basename(properties["ARCHIVE_FILE"] ?? "").replace(/\.[^.]*$/, "");
  const isMark: Readonly<Record<string, (value: string) => boolean>> = {
    ARCHIVE_TIME: (value) => /^\d{4}-\d\d-\d\d \p{L}{1,12}\.? \d\d:\d\d$/u.test(value),
    ARCHIVE_FILE: (value) => /^[~/]\S{1,200}\.org$/.test(value),
    ARCHIVE_TODO: (value) => around.some(({ todo }) => todo === value),
    ARCHIVE_CATEGORY: (value) => value === category || around.some((from) => from.category === value),
    ARCHIVE_OLPATH: (value) => value.split("/").every((part) => around.some(({ title }) => title === part)),
    ARCHIVE_ITAGS: (value) => value.split(" ").every((tag) => around.some(({ tags }) => tags.includes(tag))),
  };
  const brought = Object.entries(properties).filter(([name, value]) => isMark[name]?.(value) !== true);
  return { ...node, properties: Object.fromEntries(brought) };
}

/**
 * The origins to record for nodes that something of ours made, by the hashes of their words and details. A
 * part that stood in the notes before keeps its label, and any other has that of what flowed there.
 */
export function partsToKeep(
  { old, now }: { readonly old: readonly NoteNode[]; readonly now: readonly NoteNode[] },
  flowing: Label,
): Labels {
  const kept = new Map<string, Label>();
  for (const partsOf of [wordsOf, detailHashes]) {
    const known = byPart(old, partsOf);
    for (const [part, label] of byPart(now, partsOf)) {
      const whole = known.get(part) ?? flowing;
      if (!isAsRestrictive(label, whole)) kept.set(part, whole);
    }
  }
  return kept;
}

type Labels = ReadonlyMap<string, Label>;
type Versions = { readonly old: Labels; readonly now: Labels; readonly moved: Labels };

function labelsOfParts(
  { old, now, moved }: Versions,
  { flowing, whole }: Pick<LabelledChange, "flowing" | "whole">,
): Labels {
  const gone = joinAll([...old].filter(([part]) => !now.has(part)).map(([, label]) => label));
  const brought = isAsRestrictive(whole, gone) ? joinLabels(flowing, gone) : flowing;
  const kept = new Map<string, Label>();
  for (const [part, label] of now) {
    const from = moved.get(part);
    const carried =
      from === undefined ? from : joinLabels(from, { ...bottomLabel, secrecy: brought.secrecy });
    const had = old.get(part) ?? carried;
    const isKnown = had === undefined ? isAsRestrictive(bottomLabel, brought) : isAsRestrictive(label, had);
    if (!isKnown) kept.set(part, had ?? brought);
  }
  return kept;
}

function wordsOf({ words }: NoteNode): readonly string[] {
  return words === "" ? [] : [words];
}

/**
 * The label of each part of each node. A part that is in several nodes has the least restrictive label, so
 * that a tag on one of them does not spread to the others.
 */
function byPart(nodes: readonly NoteNode[], partsOf: (node: NoteNode) => readonly string[]): Labels {
  const labels = new Map<string, Label>();
  for (const node of nodes) {
    for (const part of partsOf(node)) {
      const known = labels.get(part);
      if (known === undefined || isAsRestrictive(known, node.label)) labels.set(part, node.label);
    }
  }
  return labels;
}

/** True if the first label is at least as restrictive as the second. */
function isAsRestrictive(label: Label, other: Label): boolean {
  const { integrity, secrecy } = joinLabels(label, other);
  return integrity === label.integrity && secrecy === label.secrecy;
}

/** The text of bytes as a note has it, also of those in UTF-16. */
export function orgTextOf(bytes: Uint8Array): string {
  return decodeOrgText(asUtf8(bytes)).text;
}

/** The nodes that a file with these contents has at its place, where its setup files are found; whether all of those were read. */
export async function nodesIn(
  { path, notes }: { readonly path: string; readonly notes: NotesPlace },
  bytes: Uint8Array,
): Promise<{ readonly nodes: readonly NoteNode[]; readonly isWhole: boolean }> {
  const setup = openSetupFilesOfAny(path, notes);
  const outline = outlineOf(path, orgTextOf(bytes), setup);
  const read = await runInSlices(readNodesInSteps("a.org", outline));
  return { nodes: read.map(({ node }) => node), isWhole: setup.problem() === null };
}
