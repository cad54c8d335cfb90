import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Confinement } from "../sandbox/bubblewrap.ts";
import { isWithin, realPath } from "./real-path.ts";

/** The paths in a folder that a confined program must not see or must not change. */
export type ProtectedPaths = {
  readonly masked: Confinement["masked"];
  readonly locked: readonly string[];
  /** Folders that contain locked paths, outermost first. A program that could rename such a folder could replace it. */
  readonly pinned: readonly string[];
  /** False if the folder is too large: then nothing of it may be shown. */
  readonly complete: boolean;
};

const maxEntries = 200_000;
const executedLater = new Set(
  [
    "identity.org",
    ".envrc",
    ".vscode",
    ".idea",
    ".husky",
    ".devcontainer",
    ".gitlab-ci.yml",
    ".circleci",
    ".githooks",
    ".claude",
    ".cursor",
    ".codex",
    ".gemini",
    ".mcp.json",
    ".pre-commit-config.yaml",
    ".dir-locals.el",
    ".exrc",
    ".vimrc",
    ".nvimrc",
    ".gdbinit",
  ].concat([
    ".bashrc",
    ".profile",
    ".bash_profile",
    ".bash_login",
    ".bash_aliases",
    ".zshrc",
    ".zshenv",
    ".zprofile",
  ]),
);

/** Walks the names below a folder, outermost first, without following links. Secret paths and sockets are masked; files that are executed later are locked. */
export async function findProtectedPaths(
  root: string,
  isSecretPath: (path: string) => boolean,
  limit = maxEntries,
): Promise<ProtectedPaths> {
  const masked: { path: string; kind: "file" | "folder" }[] = [];
  const locked: string[] = [];
  const pinned = new Set<string>();
  const folders = [root];
  let entries = 0;
  for (const folder of folders) {
    const names = await readdir(folder, { withFileTypes: true }).catch(() => null);
    if (names === null) {
      masked.push({ path: folder, kind: "folder" });
      continue;
    }
    entries += names.length;
    if (entries > limit) return { masked, locked, pinned: [], complete: false };
    for (const entry of names) {
      const path = join(folder, entry.name);
      const kind = entry.isDirectory() ? "folder" : "file";
      if (entry.isSymbolicLink()) {
        if (isSecretPath(path)) masked.push(...(await linkedSecret(path)));
        continue;
      }
      if (isSecretPath(path) || entry.isSocket() || entry.isFIFO()) masked.push({ path, kind });
      else {
        if (isExecutedLater(folder, entry.name)) {
          locked.push(path);
          for (const above of repositoryAbove(folder, root)) pinned.add(above);
        }
        if (kind === "folder") folders.push(path);
      }
    }
  }
  return { masked, locked, pinned: [...pinned].sort(), complete: true };
}

/** A link with a secret name: its target is the secret. A circle of links has no target. */
async function linkedSecret(path: string): Promise<Confinement["masked"]> {
  const real = await realPath("/", path).catch(() => null);
  const status = real === null ? null : await stat(real).catch(() => null);
  if (real === null || status === null || real === "/dev/null") return [];
  return [{ path: real, kind: status.isDirectory() ? "folder" : "file" }];
}

/** The folder of a repository's own files (`.git`, `.github`) and the folders above it. Other folders may be moved for good reasons. */
function repositoryAbove(folder: string, root: string): readonly string[] {
  if (!/\/\.git(?:hub)?$/.test(folder)) return [];
  const above: string[] = [];
  for (let at = folder; at !== root && isWithin(at, root); at = dirname(at)) above.push(at);
  return above;
}

function isExecutedLater(folder: string, name: string): boolean {
  if (executedLater.has(name)) return true;
  if (/\/\.git(?:\/modules\/.*|\/worktrees\/.*)?$/.test(folder)) {
    return name === "hooks" || name === "config" || name === "config.worktree";
  }
  return folder.endsWith("/.github") && name === "workflows";
}
