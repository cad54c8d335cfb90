import { createHash } from "node:crypto";
import { createReadStream, existsSync, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import type { WritePath } from "../../signal/effect.ts";
import { executedLaterRule } from "../../signal/executed-later/executed-later.ts";
import { executedLaterContents } from "../../signal/executed-later/later-change.ts";
import { shadowedModule } from "../../signal/executed-later/python-modules.ts";
import { bytesOfPath } from "../files/byte-names.ts";
import { checkedOut, readBounded, textIn, workTreeOf } from "./checked-out.ts";
import { afterwards, type Difference, type Exchange, statusOf } from "./difference.ts";
import type { DifferenceJudging } from "./difference-effects.ts";
import { type IndexFile, indexFiles } from "./index-entries.ts";
import { emptyTrees, refsOf, repositoryOf } from "./lost-commits.ts";
import { TooLarge } from "./measure.ts";
import { type History, openHistory } from "./repository-history.ts";
import { textOf } from "./text-of.ts";

/** A file as git has it. */
type GitFile = Omit<IndexFile, "isHidden">;
type At = (path: string) => string | null;
type Judging = Pick<DifferenceJudging, "overlay" | "label">;

/** So many files that only git has are named and looked into. */
const mostNamed = 200;
/** Bytes. A larger file is not looked into. */
const largest = 2_000_000;
const kinds = { bits: 0o170000, link: 0o120000, repository: 0o160000 };

/**
 * The effects on files that a command put into an index or into what is checked out, and that the work tree
 * had neither before nor after it: git writes them there later, and whoever gets the commit runs them. Each
 * that would be executed later is judged as if it were written; so is one that git is told not to look at any
 * more. Throws `TooLarge` where that cannot be read.
 */
export async function unseenEffects(
  { exchanges }: Pick<Difference, "exchanges">,
  judging: Judging,
): Promise<readonly WritePath[]> {
  const at = afterwards(exchanges);
  const found = new Map<string, WritePath>();
  const add = (target: string, why: string): void => {
    if (!found.has(target)) found.set(target, write(target, why, judging));
  };
  for (const own of await checkouts(exchanges)) {
    const [root, index] = [await workTreeOf(own), await changedIndex(own, at)];
    for (const name of index.hidden) add(join(root, name), "git would not see changes of it any more");
    const moved = await movedCommit(own, at);
    const idLength = (moved.now ?? index.staged[0]?.id)?.length ?? 40;
    await using git = await openHistory(moved.repository, idLength, judging.overlay);
    for (const file of await newFiles(git, index.staged, moved)) {
      const target = join(root, file.name);
      if (found.has(target) || (await isInWorkTree(target, file, at))) continue;
      const why = await laterRule(target, file, { git, judging });
      if (why !== null) add(target, `${why}; only git has it so, and the work tree does not`);
      if (found.size < mostNamed) continue;
      add(root, `git would have more than ${mostNamed} such files that the work tree does not have`);
      return [...found.values()];
    }
  }
  return [...found.values()];
}

/** The folders whose index or `HEAD` may say something else now: those of repositories and of their linked work trees. */
async function checkouts(exchanges: readonly Exchange[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const { path } of exchanges) {
    const repository = await repositoryOf(path);
    if (repository === null || !/\/\.git(?:\/modules\/.+)?$/.test(repository)) continue;
    if (/^(?:objects|logs|hooks|info)(?:\/|$)/.test(relative(repository, path))) continue;
    found.add(repository);
    const linked = join(repository, "worktrees");
    if (existsSync(linked)) for (const name of readdirSync(linked)) found.add(join(linked, name));
  }
  return found;
}

type ChangedIndex = { readonly staged: readonly GitFile[]; readonly hidden: readonly string[] };

/** What an index lists otherwise than before. One that is kept in two parts is not read. */
async function changedIndex(own: string, at: At): Promise<ChangedIndex> {
  const place = join(own, "index");
  const [before, after] = [await filesIn(place), at(place) === place ? [] : await filesIn(at(place))];
  if (before === null && after === null) return { staged: [], hidden: [] };
  if (before === null || after === null) throw new TooLarge(`${place} cannot be read`);
  const known = new Map(before.map((file) => [file.name, file]));
  const staged = after.filter((file) => !isSame(known.get(file.name), file));
  const hidden = after.filter(({ name, isHidden }) => isHidden && known.get(name)?.isHidden === false);
  return { staged, hidden: hidden.map(({ name }) => name) };
}

async function filesIn(index: string | null): Promise<readonly IndexFile[] | null> {
  if (index === null || (await statusOf(index)) === null) return [];
  return indexFiles(await readBounded(index));
}

function isSame(one: GitFile | undefined, other: GitFile): boolean {
  return one?.id === other.id && one.mode === other.mode;
}

type MovedCommit = {
  readonly repository: string;
  /** What is checked out; null for nothing yet. */
  readonly was: string | null;
  readonly now: string | null;
  /** All that the branches and tags named before. */
  readonly before: readonly string[];
};

async function movedCommit(own: string, at: At): Promise<MovedCommit> {
  const shared = await textIn(join(own, "commondir"));
  const repository = shared === null ? own : resolve(own, shared.trim());
  const was = await checkedOut({ own, repository, at: (path) => path });
  const now = await checkedOut({ own, repository, at });
  const refs = await refsOf(repository);
  if (refs === null) throw new TooLarge(`${repository} has too many branches and tags`);
  return { repository, was, now, before: [...refs.values(), ...(was === null ? [] : [was])] };
}

/** The files of a commit that was made, and those of an index that are not in a commit from before that is checked out. */
async function newFiles(
  git: History,
  staged: readonly GitFile[],
  { repository, was, now, before }: MovedCommit,
): Promise<readonly GitFile[]> {
  const said = async (args: readonly string[], input?: readonly string[]): Promise<string> => {
    const found = await git.run(args, input);
    if (found === null) throw new TooLarge(`the commits of ${repository} cannot be read`);
    return found;
  };
  if (now === null || (now === was && staged.length === 0)) return staged;
  const others = before.map((id) => `^${id}`);
  const isOld = (await said(["rev-list", "--count", "--max-count=1", "--stdin"], [now, ...others])) === "0\n";
  if (isOld) {
    if (staged.length === 0) return [];
    const tree = new Map(
      entriesIn(await said(["ls-tree", "-r", "-z", now])).map((file) => [file.name, file]),
    );
    return staged.filter((file) => !isSame(tree.get(file.name), file));
  }
  const start = was ?? emptyTrees.get(now.length) ?? "";
  return entriesIn(await said(["diff-tree", "-r", "-z", "--raw", "--no-renames", start, now])).concat(staged);
}

/** The files that `ls-tree -z` or `diff-tree --raw -z` lists, as they are after it. */
function entriesIn(listed: string): GitFile[] {
  const tree = /(\d{6}) (?:blob|commit) ([0-9a-f]+)\t([^\0]+)\0/g;
  const difference = /:\d{6} (\d{6}) [0-9a-f]+ ([0-9a-f]+) [AMT]\0([^\0]+)\0/g;
  return [...listed.matchAll(listed.startsWith(":") ? difference : tree)].map(
    ([, mode = "", id = "", name = ""]) => ({ name, id, mode: Number.parseInt(mode, 8) }),
  );
}

/** Whether the work tree has a file as git has it, before or after a command; line ends do not count. */
async function isInWorkTree(target: string, { mode, id }: GitFile, at: At): Promise<boolean> {
  for (const place of new Set([target, at(target)])) {
    if (place === null) continue;
    const path = bytesOfPath(place);
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (status === undefined) continue;
    const kind = mode & kinds.bits;
    if (kind === kinds.repository && existsSync(join(place, ".git"))) return true;
    if (kind === kinds.link && status.isSymbolicLink() && idOf(readlinkSync(path, "buffer"), id) === id)
      return true;
    if (kind === kinds.link || !status.isFile() || ((mode & 0o111) !== 0 && (status.mode & 0o111) === 0))
      continue;
    if (status.size > largest ? (await idOfLarge(place, status.size, id)) === id : await isFile(path, id))
      return true;
  }
  return false;
}

async function isFile(path: string | Buffer, id: string): Promise<boolean> {
  const bytes = await readFile(path);
  if (idOf(bytes, id) === id) return true;
  return idOf(Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1"), id) === id;
}

/** The name that git gives to contents, by the algorithm of a name. */
function idOf(bytes: Buffer, like: string): string {
  return hashFor(bytes.length, like).update(bytes).digest("hex");
}

async function idOfLarge(path: string, size: number, like: string): Promise<string> {
  const hash = hashFor(size, like);
  for await (const piece of createReadStream(bytesOfPath(path))) hash.update(Buffer.from(piece));
  return hash.digest("hex");
}

function hashFor(size: number, like: string): ReturnType<typeof createHash> {
  return createHash(like.length === 64 ? "sha256" : "sha1").update(`blob ${size}\0`);
}

/** Why a file counts that only git has; null where it is data. */
async function laterRule(
  target: string,
  { mode, id }: GitFile,
  { git, judging }: { readonly git: History; readonly judging: Judging },
): Promise<string | null> {
  const kind = mode & kinds.bits;
  if (kind === kinds.link) return "it is a link";
  if (kind === kinds.repository) return "it is another repository";
  const byName = executedLaterRule(target) ?? shadowedModule(target, judging.overlay.folder);
  if (byName !== null) return byName;
  const size = Number(await git.run(["cat-file", "-s", id]));
  if (!(size <= largest)) return "it is too large to look into";
  const after = await git.run(["cat-file", "blob", id]);
  if (after === null) return "it cannot be read";
  const held = [textOf(target)].filter((text) => text !== null);
  const isExecutable = (mode & 0o111) !== 0;
  const text = Buffer.from(after).toString("latin1");
  return executedLaterContents({ path: target, held, after: text, isExecutable });
}

function write(target: string, executedLater: string, { label }: Judging): WritePath {
  const change = existsSync(target) ? "replace" : "create";
  return { kind: "write-path", target, change, label, reversal: "undoable", executedLater };
}
