import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { WritePath } from "../../signal/effect.ts";
import { executedLaterRule } from "../../text/later/executed-later.ts";
import { executedLaterContents } from "../../text/later/later-change.ts";
import { shadowedModule } from "../../text/later/python-modules.ts";
import { bytesOfPath } from "../files/byte-names.ts";
import { entryIfThere } from "../files/status-if-there.ts";
import { workTreeOf } from "./checked-out.ts";
import { afterwards, type Difference } from "./difference.ts";
import type { DifferenceJudging } from "./difference-effects.ts";
import { filesLedTo, ledTo } from "./led-to.ts";
import { type At, changedIndex, checkouts, type GitFile, movedCommit, newFiles } from "./new-in-git.ts";
import { type History, openHistory } from "./repository-history.ts";
import { textOf } from "./text-of.ts";

type Judging = Pick<DifferenceJudging, "overlay" | "label">;

/** Of so many files that only git has each is looked into. */
const mostLookedAt = 200;
/** Bytes. A larger file is not looked into. */
const largest = 2_000_000;
const kinds = { bits: 0o170000, link: 0o120000, repository: 0o160000 };

/**
 * The effects on files that a command put into an index, into what is checked out, or into what logs,
 * `ORIG_HEAD` and the like lead to, and that the work tree had neither before nor after it: git writes them
 * there later, and whoever gets the commit runs them. Each that would be executed later is judged as if it
 * were written; so is one that git is told not to look at any more. Throws `TooLarge` where that cannot be
 * read.
 */
export async function unseenEffects(
  { exchanges }: Pick<Difference, "exchanges">,
  judging: Judging,
): Promise<readonly WritePath[]> {
  const at = afterwards(exchanges);
  const found = new Map<string, string>();
  let looked = 0;
  for (const own of await checkouts(exchanges)) {
    const [root, index] = [await workTreeOf(own), await changedIndex(own, at)];
    for (const name of index.hidden) found.set(join(root, name), "git would not see changes of it any more");
    const moved = await movedCommit(own, at);
    const led = await ledTo(own, exchanges, moved);
    for (const file of led.odd) found.set(file, "git takes from its words to what it goes back");
    const idLength = (moved.now ?? index.staged[0]?.id ?? [...led.ids][0])?.length ?? 40;
    await using git = await openHistory(moved.repository, idLength, judging.overlay);
    const behind = led.ids.size === 0 ? [] : await filesLedTo(git, led.ids, moved);
    if (behind === null) found.set(join(own, "logs"), "it leads to commits that nobody can look at");
    for (const file of [...(await newFiles(git, index.staged, moved)), ...(behind ?? [])]) {
      const target = join(root, file.name);
      if (found.has(target) || (await isInWorkTree(target, file, at))) continue;
      looked += 1;
      if (looked > mostLookedAt) {
        found.set(root, `git would have more than ${mostLookedAt} files that the work tree does not have`);
        break;
      }
      const why = await laterRule(target, file, { git, judging, at });
      if (why !== null) found.set(target, `${why}; only git has it so, and the work tree does not`);
    }
  }
  return Promise.all([...found].map(([target, why]) => write(target, why, judging)));
}

/** Whether the work tree has a file as git has it, before or after a command; line ends do not count. */
async function isInWorkTree(target: string, { mode, id }: GitFile, at: At): Promise<boolean> {
  for (const place of new Set([target, at(target)])) {
    if (place === null) continue;
    const path = bytesOfPath(place);
    const status = await entryIfThere(place);
    if (status === null) continue;
    const kind = mode & kinds.bits;
    if (kind === kinds.repository && (await entryIfThere(join(place, ".git"))) !== null) return true;
    if (kind === kinds.link && status.isSymbolicLink() && idOf(await readlink(path, "buffer"), id) === id)
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
  { mode, id, was }: GitFile,
  { git, judging, at }: { readonly git: History; readonly judging: Judging; readonly at: At },
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
  const isMade = isExecutable && (was & 0o111) === 0;
  const becomesExecutable = isMade && !(await isExecutableIn([target, at(target)]));
  return executedLaterContents({ path: target, held, after: text, isExecutable, becomesExecutable });
}

/** Whether a file of the work tree can be executed, before or after a command. */
async function isExecutableIn(places: readonly (string | null)[]): Promise<boolean> {
  for (const place of new Set(places)) {
    const status = place === null ? null : await entryIfThere(place);
    if (status?.isFile() === true && (status.mode & 0o111) !== 0) return true;
  }
  return false;
}

async function write(target: string, executedLater: string, { label }: Judging): Promise<WritePath> {
  const change = (await entryIfThere(target)) === null ? "create" : "replace";
  return { kind: "write-path", target, change, label, reversal: "undoable", executedLater };
}
