import { makeEventLoopYield } from "../../../machine/yield-to-event-loop.ts";
import { readDenoteName } from "../../../notes/denote-name.ts";
import { integrityRank } from "../../../notes/id-claims.ts";
import { originHashes } from "../../../notes/note-hashes.ts";
import type { FoundStamp, NoteFile, NoteLink, NoteNode, ParsedFile } from "../../../notes/note-node.ts";
import { bottomLabel, joinAll, joinLabels, type Label } from "../../../signal/label.ts";
import type { TextOrigin } from "../../state/origins.ts";
import type { LabelBasis, NodeChanges, NodeFilter, NoteHit, NoteIndex } from "../index/note-index.ts";

/** What labels depend on besides the files. */
export type LabelRules = {
  /** Tags, in lower case, that make a text private. A group tag of such a name covers the members of its group. */
  readonly privacyTags: readonly string[];
  /** The recorded origins of texts, by the hashes of their words. */
  readonly originsOf: (hashes: readonly string[]) => Promise<ReadonlyMap<string, TextOrigin>>;
};

/** How many nodes are labelled before other tasks may run. */
const labelledAtOnce = 50;

/** How many nodes `all` labels at once. */
const batchSize = 500;

/** An index whose nodes and stamps have their complete label: from the text and its place, from its tags, and from the recorded origin of its words. */
export class LabelledIndex implements NoteIndex {
  readonly #index: NoteIndex;
  readonly #rules: LabelRules;

  constructor(index: NoteIndex, rules: LabelRules) {
    this.#index = index;
    this.#rules = rules;
  }

