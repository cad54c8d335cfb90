import { done, type Fallible, problem } from "./fallible.ts";
import { asNamedOnDisk } from "./named-on-disk.ts";
import { streamNamed } from "./own-streams.ts";
import { followLinks } from "./real-path.ts";

/** The folders that a typed path is relative to, as real absolute paths. */
export type PathBase = { readonly workspace: string | null; readonly home: string };

/**
 * Resolves a typed path to a real absolute path. It is relative to the workspace, or to home after `~/`. Follows every
 * symbolic link, dangling links too. Names that do not exist yet stay, below the deepest folder that exists.
 * `..` leaves the real folder, as in the kernel, not the typed one. A name that is there in another Unicode
 * form (a Mac writes `é` as two characters) means what is there.
 */
export async function resolveTypedPath(typed: string, bearings: PathBase): Promise<Fallible<string>> {
  const absolute = absolutePath(typed, bearings);
  if (!absolute.ok) return absolute;
  const named = await asNamedOnDisk(absolute.value);
  if (!named.ok) return named;
  const { path, obstacle, leavesMissing } = await followLinks(named.value);
  if (leavesMissing)
    return problem(
      "invalid-path",
      `'${typed}' goes up from a folder that does not exist. Write the path without '..'.`,
    );
  if (obstacle === "circle")
    return problem(
      "invalid-path",
      `'${typed}' goes through more than 40 symbolic links. Name the file itself.`,
    );
  if (streamNamed(path) !== null)
    return problem(
      "invalid-path",
      `'${typed}' is a stream of the program that opens it, and no file. Name a file, or use it in a command.`,
    );
  return done(path);
}

/** What a typed path that can be resolved means before its links are followed. */
export function writtenPath(typed: string, bearings: PathBase): string {
  const absolute = absolutePath(typed, bearings);
  return absolute.ok ? absolute.value : typed;
}

function absolutePath(typed: string, { workspace, home }: PathBase): Fallible<string> {
  if (typed === "" || typed.length > 4096)
    return problem(
      "invalid-path",
      "The path is empty or longer than 4,096 characters. Name one file or folder.",
    );
  if (/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u.test(typed) || !typed.isWellFormed()) {
    return problem("invalid-path", "The path has control characters. Write it without them.");
  }
  if (typed.startsWith("/")) return done(typed);
  if (typed === "~" || typed.startsWith("~/")) return done(`${home}/${typed.slice(1)}`);
  if (/^~[\w-]*(\/|$)/.test(typed))
    return problem(
      "invalid-path",
      `'${typed}': only '~/' means a home folder. Write './${typed}' for a file of that name.`,
    );
  if (workspace === null)
    return problem(
      "no-workspace",
      `This session has no workspace, so '${typed}' has no meaning. Give a path that begins with '/' or '~/'.`,
    );
  return done(`${workspace}/${typed}`);
}
