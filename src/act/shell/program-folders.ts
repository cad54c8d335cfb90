import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import type { Label } from "../../signal/label.ts";
import { foldersToName, type PrivatePlaces, programFolderProblem } from "../../signal/program-folders.ts";
import { isInside } from "../../text/is-inside.ts";
import { isSettings, mayHoldKey } from "../../text/settings-files.ts";
import { bytesOfPath } from "../files/byte-names.ts";
import { refuseSpellings } from "../files/ignores-case.ts";
import { realPath } from "../files/real-path.ts";
import { statusIfThere } from "../files/status-if-there.ts";
import type { Bind } from "../sandbox/binds.ts";
import { type Mask, sandboxHome } from "../sandbox/bubblewrap.ts";
import type { ResolvedPathUse } from "./confine.ts";
import { inBatches } from "./in-batches.ts";
import { programStampStart } from "./loaded-code.ts";
import type { NamedFile } from "./named-files.ts";
import { findProtectedPaths } from "./protected-paths.ts";
import { seenPath, tellClosed } from "./seen-path.ts";

/** What a command sees of the folders that the owner declares as programs, read-only. */
export type ShownPrograms = {
  readonly folders: readonly Bind[];
  /** Other names of these folders, and theirs below the home folder of the sandbox. */
  readonly links: readonly Bind[];
  /** What in them no command sees. */
  readonly covered: readonly Mask[];
  /** The owner's `PATH`, as far as it is seen; null where no folder is shown. */
  readonly searchPath: string | null;
  /** The folders as they are now. A stamp changes when a file in its folder is new, changed or gone. */
  readonly stamps: readonly NamedFile[];
  /** Which declared folders are not shown, and why, in words. */
  readonly problems: readonly string[];
};

/** The folders that the owner declares as programs. */
export type ProgramFolders = {
  /** The setting with the folders of further programs; null where none of these may be declared. */
  readonly howToDeclare: (programs: readonly string[]) => string | null;
  /** Those that a session in a workspace may see, by their real paths, without a look into them. */
  readonly find: (workspace: string | null) => Promise<readonly string[]>;
  /** Looks each through, and shows none that cannot be looked through whole. */
  readonly look: (workspace: string | null) => Promise<ShownPrograms>;
};

/** No folder is declared. */
export const noPrograms: ShownPrograms = {
  folders: [],
  links: [],
  covered: [],
  searchPath: null,
  stamps: [],
  problems: [],
};

/** Files of one folder that are covered at most: each is a mount of its own. */
const mostCovered = 1_000;

/** The largest file of settings that is looked into, in bytes. */
const mostSettings = 1024 * 1024;

/** Paths whose verdicts of `isSecretPath` are remembered: to ask it takes most of the time of a look. */
const mostRemembered = 100_000;

/** `named`: absolute paths, as the owner wrote them. */
type Declared = Omit<PrivatePlaces, "workspace"> & {
  /** The label of a text file by what it holds. Default: public. */
  readonly labelOf?: (file: { readonly path: string; readonly tree: boolean }) => Promise<Label>;
  /** Whether a text holds a secret. Default: none does. */
  readonly holdsSecret?: (text: string) => boolean;
  /** What the owner took off the list of secret paths. A change of it clears the verdicts. Default: nothing. */
  readonly notSecret?: () => readonly string[];
  readonly named: readonly string[];
  readonly searchPath: string;
  /** Entries of one folder that are looked at. Default: that of a workspace. */
  readonly mostEntries?: number;
};

/** Opens the folders that the owner declares as programs. Each is looked at anew for each command line. */
export function openProgramFolders(given: Declared): ProgramFolders {
  const verdicts = new Map<string, boolean>();
  let exceptions = "";
  const isSecretPath = (path: string): boolean => {
    const verdict = verdicts.get(path) ?? given.isSecretPath(path);
    if (verdicts.size < mostRemembered) verdicts.set(path, verdict);
    return verdict;
  };
  const declared = { ...given, isSecretPath, publicTexts: new Set<string>() };
  return {
    howToDeclare: (programs) => howToDeclare(programs, declared),
    find: async (workspace) => {
      const found = await Promise.all(declared.named.map((name) => findFolder(name, workspace, declared)));
      return found.flatMap((each) => (typeof each === "string" || each.inWorkspace ? [] : [each.from]));
    },
    look: async (workspace) => {
      const now = (given.notSecret?.() ?? []).join("\0");
      if (now !== exceptions) verdicts.clear();
      exceptions = now;
      return look(workspace, declared);
    },
  };
}

