import { lstat, readdir, readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { isInside } from "../../text/is-inside.ts";
import { readGitWords } from "./programs/git-words.ts";
import { withoutWrappers } from "./programs/unwrap-words.ts";

const mostEntries = 20_000;

/** The files that `git clean`, `git reset --hard` and `git checkout .` may destroy: those that git does not track, or those that differ from its index. Null where that cannot be read. */
export async function listChanged(argv: readonly string[], cwd: string): Promise<readonly string[] | null> {
  const { words, folder } = readGitWords(withoutWrappers(argv).slice(1));
  const root = resolve(cwd, folder);
  const tracked = await readIndex(join(root, ".git", "index"));
  if (tracked === null) return null;
  if (words[0] === "clean") {
    const places = words.slice(1).filter((word) => !word.startsWith("-"));
    const found = await untracked(root, cwd, tracked);
    const isMeant = (path: string): boolean =>
      places.length === 0 || places.some((place) => isInside(resolve(root, place), resolve(cwd, path)));
    return found?.filter(isMeant) ?? null;
  }
  const changed: string[] = [];
  for (const [path, { size, seconds }] of tracked) {
    const status = await lstat(join(root, path)).catch(() => null);
    const isSame = status?.size === size && Math.floor(status.mtimeMs / 1000) === seconds;
    if (!isSame) changed.push(relative(cwd, join(root, path)));
  }
  return changed;
}

type Tracked = ReadonlyMap<string, { readonly size: number; readonly seconds: number }>;

async function untracked(root: string, cwd: string, tracked: Tracked): Promise<readonly string[] | null> {
  const found: string[] = [];
  const waiting = [root];
  for (const folder of waiting) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== ".git") waiting.push(path);
      else if (entry.name !== ".git" && !tracked.has(relative(root, path))) found.push(relative(cwd, path));
    }
    if (found.length + waiting.length > mostEntries) return null;
  }
  return found.sort();
}

/** The entries of an index of version 2 or 3 (gitformat-index(5)); null for any other. */
async function readIndex(path: string): Promise<Tracked | null> {
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null || bytes.length < 12 || bytes.toString("latin1", 0, 4) !== "DIRC") return null;
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  if ((version !== 2 && version !== 3) || count > mostEntries) return null;
  const tracked = new Map<string, { size: number; seconds: number }>();
  let at = 12;
  for (let left = count; left > 0; left -= 1) {
    if (at + 64 > bytes.length) return null;
    const isExtended = (bytes.readUInt16BE(at + 60) & 0x4000) !== 0;
    const start = at + (isExtended ? 64 : 62);
    const end = bytes.indexOf(0, start);
    if (end < 0) return null;
    tracked.set(bytes.toString("utf8", start, end), {
      size: bytes.readUInt32BE(at + 36),
      seconds: bytes.readUInt32BE(at + 8),
    });
    at += Math.ceil((end - at + 1) / 8) * 8;
  }
  return tracked;
}
