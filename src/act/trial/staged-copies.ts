import { link, mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { bytesOfPath } from "../files/byte-names.ts";
import { errorCode } from "../files/fallible.ts";
import { removeTree } from "../sandbox/overlay.ts";
import { statusOf } from "./difference.ts";
import { copyEach, draftName, type HeldFolder, holdFolder, holdOwnFolder } from "./held-place.ts";

/**
 * What goes where: what is at `path`, in the folder of the commands, and what is at `incoming`, in the
 * state.
 */
type StagedMove = { readonly path: string; readonly incoming: string | null };

/** The set whose exchanges are made, and the folder of its command. */
export type StagedSet = { readonly place: string; readonly folder: string };

/** The copy that is ready of a file, by the path of the file. */
export type ReadyCopies = ReadonlyMap<string, string>;

/** Exchanges whose copies are made together. Fewer than `least` are not worth it. */
const together = 256;
const least = 8;
/** Bytes: of a larger file, and of what is more than these, the copy is made when its turn comes. */
const most = { file: 1_000_000n, all: 64_000_000n };

/**
 * The exchanges of a set in their order, each with the copies that are ready. Where the folder and the state
 * are on two disks, the files of many exchanges are copied at once: programs make the copies, and to start
 * some for every file takes a hundred times as long. Whoever uses a copy sees first whether it is like its
 * file. `moveOf`: null for an exchange that moves nothing. Of many exchanges each tenth has, in words, how
 * far they are.
 */
export async function* withCopies<Each>(
  all: readonly Each[],
  moveOf: (each: Each) => Promise<StagedMove | null>,
  set: StagedSet,
): AsyncGenerator<readonly [each: Each, copies: ReadyCopies, count: string | null]> {
  const isOnTwo = await liesElsewhere(set);
  for (let at = 0; at < all.length; at += together) {
    const some = all.slice(at, at + together);
    const moves = isOnTwo ? await Promise.all(some.map(moveOf)) : [];
    await using staged = await stageCopies(
      moves.filter((move) => move !== null),
      set,
    );
    for (const [index, each] of some.entries()) yield [each, staged.copies, countOf(at + index, all.length)];
  }
}

/** Of fewer exchanges nobody needs to know how far they are. */
const many = 100;

function countOf(done: number, all: number): string | null {
  const isTenth = Math.floor((done * 10) / all) !== Math.floor(((done - 1) * 10) / all);
  return all < many || !isTenth ? null : `${done.toLocaleString("en")} of ${all.toLocaleString("en")}`;
}

/** Copies to the other disk what it can; the copies are gone with what it gives. */
async function stageCopies(
  moves: readonly StagedMove[],
  set: StagedSet,
): Promise<AsyncDisposable & { readonly copies: ReadyCopies }> {
  await using stack = new AsyncDisposableStack();
  stack.defer(() => removeStaged(set));
  const copies = new Map<string, string>();
  if (moves.length >= least) {
    try {
      await stageInto(copies, moves, set);
    } catch (fault) {
      // Without them each copy is made by itself, and says why it cannot be.
      if (errorCode(fault) === "") throw fault;
      copies.clear();
    }
  }
  const opened = stack.move();
  return { copies, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Removes what is left of copies that were made for exchanges of a set. */
export async function removeStaged(set: StagedSet): Promise<void> {
  for (const folder of Object.values(foldersOf(set)))
    if ((await statusOf(folder))?.isDirectory() === true) await removeTree(folder);
}

function foldersOf({ place, folder }: StagedSet): { readonly inside: string; readonly own: string } {
  return { inside: join(folder, draftName(basename(place))), own: join(place, "copies") };
}

async function liesElsewhere({ place, folder }: StagedSet): Promise<boolean> {
  const [one, other] = await Promise.all([statusOf(place), statusOf(folder)]);
  return one !== null && other !== null && one.dev !== other.dev;
}

/**
 * Each file gets a second name in a folder on its own disk, and what has one is copied into the other
 * folder.
 */
async function stageInto(
  copies: Map<string, string>,
  moves: readonly StagedMove[],
  set: StagedSet,
): Promise<void> {
  const { inside, own } = foldersOf(set);
  for (const folder of [inside, own]) await mkdir(folder, { mode: 0o700 });
  await using here = await holdFolder(inside);
  await using there = await holdOwnFolder(own);
  if (here === null) return;
  const old = await nameIn(
    here,
    moves.map(({ path }) => path),
    { hold: holdFolder, prefix: "old-" },
  );
  const coming = await nameIn(
    there,
    moves.flatMap(({ incoming }) => incoming ?? []),
    { hold: holdOwnFolder, prefix: "new-" },
  );
  for (const [named, from, to, folder] of [
    [old, here, there, own],
    [coming, there, here, inside],
  ] as const) {
    await copyEach([...named.keys()], from, to);
    for (const [name, path] of named) copies.set(path, join(folder, name));
  }
}

type NamedBy = {
  readonly hold: (folder: string) => Promise<HeldFolder | null>;
  readonly prefix: string;
};

/**
 * Gives files a second name in a folder on their disk; gives the names with the paths. What cannot have one
 * is left out.
 */
async function nameIn(
  staged: HeldFolder,
  paths: readonly string[],
  { hold, prefix }: NamedBy,
): Promise<ReadonlyMap<string, string>> {
  const named = new Map<string, string>();
  let left = most.all;
  for (const path of paths) {
    await using folder = await hold(dirname(path));
    const from = folder?.at(basename(path)).path;
    const status = from === undefined ? null : await statusOf(from);
    if (from === undefined || status?.isFile() !== true || status.size > most.file) continue;
    left -= status.size;
    if (left < 0n) break;
    const name = `${prefix}${named.size}`;
    const isNamed = await link(bytesOfPath(from), bytesOfPath(staged.at(name).path)).catch(falseWhereRefused);
    if (isNamed !== false) named.set(name, path);
  }
  return named;
}

function falseWhereRefused(fault: unknown): false {
  if (errorCode(fault) === "") throw fault;
  return false;
}
