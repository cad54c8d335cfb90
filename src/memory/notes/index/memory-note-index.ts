import { integrityRank } from "../nodes/id-claims.ts";
import { merkleRoot } from "../nodes/note-hashes.ts";
import type { NoteFile, NoteNode, ParsedFile, ParsedNode } from "../nodes/note-node.ts";
import { nodeFingerprint } from "./node-fingerprint.ts";
import { encodeNodeBody } from "./node-rows.ts";
import type { NodeChanges, NoteIndex } from "./note-index.ts";

/** An index in memory, for tests and for a handful of files: simple, and slow where there are many. */
export function makeMemoryNoteIndex(): NoteIndex {
  const files = new Map<string, ParsedFile>();
  const sorted = (): readonly ParsedFile[] =>
    [...files.values()].toSorted((one, other) => compare(one.file.path, other.file.path));
  const change = (work: () => void): NodeChanges => {
    const before = prints(resolved(sorted()));
    work();
    return differences(before, prints(resolved(sorted())));
  };
  const nodes = (): readonly ParsedNode[] => resolved(sorted());
  return {
    files: async () => sorted().map(({ file }) => file),
    file: async (path) => files.get(path)?.file ?? null,
    replace: async (given) =>
      change(() => {
        for (const read of given) files.set(read.file.path, read);
      }),
    async touch(given) {
      for (const { path, size, modified, changed, inode } of given) {
        const known = files.get(path);
        if (known !== undefined) {
          files.set(path, { ...known, file: { ...known.file, size, modified, changed, inode } });
        }
      }
    },
    remove: async (paths) =>
      change(() => {
        for (const path of paths) files.delete(path);
      }),
    clear: async () => files.clear(),
    node: async (id) => nodes().find(({ node }) => node.id === id)?.node ?? null,
    claimants: async (id) => {
      const read = resolved(sorted());
      const keys = sorted().flatMap(({ nodes: own }) => own.map(({ node }) => node.id));
      return plain(read.filter((_, at) => keys[at] === id));
    },
    nodesInFile: async (path) => plain(nodes()).filter((node) => node.file === path),
    children: async (id) => plain(nodes()).filter((node) => node.parent === id),
    async *all() {
      yield* plain(nodes());
    },
    count: async () => nodes().length,
    countInFiles: async (paths) => nodes().filter(({ node }) => paths.includes(node.file)).length,
    async search(query, limit) {
      const words = wordsOf(query);
      return nodes()
        .map(({ node, searchFields }) => ({ id: node.id, score: scoreOf(words, searchFields) }))
        .filter(({ score }) => score > 0)
        .toSorted((one, other) => other.score - one.score)
        .slice(0, Math.max(0, limit));
    },
    stampsFor: async (from, to) =>
      nodes().flatMap(({ node: { id, file, begin, label, words, groups }, stamps }) =>
        stamps
          .filter(({ stamped }) => stamped.last >= from && stamped.first <= to)
          .map(({ stamped }) => ({
            ...{ node: id, file, begin, timestamp: stamped, label, words },
            ...(groups === undefined ? {} : { groups }),
          })),
      ),
    linksTo: async (type, target) =>
      nodes()
        .flatMap(({ node, links }) => links.map((link) => ({ ...link, node: node.id })))
        .filter((link) => link.type === type && link.target === target)
        .toSorted((one, other) => compare(one.node, other.node) || one.begin - other.begin),
    openNodesWithTag: async (tag) =>
      plain(nodes()).filter((node) => !node.done && node.localTags.includes(tag)),
    root: async () => merkleRoot(sorted().map(({ file }): NoteFile => file)),
    close: async () => undefined,
  };
}

function plain(nodes: readonly ParsedNode[]): readonly NoteNode[] {
  return nodes.map(({ node }) => node);
}

/** Gives each `:ID:` to the most trusted node that has it, of those to the first file. */
function resolved(files: readonly ParsedFile[]): readonly ParsedNode[] {
  const holders = new Map<string, { readonly file: string; readonly rank: number }>();
  for (const { node } of files.flatMap(({ nodes }) => nodes)) {
    const holder = holders.get(node.id);
    const rank = integrityRank(node.label);
    if (holder === undefined || rank < holder.rank) holders.set(node.id, { file: node.file, rank });
  }
  return files.flatMap(({ nodes }) => {
    const ids = new Map(
      nodes.map(
        ({ node, placeId }) =>
          [node.id, holders.get(node.id)?.file === node.file ? node.id : placeId] as const,
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

function prints(nodes: readonly ParsedNode[]): ReadonlyMap<string, string> {
  return new Map(nodes.map((read) => [read.node.id, nodeFingerprint(read, encodeNodeBody(read))] as const));
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
