import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { makePrivateFolder, syncPath } from "../../memory/storage/private-file.ts";
import { acquireProcessLock } from "../../memory/storage/process-lock.ts";
import { StateProblem } from "../../memory/storage/state-problem.ts";
import { replaceFile } from "../../settings/replace-file.ts";
import { describeError } from "../../text/describe-error.ts";
import { BackupProblem } from "./backup-problem.ts";
import { mountedBelow } from "./mounted-entries.ts";
import { isRestorePending, lastFile, pendingFile, restoreFolder } from "./pending-restore.ts";

/** A folder that another one takes the place of: `incoming`, in it or beside it. What was there goes to `aside`, inside the new one or beside it. */
export type FolderExchange = { readonly place: string; readonly incoming: string; readonly aside: string };

/** The name of a folder with what was there before a restore, or with what a restore unpacks. */
export const asideName = /\/(?:before-restore|incoming)-\d{8}-\d{6}$/;

const path = z.string().startsWith("/");
const schema = z.strictObject({
  version: z.literal(1),
  id: z.string(),
  moves: z.array(z.tuple([path, path])),
  /** How many of the moves are made. */
  done: z.int().min(0),
  exchanges: z.array(z.strictObject({ place: path, aside: path })),
});
type Moves = Readonly<z.infer<typeof schema>>;

/** The id of a restore at a time: it names the folders of what was there before. A second that another restore of these folders has is not taken again. */
export function idAt(time: Date, places: readonly string[]): string {
  const digits = time.toISOString().replace(/\D/g, "");
  const id = `${digits.slice(0, 8)}-${digits.slice(8, 14)}`;
  const names = places.flatMap((place) => [exchangeInside(place, id).aside, exchangeBeside(place, id).aside]);
  return names.some((name) => existsSync(name)) ? idAt(new Date(time.getTime() + 1000), places) : id;
}

/** The exchange of a folder of our own: what comes and what was there are inside it, where no action may reach them. */
export function exchangeInside(place: string, id: string): FolderExchange {
  return { place, incoming: join(place, `incoming-${id}`), aside: join(place, `before-restore-${id}`) };
}

/** The exchange of a folder of notes: what was there goes beside the new folder. */
export function exchangeBeside(place: string, id: string): FolderExchange {
  return { place, incoming: `${place}.incoming-${id}`, aside: `${place}.before-restore-${id}` };
}

/** Makes exchanges, all or none: what a kill leaves, `finishMoves` finishes. `step` is called before each rename, in tests. */
export function exchangeFolders(
  state: string,
  {
    id,
    exchanges,
    step,
  }: { readonly id: string; readonly exchanges: readonly FolderExchange[]; readonly step?: () => void },
): void {
  const moves = exchanges.flatMap((exchange) => movesOf(exchange, id));
  const kept = exchanges.map(({ place, aside }) => ({ place, aside }));
  step?.();
  write(state, { version: 1, id, moves, done: 0, exchanges: kept });
  makeMoves(state, step);
}

function movesOf({ place, incoming, aside }: FolderExchange, id: string): [string, string][] {
  const isInside = dirname(aside) === place;
  if (isInside && mountedBelow(place).length > 0) {
    const there = readdirSync(place).filter((name) => !asideName.test(`/${name}`));
    return [
      ...there.map((name): [string, string] => [join(place, name), join(aside, name)]),
      ...readdirSync(incoming).map((name): [string, string] => [join(incoming, name), join(place, name)]),
    ];
  }
  const out = isInside ? `${place}.out-${id}` : aside;
  const from = isInside ? join(out, basename(incoming)) : incoming;
  return [[place, out], [from, place], ...(isInside ? [[out, aside] as [string, string]] : [])];
}

/** The exchanges that take the last restore back, with their id; null where there was none. What they put aside can be taken back in turn. */
export function exchangesOfUndo(
  state: string,
  now: Date,
): { readonly id: string; readonly exchanges: readonly FolderExchange[] } | null {
  const last = read(lastFile(state));
  if (last === null) return null;
  const id = idAt(
    now,
    last.exchanges.map(({ place }) => place),
  );
  const exchanges = last.exchanges.map(({ place, aside }) => {
    if (!existsSync(aside))
      throw new BackupProblem(
        `${aside} is not there any more, so the last restore cannot be taken back. Nothing was changed.`,
      );
    const exchange = dirname(aside) === place ? exchangeInside(place, id) : exchangeBeside(place, id);
    return { ...exchange, incoming: aside };
  });
  return { id, exchanges };
}

/** Finishes a restore that was killed. Throws a `BackupProblem` where it still runs. */
export function finishMoves(state: string): void {
  using _lock = lockRestores(state);
  if (isRestorePending(state)) makeMoves(state);
}

/** Lets nobody else restore. */
export function lockRestores(state: string): Disposable {
  const folder = restoreFolder(state);
  makePrivateFolder(folder);
  try {
    const lock = acquireProcessLock(folder);
    return { [Symbol.dispose]: () => lock.release() };
  } catch (error) {
    if (!(error instanceof StateProblem && error.code === "locked")) throw error;
    throw new BackupProblem("A restore is running now. Wait until it has ended, then try again.", {
      cause: error,
    });
  }
}

function makeMoves(state: string, step?: () => void): void {
  const file = pendingFile(state);
  const found = read(file);
  if (found === null) return;
  for (let at = found.done; at < found.moves.length; at += 1) {
    const [from = "", to = ""] = found.moves[at] ?? [];
    step?.();
    // A move that was made before its count was written is not made again: nothing is left to move.
    if (existsSync(from)) moveOrTakeBack(state, { ...found, done: at }, [from, to]);
    step?.();
    write(state, { ...found, done: at + 1 });
  }
  step?.();
  renameSync(file, lastFile(state));
  syncPath(dirname(file));
}

/** Makes a move. Where that fails, all that was moved goes back, so that nothing is restored. */
function moveOrTakeBack(state: string, { moves, done }: Moves, [from, to]: readonly [string, string]): void {
  try {
    move(from, to);
  } catch (error) {
    for (const [source, target] of moves.slice(0, done).toReversed())
      if (existsSync(target)) move(target, source);
    rmSync(pendingFile(state));
    throw new BackupProblem(
      `${from} cannot become ${to} (${describeError(error)}). Nothing was restored: all folders are as they were.`,
      { cause: error },
    );
  }
}

function move(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  const isMounted = (path: string): boolean => mountedBelow(dirname(path)).includes(basename(path));
  if (isMounted(from)) moveContents(from, to, "emptied");
  else if (isMounted(to)) moveContents(from, to, "removed");
  else renameSync(from, to);
  const left = dirname(from);
  if (asideName.test(left) && readdirSync(left).length === 0) rmdirSync(left);
  for (const folder of new Set([dirname(from), dirname(to)])) if (existsSync(folder)) syncPath(folder);
}

/**
 * Moves what a file holds where a file that is mounted by itself has to stay. After a kill it can be done
 * again.
 */
function moveContents(from: string, to: string, source: "emptied" | "removed"): void {
  const contents = readFileSync(from);
  const wasMoved = source === "emptied" && contents.length === 0 && existsSync(to);
  if (!wasMoved) replaceFile(to, contents);
  if (source === "emptied") replaceFile(from, "");
  else rmSync(from);
}

function write(state: string, moves: Moves): void {
  replaceFile(pendingFile(state), JSON.stringify(moves));
}

function read(file: string): Moves | null {
  if (!existsSync(file)) return null;
  return schema.parse(JSON.parse(readFileSync(file, "utf8")));
}
