import type { BigIntStats } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bytesOfPath } from "../files/byte-names.ts";
import type { Overlay } from "../sandbox/overlay.ts";
import type { Difference, Exchange } from "./difference.ts";
import { walkEntries } from "./fingerprint.ts";

/**
 * Folders that programs fill beside their work and make again, and the list that npm keeps of its packages.
 */
const caches =
  /\/(__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|node_modules\/(?:\.cache|\.vite|\.vitest|\.tmp|\.package-lock\.json))(?:\/|$)/;

/** Bytes. A larger file is not compared, and counts as one that was there. */
const largestCompared = 64_000_000n;

/** A file with its size. */
type Sized = { readonly path: string; readonly size: bigint };

/**
 * A difference without what programs left in caches: nobody is asked for that, and it is not kept. What the
 * line names, what was deleted, and what holds something that was there before, is a change like any other.
 */
export async function withoutCaches(
  difference: Difference,
  { overlay, line }: { readonly overlay: Overlay; readonly line: string },
): Promise<Difference> {
  const isCache = ({ path, was, incoming }: Exchange): boolean => {
    const [, name] = caches.exec(path.slice(overlay.folder.length)) ?? [];
    return name !== undefined && !line.includes(name) && incoming !== null && was !== "folder";
  };
  const { exchanges } = difference;
  const candidates = exchanges.filter(isCache);
  if (candidates.length === 0) return difference;
  const gone = await filesOf(exchanges.filter((each) => !candidates.includes(each) && each.was !== null));
  const left = new Set<Exchange>();
  for (const exchange of candidates)
    if (await isAllNew(exchange.incoming ?? "", { begun: overlay.begun, gone })) left.add(exchange);
  return { ...difference, exchanges: exchanges.filter((each) => !left.has(each)) };
}

/** The files that were at the places of exchanges. */
async function filesOf(exchanges: readonly Exchange[]): Promise<readonly Sized[]> {
  const found: Sized[] = [];
  for (const { path } of exchanges)
    for await (const { inside, status } of walkEntries(path))
      if (status.isFile()) found.push({ path: join(path, inside), size: status.size });
  return found;
}

type Before = { readonly begun: bigint; readonly gone: readonly Sized[] };

/** Whether all at and below a place was made since a time, and is no copy of what is gone. */
async function isAllNew(place: string, { begun, gone }: Before): Promise<boolean> {
  for await (const { inside, status } of walkEntries(place)) {
    if (status.isDirectory()) continue;
    if (status.mtimeNs < begun || (await isOneOf(join(place, inside), status, gone))) return false;
  }
  return true;
}

async function isOneOf(path: string, status: BigIntStats, gone: readonly Sized[]): Promise<boolean> {
  if (!status.isFile() || status.size === 0n) return false;
  const alike = gone.filter(({ size }) => size === status.size);
  if (alike.length === 0) return false;
  if (status.size > largestCompared) return true;
  const bytes = await readFile(bytesOfPath(path));
  for (const other of alike) if (bytes.equals(await readFile(bytesOfPath(other.path)))) return true;
  return false;
}