  /**
   * The node that an id means. Where several nodes have that `:ID:`, the plain index decides by the files alone. A recorded origin may lower the trust in
   * the node it chose; then the most trusted of the others is returned.
   */
  async resolveId(id: string): Promise<NoteNode | null> {
    const labelled = (await this.node(id)) ?? (await this.#nodeOfDenote(id));
    if (labelled === null || integrityRank(labelled.label) === 0) return labelled;
    const all = await this.claimants(id);
    return all.reduce(
      (best, node) => (integrityRank(node.label) < integrityRank(best.label) ? node : best),
      labelled,
    );
  }

  async node(id: string): Promise<NoteNode | null> {
    const node = await this.#index.node(id);
    return node === null ? null : ((await this.#label([node]))[0] ?? null);
  }

  async claimants(id: string): Promise<readonly NoteNode[]> {
    return this.#label(await this.#index.claimants(id));
  }

  async nodesInFile(path: string): Promise<readonly NoteNode[]> {
    return this.#label(await this.#index.nodesInFile(path));
  }

  async children(id: string | null): Promise<readonly NoteNode[]> {
    return this.#label(await this.#index.children(id));
  }

  async *all(): AsyncIterable<NoteNode> {
    let batch: NoteNode[] = [];
    for await (const node of this.#index.all()) {
      batch.push(node);
      if (batch.length < batchSize) continue;
      yield* await this.#label(batch);
      batch = [];
    }
    yield* await this.#label(batch);
  }

  async openNodesWithTag(tag: string): Promise<readonly NoteNode[]> {
    return this.#label(await this.#index.openNodesWithTag(tag));
  }

  async nodesWithAddress(): Promise<readonly NoteNode[]> {
    return this.#label(await this.#index.nodesWithAddress());
  }

  async nodesWithFolder(): Promise<readonly NoteNode[]> {
    return this.#label(await this.#index.nodesWithFolder());
  }

  async titledIn(text: string, limit: number): Promise<readonly NoteNode[]> {
    return this.#label(await this.#index.titledIn(text, limit));
  }

  async titled(words: string, limit: number): Promise<readonly NoteNode[]> {
    return this.#label(await this.#index.titled(words, limit));
  }

  async stampsFor(from: string, to: string): Promise<readonly FoundStamp[]> {
    const stamps = await this.#index.stampsFor(from, to);
    return labelInSlices(stamps, this.#rules, {
      hashesOf: ({ hashes }) => hashes,
      tagsOf: ({ timestamp: { headline } }) => [...headline.inheritedTags, ...headline.localTags],
    });
  }

  files(): Promise<readonly NoteFile[]> {
    return this.#index.files();
  }
  file(path: string): Promise<NoteFile | null> {
    return this.#index.file(path);
  }
  filesWithSetup(): Promise<readonly NoteFile[]> {
    return this.#index.filesWithSetup();
  }
  replace(files: readonly ParsedFile[]): Promise<NodeChanges> {
    return this.#index.replace(files);
  }
  touch(files: readonly NoteFile[]): Promise<void> {
    return this.#index.touch(files);
  }
  remove(paths: readonly string[]): Promise<NodeChanges> {
    return this.#index.remove(paths);
  }
  clear(): Promise<void> {
    return this.#index.clear();
  }
  count(): Promise<number> {
    return this.#index.count();
  }
  countInFiles(paths: readonly string[]): Promise<number> {
    return this.#index.countInFiles(paths);
  }
  search(query: string, limit: number, filter: NodeFilter | null = null): Promise<readonly NoteHit[]> {
    if (filter === null) return this.#index.search(query, limit);
    return this.#index.search(query, limit, async (nodes) => filter(await labelNodes(nodes, this.#rules)));
  }
  linksTo(type: string, target: string): Promise<readonly NoteLink[]> {
    return this.#index.linksTo(type, target);
  }
  root(): Promise<string> {
    return this.#index.root();
  }
  close(): Promise<void> {
    return this.#index.close();
  }

  /** The note whose file has this identifier in its name, and an `:ID:` of its own. */
  async #nodeOfDenote(id: string): Promise<NoteNode | null> {
    if (readDenoteName(id)?.id !== id) return null;
    const file = (await this.#index.files()).find(({ path }) => readDenoteName(path)?.id === id);
    return file === undefined ? null : ((await this.nodesInFile(file.path))[0] ?? null);
  }

  #label(nodes: readonly NoteNode[]): Promise<readonly NoteNode[]> {
    return labelNodes(nodes, this.#rules);
  }
}

/** Nodes with their whole labels. */
export function labelNodes<Node extends LabelBasis>(
  nodes: readonly Node[],
  rules: LabelRules,
): Promise<readonly Node[]> {
  return labelInSlices(nodes, rules, { hashesOf: originHashes, tagsOf: ({ tags }) => tags });
}

/** Texts with their whole labels; other tasks run in between. */
async function labelInSlices<Part extends Pick<LabelBasis, "label" | "groups">>(
  parts: readonly Part[],
  rules: LabelRules,
  {
    hashesOf,
    tagsOf,
  }: {
    readonly hashesOf: (part: Part) => readonly string[];
    readonly tagsOf: (part: Part) => readonly string[];
  },
): Promise<readonly Part[]> {
  const yieldToEventLoop = makeEventLoopYield();
  const labelled: Part[] = [];
  for (let from = 0; from < parts.length; from += labelledAtOnce) {
    const some = parts.slice(from, from + labelledAtOnce);
    const hashes = some.map(hashesOf);
    const origins = await rules.originsOf(hashes.flat());
    for (const [index, part] of some.entries()) {
      const { label, groups } = part;
      const basis = { label, tags: tagsOf(part), ...(groups === undefined ? {} : { groups }) };
      labelled.push({ ...part, label: labelOf(basis, rules, originsIn(origins, hashes[index] ?? [])) });
    }
    await yieldToEventLoop();
  }
  return labelled;
}

/** The origins of the parts of an entry, and whether the owner trusts its words, whose hash comes first. */
type PartOrigins = { readonly origins: readonly TextOrigin[]; readonly isTrusted: boolean };

function originsIn(origins: ReadonlyMap<string, TextOrigin>, hashes: readonly string[]): PartOrigins {
  const [words = ""] = hashes;
  return {
    origins: hashes.flatMap((hash) => origins.get(hash) ?? []),
    isTrusted: origins.get(words)?.trusted === true,
  };
}

/**
 * A part of an entry that is not the owner's own makes the whole entry so. The owner's trust is in the parts
 * that the entry had then; other entries of its title may have some of them, but not its words.
 */
function labelOf(
  { label, tags, groups = [] }: Pick<NoteNode, "label" | "tags" | "groups">,
  { privacyTags }: LabelRules,
  { origins, isTrusted }: PartOrigins,
): Label {
  const isPrivate = [...tags, ...groups].some((tag) => privacyTags.includes(tag.toLowerCase()));
  const tagged: Label = isPrivate ? joinLabels(label, { ...bottomLabel, secrecy: "private" }) : label;
  const base: Label = isTrusted ? { ...tagged, integrity: "user" } : tagged;
  return joinAll([
    base,
    ...origins.map(({ label: from, trusted }): Label => (trusted ? { ...from, integrity: "user" } : from)),
  ]);
}
