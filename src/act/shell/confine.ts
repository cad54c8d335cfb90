import { readdir, stat } from "node:fs/promises";
import type { Bind, Confinement } from "../sandbox/bubblewrap.ts";
import type { PathUse } from "./programs/proof.ts";
import { findProtectedPaths } from "./protected-paths.ts";
import { isWithin, realPath } from "./real-path.ts";

/** A path that is read: `written` as in the command, made absolute, and `path` as the real path. */
export type ResolvedPathUse = PathUse & { readonly written: string };

/** A command line to confine. */
export type ConfinementRequest = {
  readonly cwd: string;
  readonly workspace: string | null;
  /** Whether every command was proved to only read. */
  readonly harmless: boolean;
  readonly reads: readonly ResolvedPathUse[];
  /** Program files outside the system folders. */
  readonly programs: readonly Bind[];
  /** State, configuration, rules and runtime folders. */
  readonly hidden: readonly string[];
  /** Folders that commands may read and never write. */
  readonly locked: readonly string[];
  readonly isSecretPath: (path: string) => boolean;
  readonly environment: ReadonlyMap<string, string>;
};

const neverVisible = ["/proc", "/dev", "/sys", "/run", "/var/run"];
const alwaysVisible = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"];

/** Decides what a command may see. Returns the reason, in words, if it cannot be confined safely. */
export async function confine(request: ConfinementRequest): Promise<Confinement | string> {
  const { workspace } = request;
  const hidden = await Promise.all(request.hidden.map((path) => realPath("/", path)));
  if (workspace === "/")
    return "The root of the file system cannot be a workspace for commands. Start the session in a folder.";
  if (workspace !== null && hidden.some((folder) => isWithin(workspace, folder))) {
    return `The workspace ${workspace} is inside a folder of the agent itself. Start the session in another folder.`;
  }
  const masked: Confinement["masked"][number][] = [];
  const pinned: string[] = [];
  const fixed = await Promise.all(request.locked.map((path) => realPath("/", path)));
  const locked = fixed.filter((path) => workspace !== null && isWithin(path, workspace));
  if (workspace !== null && (!request.harmless || searches(request.reads, workspace))) {
    const found = await findProtectedPaths(workspace, request.isSecretPath);
    if (!found.complete)
      return `The workspace ${workspace} has too many files to search them for secrets. Start the session in a smaller folder.`;
    masked.push(...found.masked);
    locked.push(...found.locked);
    pinned.push(...found.pinned);
  }
  const readable: Bind[] = [...request.programs];
  for (const use of await expandRoot(request.reads)) {
    if (!isShown(use, workspace, hidden)) continue;
    const inside = await masksInside(use, request);
    if (inside === null)
      return `${use.path} has too many files to search them for secrets. Name a smaller folder.`;
    masked.push(...inside);
    readable.push({ from: use.path, to: use.path });
    if (use.written !== use.path) readable.push({ from: use.path, to: use.written });
  }
  const roots = [
    ...readable.map(({ to }) => to),
    ...(workspace === null ? [] : [workspace]),
    ...alwaysVisible,
  ];
  masked.push(...(await hiddenInside(hidden, roots)));
  return {
    cwd: request.cwd,
    workspace,
    writable: !request.harmless && !fixed.some((path) => workspace !== null && isWithin(workspace, path)),
    readable: readable.filter(({ to }) => workspace === null || !isWithin(to, workspace)),
    pinned,
    locked,
    masked: outermost(masked.filter(({ path }) => roots.some((root) => isWithin(path, root)))),
    environment: request.environment,
  };
}

function searches(reads: readonly ResolvedPathUse[], workspace: string): boolean {
  return reads.some(
    (use) =>
      use.access === "contents" &&
      use.tree &&
      (isWithin(use.path, workspace) || isWithin(workspace, use.path)),
  );
}

/** The root of the file system cannot be bound over the sandbox's own root, so its entries are bound one by one. */
async function expandRoot(reads: readonly ResolvedPathUse[]): Promise<readonly ResolvedPathUse[]> {
  const all = await Promise.all(
    reads.map(async (use) => {
      if (use.path !== "/") return [use];
      const names = await readdir("/");
      return names.map((name) => ({ ...use, path: `/${name}`, written: `/${name}` }));
    }),
  );
  return all.flat();
}

function isShown(use: ResolvedPathUse, workspace: string | null, hidden: readonly string[]): boolean {
  if (workspace !== null && isWithin(use.path, workspace)) return false;
  return ![...neverVisible, ...alwaysVisible, ...hidden].some((folder) => isWithin(use.path, folder));
}

/** Secret files and sockets below a path whose contents are searched; null if there are too many files. */
async function masksInside(
  use: ResolvedPathUse,
  request: ConfinementRequest,
): Promise<Confinement["masked"] | null> {
  if (use.access === "names" && request.harmless) return [];
  const status = await stat(use.path).catch(() => null);
  if (status?.isDirectory() !== true) return [];
  const found = await findProtectedPaths(use.path, request.isSecretPath);
  return found.complete ? found.masked : null;
}

async function hiddenInside(
  hidden: readonly string[],
  roots: readonly string[],
): Promise<Confinement["masked"]> {
  const found = await Promise.all(
    [...hidden, "/run"].map(async (path): Promise<Confinement["masked"]> => {
      const status = await stat(path).catch(() => null);
      if (status === null || !roots.some((root) => isWithin(path, root))) return [];
      return [{ path, kind: status.isDirectory() ? "folder" : "file" }];
    }),
  );
  return found.flat();
}

function outermost(masked: Confinement["masked"]): Confinement["masked"] {
  const unique = [...new Map(masked.map((mask) => [mask.path, mask])).values()];
  return unique.filter((mask) => !unique.some((other) => other !== mask && isWithin(mask.path, other.path)));
}
