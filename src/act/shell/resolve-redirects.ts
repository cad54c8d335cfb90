import { streamNamed } from "../files/own-streams.ts";
import { opensFile, type Redirect } from "./program.ts";

/** Whether a redirection goes to a standard output of the command itself, which is captured: no file changes. */
export function goesToOutput({ fd, op, target }: Redirect): boolean {
  const stream = streamNamed(target);
  return (
    opensFile({ fd, op, target }) && op !== "<" && (stream === 1 || stream === 2) && (fd === 1 || fd === 2)
  );
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
