import { createHash } from "node:crypto";
import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import {
  checkSuccess,
  git,
  ifThere,
  isMissing,
  linesOf,
  mostObjects,
  parseBatch,
  type Repository,
} from "./git-objects.ts";
import {
  type LooseObject,
  listObjects,
  looseFile,
  type ObjectListing,
  readAdded,
  readLoose,
} from "./loose-objects.ts";

type IsSecretPath = (path: string) => boolean;

/** What is known of the blobs of a repository that its trees or its index have under secret names. */
export type SecretBlobs = {
  readonly ids: Set<string>;
  readonly trees: Set<string>;
  /** What the repository kept when all of it had been looked at; null where that is not known. */
  listing: ObjectListing | null;
  tips: readonly string[];
  /** What secret files that are there were when they were looked at, and what names git would give them. */
  readonly files: Map<string, string>;
  readonly present: Set<string>;
};

/** Bytes. */
const largestFile = 2_000_000;
const mostFiles = 2_000;

/**
 * Notes by what names git would have secret files that are there: nothing names one any more that was staged
 * and taken out again. Gives whether there are other names.
 */
export async function learnPresent(paths: readonly string[], known: SecretBlobs): Promise<boolean> {
  const before = known.present.size;
  for (const path of paths.slice(0, mostFiles)) {
    const status = await ifThere(lstat(path), null);
    if (status?.isFile() !== true || status.size > largestFile) continue;
    const stamp = `${status.mtimeMs} ${status.ctimeMs} ${status.size}`;
    if (known.files.get(path) === stamp) continue;
    const bytes = await ifThere(readFile(path), null);
    if (bytes === null || bytes.length === 0) continue;
    known.files.set(path, stamp);
    const inLines = Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
    for (const form of [bytes, inLines])
      for (const algorithm of ["sha1", "sha256"])
        known.present.add(createHash(algorithm).update(`blob ${form.length}\0`).update(form).digest("hex"));
  }
  return known.present.size > before;
}

/** How many names below each tree are put together, since a place such as `.config/gh` has several. */
const mostNames = 4;

/**
 * Finds the blobs that came to a repository under secret names since it was looked at last, also in trees
 * that no commit names any more. Throws where git fails or takes too long.
 */
export async function findSecretBlobs(
  repository: Repository,
  isSecretPath: IsSecretPath,
  known: SecretBlobs,
): Promise<void> {
  for (const folder of await indexedIn(repository.folder))
    for (const entry of await listed(git({ ...repository, folder }, ["ls-files", "-s", "-z"]))) {
      const [about = "", name = ""] = entry.split("\t");
      if (isSecretPath(`/${name}`)) known.ids.add(about.split(" ")[1] ?? "");
    }
  const listing = await listObjects(repository.folder);
  const added = await readAdded(repository.folder, known.listing, listing);
  const isMany = added === null && (await countObjects(repository)) > mostObjects;
  const isWhole = await (isMany ? lookAtCommits : lookAtTrees)({ ...repository, added }, isSecretPath, known);
  known.listing = isWhole ? listing : null;
  await findUnnamed(repository, known);
}

async function countObjects(repository: Repository): Promise<number> {
  const counted = await linesOf(git(repository, ["count-objects", "-v"]));
  return counted.reduce((sum, line) => sum + Number(/^(?:count|in-pack): (\d+)/.exec(line)?.[1] ?? 0), 0);
}

/**
 * What is there under a secret name as well may be an ordinary file under another: only what nothing names
 * counts.
 */
async function findUnnamed(repository: Repository, known: SecretBlobs): Promise<void> {
  const asked = known.present.difference(known.ids);
  if (asked.size === 0) return;
  const checker = git(repository, ["cat-file", "--batch-check"], "pipe");
  checker.stdin?.on("error", () => undefined);
  checker.stdin?.end([...asked].map((id) => `${id}\n`).join(""));
  const kept = (await linesOf(checker)).map((line) => line.split(" ")).filter(([, type]) => type === "blob");
  if (kept.length === 0) return;
  const all = [
    "rev-list",
    "--objects",
    "--no-object-names",
    "--missing=allow-any",
    "--all",
    "--reflog",
    "--indexed-objects",
  ];
  const named = new Set(await linesOf(git(repository, all)));
  for (const [id = ""] of kept)
    if (named.has(id)) known.present.delete(id);
    else known.ids.add(id);
}

/** The folders with the index of the work tree, and with those of linked work trees. */
async function indexedIn(folder: string): Promise<readonly string[]> {
  const linked = await ifThere(readdir(join(folder, "worktrees")), []);
  const folders = [folder, ...linked.map((name) => join(folder, "worktrees", name))];
  const indexes = await Promise.all(folders.map((own) => ifThere(lstat(join(own, "index")), null)));
  return folders.filter((_, at) => indexes[at] !== null);
}

/** What ends with a NUL in the output of a program. */
async function listed(child: ReturnType<typeof git>): Promise<readonly string[]> {
  return (await linesOf(child)).join("\n").split("\0");
}