function howToDeclare(programs: readonly string[], declared: Declared): string | null {
  const { home, named } = declared;
  const found = programs
    .flatMap((program) => foldersToName(program, home))
    .filter((folder) => programFolderProblem(folder, { ...declared, workspace: null }) === null);
  if (found.length === 0) return null;
  const short = (path: string): string => (isInside(home, path) ? `~${path.slice(home.length)}` : path);
  const all = [...new Set([...named, ...found])].map((path) => short(path).replaceAll(":", "\\:"));
  return all.join(":");
}

/** With the texts that were found public, by path and version. */
type Known = Declared & { readonly publicTexts: Set<string> };

async function look(workspace: string | null, declared: Known): Promise<ShownPrograms> {
  const problems: string[] = [];
  const looks: (Found & Looked)[] = [];
  for (const name of declared.named) {
    const found = await findFolder(name, workspace, declared);
    const looked = typeof found === "string" ? found : await lookThrough(found.from, declared);
    const lost =
      typeof found !== "string" && found.inWorkspace ? "no script finds its programs" : "no command sees it";
    if (typeof looked === "string") problems.push(`PROGRAM_FOLDERS names ${name}, and ${lost}: ${looked}`);
    else if (typeof found !== "string") looks.push({ ...found, ...looked });
  }
  // What is in the workspace is seen as the workspace.
  const shown = looks.filter(({ inWorkspace }) => !inWorkspace);
  const outer = shown.filter(
    ({ from }, index) =>
      !shown.some((other, at) => isInside(other.from, from) && (other.from !== from || at < index)),
  );
  const seen = [...outer, ...looks.filter(({ inWorkspace }) => inWorkspace)];
  const { folders, closed } = await seenPath(declared.searchPath, seen);
  return {
    folders: outer.map(({ from }) => ({ from, to: from })),
    links: linksTo(shown, workspace, declared.home),
    covered: outer.flatMap(({ covered }) => covered),
    searchPath: seen.length === 0 ? null : folders.join(":"),
    stamps: seen.map(({ from, stamp }) => ({ path: from, stamp })),
    problems: [...problems, ...closed.map(tellClosed)],
  };
}

type Found = Bind & { readonly inWorkspace: boolean };

/** A declared folder by its real path (`from`) and its name (`to`), or why it may not be shown. */
async function findFolder(
  name: string,
  workspace: string | null,
  declared: Declared,
): Promise<Found | string> {
  const from = await realPath("/", name).catch(() => null);
  if (from === null || (await statusIfThere(from).catch(() => null))?.isDirectory() !== true)
    return "there is no such folder. Correct the setting.";
  if (workspace !== null && isInside(workspace, from)) return { from, to: name, inWorkspace: true };
  return programFolderProblem(from, { ...declared, workspace }) ?? { from, to: name, inWorkspace: false };
}

type Looked = { readonly covered: readonly Mask[]; readonly stamp: string };

/**
 * Covers what is secret by its name, Org, private texts, settings with a key, repositories, manuals (which no
 * program needs) and what nobody but its owner may read, at any depth. Gives the reason where not all of that
 * can be found or covered.
 */
