import { decodeOrgText, scanOutline } from "#org";
import { bottomLabel, joinLabels, type Label } from "../../../signal/label.ts";
import { isOrgFile } from "../nodes/is-org-file.ts";
import type { NoteNode } from "../nodes/note-node.ts";
import { readNodes } from "../nodes/read-nodes.ts";
import { type LabelRules, labelNodes, labelOfNodes } from "./labelled-index.ts";

/** The label of an Org file by what stands in it: its tags, what is or was encrypted, and where its nodes' words came from. That of any other file is the neutral one. */
export async function labelOfFile(path: string, bytes: Uint8Array, parts: LabelRules): Promise<Label> {
  return isOrgFile(path) ? labelOfNodes(nodesIn(bytes), parts) : bottomLabel;
}

/** The label of an Org file that was not looked into: the most careful one. */
export const unreadFileLabel: Label = joinLabels(bottomLabel, {
  integrity: "untrusted",
  secrecy: "secret",
  sources: [],
});

/** What a change makes of a file. `flowing` is the label of what it brings, `whole` that of all that the file holds then. */
export type LabelledChange = {
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array;
  readonly flowing: Label;
  readonly whole: Label;
};

/**
 * What is to be remembered of where the nodes' words of a changed Org file came from, by their hashes. New words come from what was brought and, where the
 * file as a whole does too, from the nodes that they stand instead of; words that stay keep the label that they had, whatever mark was taken from them.
 */
export async function labelsToKeep(change: LabelledChange, parts: LabelRules): Promise<Labels> {
  const { path, before, after, flowing, whole } = change;
  if (!isOrgFile(path)) return new Map();
  const old = byWords(await labelNodes(before === null ? [] : nodesIn(before), parts));
  const now = byWords(await labelNodes(nodesIn(after), parts));
  const gone = joinLabels(
    bottomLabel,
    ...[...old].filter(([words]) => !now.has(words)).map(([, label]) => label),
  );
  const brought = covers(whole, gone) ? joinLabels(flowing, gone) : flowing;
  const kept = new Map<string, Label>();
  for (const [words, label] of now) {
    const had = old.get(words);
    const isKnown = had === undefined ? covers(bottomLabel, brought) : covers(label, had);
    if (words !== "" && !isKnown) kept.set(words, had ?? brought);
  }
  return kept;
}

type Labels = ReadonlyMap<string, Label>;

/** The label of each words; of those that stand in several nodes the least careful one, so that a mark on one of them says nothing of the others. */
function byWords(nodes: readonly NoteNode[]): Labels {
  const labels = new Map<string, Label>();
  for (const { words, label } of nodes) {
    const known = labels.get(words);
    if (known === undefined || covers(known, label)) labels.set(words, label);
  }
  return labels;
}

/** True where the first label is at least as careful as the second. */
function covers(label: Label, other: Label): boolean {
  const { integrity, secrecy } = joinLabels(label, other);
  return integrity === label.integrity && secrecy === label.secrecy;
}

function nodesIn(bytes: Uint8Array): readonly NoteNode[] {
  return readNodes("a.org", scanOutline(decodeOrgText(bytes).text)).map(({ node }) => node);
}
