import { lstat, readlink } from "node:fs/promises";
import { dirname, resolve } from "node:path";

const maxLinks = 40;

/**
 * The real path that the kernel would open, walked a name at a time: every link followed, dangling ones too,
 * and `..` taken from where a link led. What does not exist stays as it is named. Throws on a circle of links.
 */
export async function realPath(cwd: string, path: string): Promise<string> {
  const waiting = (path.startsWith("/") ? path : `${cwd}/${path}`).split("/").reverse();
  let at = "/";
  let links = 0;
  while (waiting.length > 0) {
    const name = waiting.pop() ?? "";
    if (name === "" || name === ".") continue;
    if (name === "..") {
      at = dirname(at);
      continue;
    }
    const next = resolve(at, name);
    const target = await linkTarget(next);
    if (target === null) {
      at = next;
      continue;
    }
    links += 1;
    if (links > maxLinks) throw new Error(`${path} leads through a circle of links`);
    waiting.push(...target.split("/").reverse());
    if (target.startsWith("/")) at = "/";
  }
  return at;
}

async function linkTarget(path: string): Promise<string | null> {
  try {
    const status = await lstat(path);
    return status.isSymbolicLink() ? await readlink(path) : null;
  } catch (fault) {
    const code = fault instanceof Error && "code" in fault ? fault.code : "";
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") return null;
    throw fault;
  }
}

/** True where the path is the folder or lies in it. Both absolute, without `..`. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}