/**
 * By the paths of all objects that commits and logs name; only those that were added since the last look.
 * Gives false: other objects were not looked at.
 */
async function lookAtCommits(
  repository: Repository,
  isSecretPath: IsSecretPath,
  known: SecretBlobs,
): Promise<boolean> {
  const all = ["--all", "--reflog"];
  const tips = await linesOf(git(repository, ["rev-list", "--no-walk", ...all]));
  const list = git(repository, ["rev-list", "--objects", ...all, "--stdin"], "pipe");
  list.stdin?.on("error", () => undefined);
  list.stdin?.end(known.tips.map((tip) => `^${tip}\n`).join(""));
  for (const line of await linesOf(list)) {
    const [id = "", ...name] = line.split(" ");
    if (name.length > 0 && isSecretPath(`/${name.join(" ")}`)) known.ids.add(id);
  }
  known.tips = tips;
  return false;
}

type Entry = { readonly id: string; readonly name: string; readonly isTree: boolean };
type Level = readonly { readonly id: string; readonly path: string; readonly isSecret: boolean }[];

/** A repository with the objects that came to it; null where all of its objects are looked through. */
type AddedTo = Repository & { readonly added: readonly LooseObject[] | null };

/**
 * By the names in all trees. Whether a path is secret is asked for each tree as if it were the root. Gives
 * whether all objects could be read: the file of one that could not may become whole later.
 */
async function lookAtTrees(
  repository: AddedTo,
  isSecretPath: IsSecretPath,
  known: SecretBlobs,
): Promise<boolean> {
  const added = repository.added?.filter(({ type }) => type === "tree");
  const lines = added === undefined ? await allObjects(repository) : [];
  const trees = (added?.map(({ id }) => id) ?? treesIn(lines)).filter((id) => !known.trees.has(id));
  const entries = new Map(added?.map(({ id, bytes }) => [id, entriesIn(bytes, id.length / 2)] as const));
  const visited = new Set<string>();
  let level: Level = trees.map((id) => ({ id, path: "", isSecret: false }));
  for (let depth = 1; level.length > 0; depth += 1) {
    await loadTrees(
      repository,
      level.map(({ id }) => id),
      entries,
    );
    const next: Level[number][] = [];
    for (const [at, tree] of level.entries()) {
      // Others work in between.
      if (at % 100 === 0) await setImmediate();
      for (const { id, name, isTree } of entries.get(tree.id) ?? []) {
        const path = `${tree.path}/${name}`;
        const isSecret = tree.isSecret || isSecretPath(path);
        const place = `${id} ${isSecret ? "" : path}`;
        if (!isTree && isSecret) known.ids.add(id);
        if (!isTree || visited.has(place) || (depth >= mostNames && !isSecret)) continue;
        visited.add(place);
        next.push({ id, path, isSecret });
      }
    }
    level = next;
  }
  const read = trees.filter((id) => entries.has(id));
  for (const id of read) known.trees.add(id);
  return read.length === trees.length && !lines.some(isMissing);
}

async function allObjects(repository: Repository): Promise<readonly string[]> {
  const check = [
    "cat-file",
    "--batch-all-objects",
    "--unordered",
    "--batch-check=%(objectname) %(objecttype)",
  ];
  return linesOf(git(repository, check));
}

function treesIn(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => line.endsWith(" tree")).map((line) => line.split(" ")[0] ?? "");
}

/** Trees below others, of those that came, are read here where they are few. */
const mostReadHere = 100;

async function loadTrees(
  repository: AddedTo,
  ids: readonly string[],
  entries: Map<string, readonly Entry[]>,
): Promise<void> {
  let wanted = [...new Set(ids)].filter((id) => !entries.has(id));
  if (repository.added !== null && wanted.length <= mostReadHere) {
    for (const id of wanted) {
      const tree = await readLoose(looseFile(repository.folder, id), id);
      if (tree?.type === "tree") entries.set(id, entriesIn(tree.bytes, id.length / 2));
    }
    wanted = wanted.filter((id) => !entries.has(id));
  }
  if (wanted.length === 0) return;
  const reader = git(repository, ["cat-file", "--batch"], "pipe");
  reader.stdin?.on("error", () => undefined);
  reader.stdin?.end(`${wanted.join("\n")}\n`);
  for await (const { id, bytes } of parseBatch(reader)) entries.set(id, entriesIn(bytes, id.length / 2));
  checkSuccess(reader);
}

/** The entries of a tree: each a mode, a blank, a name, a NUL and an id of so many bytes. */
function entriesIn(bytes: Buffer, idBytes: number): readonly Entry[] {
  const found: Entry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [blank, end] = [bytes.indexOf(" ", at), bytes.indexOf(0, at)];
    if (blank < 0 || end < 0) break;
    found.push({
      id: bytes.toString("hex", end + 1, end + 1 + idBytes),
      name: bytes.toString("utf8", blank + 1, end),
      isTree: bytes.toString("latin1", at, blank).replace(/^0/, "") === "40000",
    });
    at = end + 1 + idBytes;
  }
  return found;
}
