import { streamNamed } from "../files/own-streams.ts";
import { opensFile, type Redirect } from "./program.ts";

/** Whether a redirection goes to a standard output of the command itself, which is captured: no file changes. */
function goesToOutput({ fd, op, target }: Redirect): boolean {
  const stream = streamNamed(target);
  return (
    opensFile({ fd, op, target }) && op !== "<" && (stream === 1 || stream === 2) && (fd === 1 || fd === 2)
  );
}

/** Whether a redirection writes to a file of its own. */
export function writesTo(redirect: Redirect): boolean {
  return (
    opensFile(redirect) && redirect.op !== "<" && redirect.target !== "/dev/null" && !goesToOutput(redirect)
  );
}

/** A file that output goes to, by its real path. `written` is what was typed, made absolute. */
export type OutputFile = { readonly path: string; readonly written: string; readonly exists: boolean };

/** The files that redirections write to. */
export async function outputsOf(
  redirects: readonly Redirect[],
  {
    cwd,
    resolvePath,
    exists,
  }: {
    readonly cwd: string;
    readonly resolvePath: (path: string) => Promise<string>;
    readonly exists: (path: string) => Promise<boolean>;
  },
): Promise<readonly OutputFile[]> {
  const found = redirects.map(async (redirect) => {
    const opened = (await resolveRedirects([redirect], resolvePath)).filter(writesTo);
    const written = absolutePath(redirect.target, cwd);
    return Promise.all(
      opened.map(async ({ target: path }) => ({ path, written, exists: await exists(path) })),
    );
  });
  return (await Promise.all(found)).flat();
}

/** What was typed, made absolute, with its links and dots as they are. */
export function absolutePath(path: string, cwd: string): string {
  return path.startsWith("/") ? path : `${cwd}/${path}`;
}

/** The redirections with the real paths of their files. A stream of the command itself is duplicated and not opened: this process has others. */
export async function resolveRedirects(
  redirects: readonly Redirect[],
  resolvePath: (path: string) => Promise<string>,
): Promise<readonly Redirect[]> {
  const resolved = redirects.map(async (redirect) =>
    opensFile(redirect)
      ? withoutOwnStreams({ ...redirect, target: await resolvePath(redirect.target) })
      : [redirect],
  );
  return (await Promise.all(resolved)).flat();
}

/** Whether a path is a stream of a command that holds nothing of a file: an output that goes to a file gives what that holds. */
export function isOwnStream(path: string, redirects: readonly Redirect[]): boolean {
  const stream = streamNamed(path);
  const hasFile = redirects.some((redirect) => opensFile(redirect) && redirect.op !== "<");
  return stream === 0 || (stream !== null && !hasFile);
}

function withoutOwnStreams(redirect: Redirect): readonly Redirect[] {
  const stream = streamNamed(redirect.target);
  if (redirect.op === "<" && stream === 0) return [];
  if (!goesToOutput(redirect)) return [redirect];
  const redirected = redirect.op.startsWith("&") ? [1, 2] : [redirect.fd];
  return redirected
    .filter((fd) => fd !== stream)
    .map((fd): Redirect => ({ fd, op: ">&", target: String(stream) }));
}
