import { lstat, readlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pushAll } from "../../text/lists.ts";
import { errorCode } from "./fallible.ts";

const maxLinks = 40;

/**
 * What the kernel shows of a program. The links in it lead elsewhere for each program that follows them, and
 * this process is not the one that is meant: they are not followed.
 */
const ofOneProgram = /^\/proc\/(?:self|thread-self|\d+)(?:\/|$)/;

/** A link, and what it says. `named`: the whole path that is looked for, as it is called there. */
export type FollowedLink = { readonly path: string; readonly target: string; readonly named: string };

/** Where a path leads. */
export type FollowedPath = {
  readonly path: string;
  /** Each link on the way. */
  readonly links: readonly FollowedLink[];
  /** Why the way cannot be known: the links form a circle, or a folder may not be entered. Null where it is known. */
  readonly obstacle: "circle" | "closed" | null;
  /** True if a `..` leaves a folder that does not exist, which the kernel refuses. */
  readonly leavesMissing: boolean;
};

/**
 * Follows every link of an absolute path, dangling links too, as the kernel would: `..` leaves the target of a link, not the link. Names that do not exist
 * stay as they are, and so do those of a program in `/proc`. `look` looks at one path.
 */
export async function followLinks(path: string, look = lookAt): Promise<FollowedPath> {
  const waiting = path.split("/").reverse();
  const links: FollowedLink[] = [];
  let at = "/";
  let isMissing = false;
  let obstacle: FollowedPath["obstacle"] = null;
  let leavesMissing = false;
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      leavesMissing ||= isMissing;
      isMissing = false;
      at = dirname(at);
      continue;
    }
    const next = resolve(at, name);
    const found: FoundEntry = isMissing ? "missing" : await look(next);
    if (typeof found === "string") {
      isMissing = found !== "no-link";
      if (found === "closed") obstacle = "closed";
      at = next;
      continue;
    }
    links.push({ path: next, target: found.target, named: join(next, ...waiting.toReversed()) });
    if (ofOneProgram.test(next)) {
      at = next;
      isMissing = dirname(at) !== "/proc" && waiting.some((rest) => rest !== "" && rest !== ".");
      if (isMissing) obstacle = "closed";
      continue;
    }
    if (links.length > maxLinks) return { path: next, links, obstacle: "circle", leavesMissing };
    pushAll(waiting, found.target.split("/").reverse());
    if (found.target.startsWith("/")) at = "/";
  }
  return { path: at, links, obstacle, leavesMissing };
}

/** The real path that the kernel would open. Names that do not exist stay as they are. Throws where it cannot be known. */
export async function realPath(cwd: string, path: string): Promise<string> {
  const followed = await followLinks(path.startsWith("/") ? path : `${cwd}/${path}`);
  if (followed.obstacle === "circle") throw new Error(`${path} goes through a circle of links`);
  if (followed.obstacle === "closed")
    throw new Error(`${path} goes through a folder that may not be entered`);
  return followed.path;
}

/** What is at a path: a link, something else, nothing, or what nobody may look at. */
export type FoundEntry = { readonly target: string } | "no-link" | "missing" | "closed";

/** Looks at one path. */
export async function lookAt(path: string): Promise<FoundEntry> {
  try {
    if (!(await lstat(path)).isSymbolicLink()) return "no-link";
    return { target: await readlink(path) };
  } catch (error) {
    const code = errorCode(error);
    if (["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes(code)) return "missing";
    if (["EACCES", "EPERM", "EINVAL"].includes(code)) return "closed";
    throw error;
  }
}