async function lookThrough(folder: string, known: Known): Promise<Looked | string> {
  const { isSecretPath, mostEntries } = known;
  const entries: string[] = [];
  const texts: Text[] = [];
  const isCovered = (path: string): boolean => {
    const status = lstatSync(bytesOfPath(path), { bigint: true, throwIfNoEntry: false });
    if (status === undefined) return true;
    const { ino, mode, size, mtimeNs, ctimeNs } = status;
    const version = [path, ino, mode, size, mtimeNs, ctimeNs].join(" ");
    entries.push(version);
    if (isSecretPath(path) || /\/share\/(?:doc|gtk-doc|help)$/.test(path)) return true;
    if (status.isSymbolicLink()) return false;
    if ((mode & 0o044n) === 0n || basename(path) === ".git" || isNote(path)) return true;
    if (status.isFile() && (isText(path) || isSettings(path))) texts.push({ path, version });
    return false;
  };
  const found = await findProtectedPaths(folder, isCovered, mostEntries);
  if (!found.complete)
    return "it has too many files to search them for what is private. Name a folder in it, such as that of one version.";
  const repositories = found.repositories.map((path): Mask => ({ path, kind: "folder" }));
  // Where a link leads elsewhere, nothing is seen of that.
  const privateTexts = (await findPrivate(texts, known)).map((path): Mask => ({ path, kind: "file" }));
  const covered = [...found.masked, ...repositories, ...privateTexts].filter(({ path }) =>
    isInside(folder, path),
  );
  if (covered.some(({ path }) => path === folder)) return "it may not be listed, or is a repository itself.";
  if (covered.length > mostCovered)
    return `it has more than ${mostCovered} files that are secret or that only you may read. If others may read its programs: chmod -R go+rX FOLDER.`;
  const nameless = covered.find(({ path }) => !path.isWellFormed());
  if (nameless !== undefined)
    return `${nameless.path.toWellFormed()} must be kept from commands, and its name is not in UTF-8. Rename it.`;
  const spelled = await refuseSpellings(covered.map(({ path }) => path));
  if (spelled !== null) return spelled;
  const digest = createHash("sha256").update(entries.toSorted().join("\0")).digest("hex");
  return { covered, stamp: `${programStampStart}${digest}` };
}

type Text = { readonly path: string; readonly version: string };

/** Which texts are private by what they hold. One that was public is read again once it changed. */
async function findPrivate(
  texts: readonly Text[],
  { labelOf, holdsSecret, publicTexts }: Known,
): Promise<readonly string[]> {
  const found: string[] = [];
  const unknown = texts.filter(({ version }) => !publicTexts.has(version));
  const labelled = inBatches(unknown, async (text) => {
    if (isSettings(text.path)) return { ...text, isPublic: await holdsNoKey(text.path, holdsSecret) };
    const label = await labelOf?.({ path: text.path, tree: true });
    return { ...text, isPublic: label === undefined || label.secrecy === "public" };
  });
  for await (const { path, version, isPublic } of labelled) {
    if (!isPublic) found.push(path);
    else if (publicTexts.size < mostRemembered) publicTexts.add(version);
  }
  return found;
}

/** Whether settings hold no key. What cannot be read, or is too large for settings, may hold one. */
async function holdsNoKey(path: string, holdsSecret: Known["holdsSecret"]): Promise<boolean> {
  const status = await statusIfThere(path).catch(() => null);
  if (status === null || status.size > mostSettings) return false;
  const text = await readFile(bytesOfPath(path), "utf8").catch(() => null);
  return text !== null && holdsSecret?.(text) !== true && !mayHoldKey(basename(path), text);
}

/** Whether a file is one that people write notes in, by its name. */
function isText(path: string): boolean {
  return /\.(?:md|mdx|markdown|mdown|txt|text|rst|adoc|asciidoc|tex|html?)$/i.test(path);
}

/** Whether a file holds Org by its name, or is a backup or an autosave of one. */
function isNote(path: string): boolean {
  return /\.org(?:_archive)?(?:[#~.].*)?$/i.test(basename(path));
}

/** What stays covered for a command: all but what it was judged to read, by name or below a folder. */
export function coveredFor(
  { covered }: Pick<ShownPrograms, "covered">,
  reads: readonly ResolvedPathUse[],
): readonly Mask[] {
  const isRead = (path: string): boolean =>
    reads.some(
      (use) => use.access === "contents" && (use.tree ? isInside(use.path, path) : use.path === path),
    );
  return covered.filter(({ path }) => !isRead(path));
}

/** Names that lead to the folders: none within another one, nor in the workspace, which has its own. */
function linksTo(shown: readonly Bind[], workspace: string | null, home: string): readonly Bind[] {
  const atHome = shown.flatMap(({ from, to }) =>
    [from, to]
      .filter((path) => isInside(home, path))
      .map((path) => ({ from, to: join(sandboxHome, relative(home, path)) })),
  );
  const named = shown.filter(({ to }) => workspace === null || !isInside(workspace, to));
  const links = [...new Map([...named, ...atHome].map(({ from, to }) => [to, { from, to }])).values()];
  const roots = shown.map(({ from }) => from);
  return links.filter(
    ({ to }) =>
      !roots.some((root) => isInside(root, to)) &&
      !links.some((other) => other.to !== to && isInside(other.to, to)),
  );
}
