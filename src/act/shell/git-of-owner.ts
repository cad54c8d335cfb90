import { mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bind } from "../sandbox/binds.ts";
import { sandboxHome } from "../sandbox/bubblewrap.ts";
import type { FilterSetting } from "./owner-git-filters.ts";
import { quote, readOwnerSettings, settingsFiles, type Unfollowed } from "./owner-git-settings.ts";

/**
 * What finding the owner's settings of git needs: their home folder, and a folder of the agent's own for the
 * files that commands see.
 */
export type GitOfOwnerParts = { readonly home: string; readonly folder: string };

/** What git takes from the owner's settings. */
export type GitOfOwner = {
  /** The files of settings that commands see. */
  readonly binds: readonly Bind[];
  /** The file with what git leaves alone, for each command. */
  readonly ignored: readonly Bind[];
  /** The folders of other users that git takes for safe. */
  readonly safe: readonly string[];
  /** What decides how the owner's commits are made, and not how those of commands are. */
  readonly unfollowed: ReadonlySet<Unfollowed>;
  /** What stands for the filters of these settings, which do not run. */
  readonly filters: readonly FilterSetting[];
};

/**
 * Opens what git takes from the owner's settings in the sandbox: who commits, how lines end, which files are
 * left alone, the folders of other users that the owner calls safe, and that its filters do not run, in files
 * without anything else of these. The settings of a repository win over it, as they do for the owner.
 */
export function openGitOfOwner(parts: GitOfOwnerParts): () => Promise<GitOfOwner> {
  let read = settingsFiles(parts.home);
  let known: { readonly stamp: string; readonly of: GitOfOwner } | null = null;
  return async () => {
    if (known === null || known.stamp !== stampOf(read)) {
      const settings = await readOwnerSettings(parts.home);
      read = settings.read;
      known = { stamp: stampOf(read), of: writeFiles(parts.folder, settings) };
    }
    return known.of;
  };
}

/** Changes when one of the files does. */
function stampOf(paths: readonly string[]): string {
  return paths
    .map((path) => statSync(path, { throwIfNoEntry: false, bigint: true }))
    .map((status) => (status === undefined ? "none" : `${status.ino} ${status.size} ${status.mtimeNs}`))
    .join(", ");
}

function writeFiles(
  folder: string,
  { files, safe, ignored, unfollowed, filters }: Awaited<ReturnType<typeof readOwnerSettings>>,
): GitOfOwner {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const bind = (name: string, text: string): readonly Bind[] => {
    if (text === "") return [];
    const path = join(folder, `git-${name.replaceAll("/", "-")}`);
    const partial = `${path}.${process.pid}`;
    writeFileSync(partial, text, { mode: 0o600 });
    renameSync(partial, path);
    return [{ from: path, to: join(sandboxHome, name) }];
  };
  const called = safe.slice(safe.lastIndexOf("") + 1);
  const section =
    called.length === 0 ? "" : `[safe]\n${called.map((each) => `\tdirectory = ${quote(each)}\n`).join("")}`;
  return {
    binds: [...files].flatMap(([name, text]) => bind(name, name === ".gitconfig" ? text + section : text)),
    ignored: bind(".config/git/ignore", ignored ?? ""),
    safe: called,
    unfollowed,
    filters,
  };
}
