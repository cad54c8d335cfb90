import { lstat, readlink } from "node:fs/promises";
import { dirname, resolve } from "node:path";

const maxLinks = 40;

/**
 * The real path that the kernel would open. Follows every link, dangling links too, and resolves `..` from the
 * target of a link. Names that do not exist stay as they are. Throws on a circle of links.
 */
export async function realPath(cwd: string, path: string): Promise<string> {
  return (await followLinks(cwd, path)).path;
}

/** A link, and what it says. */
export type FollowedLink = { readonly path: string; readonly target: string };

/** The real path, and each link on the way to it. Throws on a circle of links. */
export async function followLinks(
  cwd: string,
  path: string,
): Promise<{ readonly path: string; readonly links: readonly FollowedLink[] }> {
  const waiting = (path.startsWith("/") ? path : `${cwd}/${path}`).split("/").reverse();
  let at = "/";
  const links: FollowedLink[] = [];
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
    links.push({ path: next, target });
    if (links.length > maxLinks) throw new Error(`${path} goes through a circle of links`);
    waiting.push(...target.split("/").reverse());
    if (target.startsWith("/")) at = "/";
  }
  return { path: at, links };
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

/** True if the path is the folder or inside it. Both are absolute, without `..`. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}
