import { bottomLabel, joinLabels, type Label } from "../../../signal/label.ts";
import type { TextOrigin } from "../../state/origins.ts";
import type { NoteIndex } from "../index/note-index.ts";
import { integrityRank } from "../nodes/id-claims.ts";
import type { FoundStamp, NoteNode } from "../nodes/note-node.ts";

/** What labels depend on beside the files. */
export type LabelRules = {
  /** Tags, in any case, under which a text is private; so it is under the members of a group of that name. */
  readonly privacyTags: readonly string[];
  /** What is remembered of where words came from, by their hashes. */
  readonly originsOf: (hashes: readonly string[]) => Promise<ReadonlyMap<string, TextOrigin>>;
};

/** An index with whole labels. */
export type LabelledIndex = NoteIndex & {
  /**
   * The node that somebody means by an id. Where several have that `:ID:`, the index goes by what stands in the files; where words came from may be
   * remembered besides, so that this may be another node than the one that has it for its id.
   */
  readonly resolveId: (id: string) => Promise<NoteNode | null>;
};

/** An index whose nodes and stamps have their whole label: that of the text and its place, of its tags, and of where its words came from. */
export function makeLabelledIndex(index: NoteIndex, parts: LabelRules): LabelledIndex {
  const label = (nodes: readonly NoteNode[]): Promise<readonly NoteNode[]> => labelNodes(nodes, parts);
  return {
    ...index,
    async node(id) {
      const node = await index.node(id);
      return node === null ? null : ((await label([node]))[0] ?? null);
    },
    async resolveId(id) {
      const node = await index.node(id);
      const [labelled = null] = node === null ? [] : await label([node]);
      if (labelled === null || integrityRank(labelled.label) === 0) return labelled;
      const all = await label(await index.claimants(id));
      return all.reduce(
        (best, one) => (integrityRank(one.label) < integrityRank(best.label) ? one : best),
        labelled,
      );
    },
    claimants: async (id) => label(await index.claimants(id)),
    nodesInFile: async (path) => label(await index.nodesInFile(path)),
    children: async (id) => label(await index.children(id)),
    async *all() {
      let batch: NoteNode[] = [];
      for await (const node of index.all()) {
        batch.push(node);
        if (batch.length < 500) continue;
        yield* await label(batch);
        batch = [];
      }
      yield* await label(batch);
    },
    openNodesWithTag: async (tag) => label(await index.openNodesWithTag(tag)),
    async stampsFor(from, to) {
      const stamps = await index.stampsFor(from, to);
      const origins = await parts.originsOf(stamps.map(({ words }) => words));
      return stamps.map((stamp): FoundStamp => {
        const { inheritedTags, localTags } = stamp.timestamp.headline;
        const tags = [...inheritedTags, ...localTags];
        return { ...stamp, label: labelOf({ ...stamp, tags }, parts, origins.get(stamp.words)) };
      });
    },
  };
}

/** Nodes with their whole labels. */
export async function labelNodes(
  nodes: readonly NoteNode[],
  parts: LabelRules,
): Promise<readonly NoteNode[]> {
  const origins = await parts.originsOf(nodes.map(({ words }) => words));
  return nodes.map((node) => ({ ...node, label: labelOf(node, parts, origins.get(node.words)) }));
}

/** The label of all nodes of a text together. */
export async function labelOfNodes(nodes: readonly NoteNode[], parts: LabelRules): Promise<Label> {
  return joinLabels(bottomLabel, ...(await labelNodes(nodes, parts)).map(({ label }) => label));
}

function labelOf(
  { label, tags, groups = [] }: Pick<NoteNode, "label" | "tags" | "groups">,
  { privacyTags }: LabelRules,
  origin: TextOrigin | undefined,
): Label {
  const isPrivate = [...tags, ...groups].some((tag) => privacyTags.includes(tag.toLowerCase()));
  const tagged: Label = isPrivate ? joinLabels(label, { ...bottomLabel, secrecy: "private" }) : label;
  if (origin === undefined) return tagged;
  const joined = joinLabels(tagged, origin.label);
  return origin.trusted ? { ...joined, integrity: "user" } : joined;
}
