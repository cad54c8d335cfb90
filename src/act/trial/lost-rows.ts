import { join, relative } from "node:path";
import { makeBuiltAgainTest } from "./built-again.ts";
import { databaseTables, firstBytes, isDatabase, type TableSize } from "./database-tables.ts";
import { type Difference, statusOf } from "./difference.ts";
import { filesAt, hasCopy, leastKept, type StoredVersion } from "./lost-files.ts";

/** A database of which a command leaves next to nothing in some tables. */
export type LostRows = {
  /** Relative to the workspace. */
  readonly path: string;
  readonly tables: readonly string[];
  /** How many rows are gone or next to empty; null where nobody can say. */
  readonly rows: number | null;
};

/** A database before and after a command. */
type Changed = {
  readonly path: string;
  readonly before: StoredVersion;
  readonly incoming: StoredVersion;
};

/**
 * The databases of SQLite that stay and lose the rows of a table, by what their pages hold: a file keeps its
 * size, and mostly its bytes, when rows are deleted. What cannot be read, or has a log of changes beside it
 * now, counts as lost. A database that another file has now is not lost, unless a
 * build makes that file again.
 */
export async function lostRows(
  { exchanges }: Pick<Difference, "exchanges">,
  workspace: string,
): Promise<readonly LostRows[]> {
  const changed: Changed[] = [];
  const made: StoredVersion[] = [];
  const logged = new Set<string>();
  const isBuiltAgain = makeBuiltAgainTest(workspace);
  for (const { path, was, incoming } of exchanges) {
    const after = await filesAt(incoming);
    for (const [inside, file] of after) {
      if (file === null) continue;
      if (!(await isBuiltAgain(join(path, inside)))) made.push(file);
      const [, database] = /^(.+)-(?:wal|journal)$/.exec(join(path, inside)) ?? [];
      if (database !== undefined && (await isObeyed(file))) logged.add(database);
    }
    if (was === null) continue;
    for (const [inside, before] of await filesAt(path)) {
      const [target, file] = [join(path, inside), after.get(inside)];
      if (before !== null && file !== null && file !== undefined && !(await isBuiltAgain(target)))
        changed.push({ path: target, before, incoming: file });
    }
  }
  const lost: LostRows[] = [];
  for (const path of logged)
    if ((await statusOf(path))?.isFile() === true && (await isDatabase(path)))
      lost.push({ path, tables: [], rows: null });
  for (const each of changed) {
    if (logged.has(each.path) || !(await isDatabase(each.path))) continue;
    if (await hasCopy(each.before, made)) continue;
    const found = compare(await databaseTables(each.path), await databaseTables(each.incoming.place));
    if (found !== null) lost.push({ path: each.path, ...found });
  }
  return lost.map((each) => ({ ...each, path: relative(workspace, each.path) }));
}

/** Whether SQLite would take a log into account: one that it is done with begins with zeros, or is empty. */
async function isObeyed({ place }: StoredVersion): Promise<boolean> {
  return (await firstBytes(place, 8)).some((byte) => byte !== 0);
}

/** Bytes. A smaller table counts only where next to nothing of the whole database stays. */
const smallTable = 100;

type Tables = ReadonlyMap<string, TableSize>;

function compare(before: Tables | null, after: Tables | null): Omit<LostRows, "path"> | null {
  if (before === null || after === null) return { tables: [], rows: null };
  const kept = [...before].map(([name, was]) => ({ name, was, is: after.get(name) ?? nothing }));
  const isLost = (was: number, is: number): boolean => was > 0 && is < was * leastKept;
  const sum = (count: (each: (typeof kept)[number]) => number): number =>
    kept.reduce((total, each) => total + count(each), 0);
  const isAllLost = isLost(
    sum(({ was }) => was.bytes),
    sum(({ was, is }) => Math.min(was.bytes, is.bytes)),
  );
  const lost = kept.filter(
    ({ was, is }) => isLost(was.bytes, is.bytes) && (isAllLost || was.bytes >= smallTable),
  );
  return lost.length === 0
    ? null
    : { tables: lost.map(({ name }) => name), rows: lost.reduce((rows, { was }) => rows + was.rows, 0) };
}

const nothing: TableSize = { rows: 0, bytes: 0 };
