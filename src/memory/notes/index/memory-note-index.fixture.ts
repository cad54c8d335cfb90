import { integrityRank } from "../../../notes/id-claims.ts";
import { merkleRoot, originHashes } from "../../../notes/note-hashes.ts";
import type {
  FoundStamp,
  NoteFile,
  NoteLink,
  NoteNode,
  ParsedFile,
  ParsedNode,
} from "../../../notes/note-node.ts";
import { nodeFingerprint } from "./node-fingerprint.ts";
import { compareClaims, encodeNodeBody, type IdClaim } from "./node-rows.ts";
import type { NodeChanges, NoteHit, NoteIndex } from "./note-index.ts";

/** An index in memory, for tests and for a handful of files: simple, and slow for many. */
export class MemoryNoteIndex implements NoteIndex {
  readonly #files = new Map<string, ParsedFile>();

  async files(): Promise<readonly NoteFile[]> {
    return this.#sorted().map(({ file }) => file);
  }

  async file(path: string): Promise<NoteFile | null> {
    return this.#files.get(path)?.file ?? null;
  }

  async filesWithSetup(): Promise<readonly NoteFile[]> {
    return (await this.files()).filter(({ setup }) => setup.includes("/"));
  }

  async replace(files: readonly ParsedFile[]): Promise<NodeChanges> {
    return this.#change(() => {
      for (const parsed of files) this.#files.set(parsed.file.path, parsed);
    });
  }

  async touch(files: readonly NoteFile[]): Promise<void> {
    for (const { path, size, modified, changed, inode } of files) {
      const known = this.#files.get(path);
      if (known !== undefined) {
        this.#files.set(path, { ...known, file: { ...known.file, size, modified, changed, inode } });
      }
    }
  }

  async remove(paths: readonly string[]): Promise<NodeChanges> {
    return this.#change(() => {
      for (const path of paths) this.#files.delete(path);
    });
  }

  async clear(): Promise<void> {
    this.#files.clear();
  }

  async node(id: string): Promise<NoteNode | null> {
    return this.#nodes().find(({ node }) => node.id === id)?.node ?? null;
  }

  async claimants(id: string): Promise<readonly NoteNode[]> {
    const keys = this.#sorted().flatMap(({ nodes }) => nodes.map(({ node }) => node.id));
    return plain(this.#nodes().filter((_, at) => keys[at] === id));
  }

  async nodesInFile(path: string): Promise<readonly NoteNode[]> {
    return plain(this.#nodes()).filter((node) => node.file === path);
  }

  async children(id: string | null): Promise<readonly NoteNode[]> {
    return plain(this.#nodes()).filter((node) => node.parent === id);
  }

  async *all(): AsyncIterable<NoteNode> {
    yield* plain(this.#nodes());
  }

  async count(): Promise<number> {
    return this.#nodes().length;
  }

  async countInFiles(paths: readonly string[]): Promise<number> {
    return this.#nodes().filter(({ node }) => paths.includes(node.file)).length;
  }

  async search(query: string, limit: number): Promise<readonly NoteHit[]> {
    const words = wordsOf(query);
    return this.#nodes()
      .map(({ node, searchFields }) => ({
        id: node.id,
        score: scoreOf(words, searchFields),
        relevance: 1,
        isContext: false,
      }))
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, Math.max(0, limit));
  }

  async stampsFor(from: string, to: string): Promise<readonly FoundStamp[]> {
    return this.#nodes().flatMap(({ node, stamps }) =>
      stamps
        .filter(({ stamped }) => stamped.last >= from && stamped.first <= to)
        .map(({ stamped }) => ({
          node: node.id,
          file: node.file,
          begin: node.begin,
          timestamp: stamped,
          label: node.label,
          hashes: originHashes(node),
          ...(node.groups === undefined ? {} : { groups: node.groups }),
        })),
    );
  }

  async linksTo(type: string, target: string): Promise<readonly NoteLink[]> {
    return this.#nodes()
      .flatMap(({ node, links }) => links.map((link) => ({ ...link, node: node.id })))
      .filter((link) => link.type === type && link.target === target)
      .toSorted((one, other) => compare(one.node, other.node) || one.begin - other.begin);
  }

  async openNodesWithTag(tag: string): Promise<readonly NoteNode[]> {
    return plain(this.#nodes()).filter((node) => !node.done && node.localTags.includes(tag));
  }

  async nodesWithAddress(): Promise<readonly NoteNode[]> {
    return plain(this.#nodes()).filter(({ properties }) =>
      ["EMAIL", "PHONE", "IBAN"].some((name) => properties[name] !== undefined),
    );
  }

  async nodesWithFolder(): Promise<readonly NoteNode[]> {
    return plain(this.#nodes()).filter(({ properties }) =>
      ["DIR", "ATTACH_DIR"].some((name) => properties[name] !== undefined),
    );
  }

  async titledIn(text: string, limit: number): Promise<readonly NoteNode[]> {
    const words = text.toLowerCase();
    return plain(this.#nodes())
      .filter(({ title }) => title !== "" && words.includes(title.toLowerCase()))
      .toSorted((one, other) => other.title.length - one.title.length || compare(one.id, other.id))
      .slice(0, limit);
  }

  async titled(words: string, limit: number): Promise<readonly NoteNode[]> {
    const wanted = words.toLowerCase();
    const place = ({ title }: NoteNode): number => title.toLowerCase().indexOf(wanted);
    return plain(this.#nodes())
      .filter((node) => place(node) >= 0)
      .toSorted(
        (one, other) =>
          Math.min(place(one), 1) - Math.min(place(other), 1) ||
          one.title.length - other.title.length ||
          compare(one.id, other.id),
      )
      .slice(0, limit);
  }

  async root(): Promise<string> {
    return merkleRoot(this.#sorted().map(({ file }) => file));
  }

  async close(): Promise<void> {}

  #sorted(): readonly ParsedFile[] {
    return [...this.#files.values()].toSorted((one, other) => compare(one.file.path, other.file.path));
  }

  #nodes(): readonly ParsedNode[] {
    return resolveIds(this.#sorted());
  }

  #change(work: () => void): NodeChanges {
    const before = fingerprints(this.#nodes());
    work();
    return differences(before, fingerprints(this.#nodes()));
  }
}

function plain(nodes: readonly ParsedNode[]): readonly NoteNode[] {
  return nodes.map(({ node }) => node);
}

/** Gives each `:ID:` to the node with the best claim. */
function resolveIds(files: readonly ParsedFile[]): readonly ParsedNode[] {
  const holders = new Map<string, IdClaim>();
  for (const { node, placeId } of files.flatMap(({ nodes }) => nodes)) {
    const holder = holders.get(node.id);
    const claim = { path: node.file, placeId, rank: integrityRank(node.label) };
    if (holder === undefined || compareClaims(claim, holder) < 0) holders.set(node.id, claim);
  }
  return files.flatMap(({ nodes }) => {
    const ids = new Map(
      nodes.map(
        ({ node, placeId }) =>
          [node.id, holders.get(node.id)?.path === node.file ? node.id : placeId] as const,
      ),
    );
    const idOf = (key: string): string => ids.get(key) ?? key;
    return nodes.map((read) => ({
      ...read,
      node: {
        ...read.node,
        id: idOf(read.node.id),
        parent: read.node.parent === null ? null : idOf(read.node.parent),
      },
    }));
  });
}

function fingerprints(nodes: readonly ParsedNode[]): ReadonlyMap<string, string> {
  return new Map(
    nodes.map((read) => [read.node.id, nodeFingerprint(read, encodeNodeBody(read.node))] as const),
  );
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): NodeChanges {
  return {
    added: [...after.keys()].filter((id) => !before.has(id)),
    changed: [...after].filter(([id, print]) => before.has(id) && before.get(id) !== print).map(([id]) => id),
    removed: [...before.keys()].filter((id) => !after.has(id)),
  };
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []);
}

function scoreOf(words: ReadonlySet<string>, searched: ParsedNode["searchFields"]): number {
  const title = wordsOf(searched.title);
  const rest = wordsOf([searched.text, searched.tags, searched.properties].join(" "));
  return [...words].reduce((score, word) => score + (title.has(word) ? 3 : 0) + (rest.has(word) ? 1 : 0), 0);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
