import { join, relative } from "node:path";
import { foldersToName, type PrivatePlaces, programFolderProblem } from "../../signal/program-folders.ts";
import type { Waiting } from "../../signal/waiting.ts";
import { isInside } from "../../text/is-inside.ts";
import type { FoundEntries } from "../files/private-names.ts";
import { realPath } from "../files/real-path.ts";
import { statusIfThere } from "../files/status-if-there.ts";
import type { Bind } from "../sandbox/binds.ts";
import { type Mask, sandboxHome } from "../sandbox/bubblewrap.ts";
import type { ResolvedPathUse } from "./confine.ts";
import { type Looked, type LookRules, lookThrough } from "./look-through.ts";
import { LookedFolders } from "./looked-folders.ts";
import type { NamedFile } from "./named-files.ts";
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
  /** How much the look had to look at, and how long it took. */
  readonly cost: { readonly entries: number; readonly milliseconds: number };
};

/** The folders that the owner declares as programs. */
export type ProgramFolders = {
  /** The setting with the folders of further programs; null where none of these may be declared. */
  readonly howToDeclare: (programs: readonly string[]) => string | null;
  /** Those that a session in a workspace may see, by their real paths, without a look into them. */
  readonly find: (workspace: string | null) => Promise<readonly string[]>;
  /** The entries that the last look met in one of them; undefined where none was made yet. */
  readonly met: (folder: string) => FoundEntries | undefined;
  /**
   * Looks each through, and shows none that cannot be looked through whole. Throws once whoever waits for it
   * stopped it.
   */
  readonly look: (workspace: string | null, waiting?: Waiting) => Promise<ShownPrograms>;
};

/** No folder is declared. */
export const noPrograms: ShownPrograms = {
  folders: [],
  links: [],
  covered: [],
  searchPath: null,
  stamps: [],
  problems: [],
  cost: { entries: 0, milliseconds: 0 },
};

/** `named`: absolute paths, as the owner wrote them. */
type Declared = Omit<PrivatePlaces, "workspace"> &
  LookRules & {
    /** What the owner took off the list of secret paths. Default: nothing. */
    readonly notSecret?: () => readonly string[];
    readonly named: readonly string[];
    readonly searchPath: string;
    /** Entries of one folder that are looked at. Default: 200,000. */
    readonly mostEntries?: number;
    /** Milliseconds, as files have them. Default: that of the system. */
    readonly clock?: () => number;
  };

/** Opens the folders that the owner declares as programs. Each is looked at anew for each command line. */
export function openProgramFolders(given: Declared): ProgramFolders {
  const declared = { ...given, known: new Map<string, LookedFolders>() };
  let exceptions = "";
  return {
    howToDeclare: (programs) => howToDeclare(programs, declared),
    find: async (workspace) => {
      const found = await Promise.all(declared.named.map((name) => findFolder(name, workspace, declared)));
      return found.flatMap((each) => (typeof each === "string" || each.inWorkspace ? [] : [each.from]));
    },
    met: (folder) => declared.known.get(folder)?.met(),
    look: async (workspace, waiting) => {
      const now = (given.notSecret?.() ?? []).join("\0");
      if (now !== exceptions) declared.known.clear();
      exceptions = now;
      return look(workspace, { ...declared, waiting });
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
  const all = [...new Set([...named, ...found])];
  const outer = all.filter(
    (path) => named.includes(path) || !all.some((other) => other !== path && isInside(other, path)),
  );
  return outer.map((path) => short(path).replaceAll(":", "\\:")).join(":");
}

/** With what is known of the folders, and who waits for a look. */
type Known = Declared & {
  readonly known: Map<string, LookedFolders>;
  readonly waiting?: Waiting | undefined;
};

async function look(workspace: string | null, declared: Known): Promise<ShownPrograms> {
  const problems: string[] = [];
  const looks: (Found & Looked)[] = [];
  const begun = performance.now();
  for (const name of declared.named) {
    const found = await findFolder(name, workspace, declared);
    const looked = typeof found === "string" ? found : await lookAt(found.from, declared);
    const lost =
      typeof found !== "string" && found.inWorkspace ? "no script finds its programs" : "no command sees it";
    if (typeof looked === "string") problems.push(`PROGRAM_FOLDERS names ${name}, and ${lost}: ${looked}`);
    else if (typeof found !== "string") looks.push({ ...found, ...looked });
  }
  // What is in the workspace is seen as the workspace.
  const shown = looks.filter(({ inWorkspace }) => !inWorkspace);
  const { outer, lost } = withoutInner(shown);
  const seen = [...outer, ...looks.filter(({ inWorkspace }) => inWorkspace)];
  const { folders, closed } = await seenPath(declared.searchPath, seen);
  return {
    folders: outer.map(({ from }) => ({ from, to: from })),
    links: linksTo(shown, workspace, declared.home),
    covered: outer.flatMap(({ covered }) => covered),
    searchPath: seen.length === 0 ? null : folders.join(":"),
    stamps: seen.map(({ from, stamp }) => ({ path: from, stamp })),
    problems: [...problems, ...lost, ...closed.map(tellClosed)],
    cost: {
      entries: looks.reduce((sum, { entries }) => sum + entries, 0),
      milliseconds: performance.now() - begun,
    },
  };
}

/**
 * Looks through a folder; or says why it is not shown. Below a hidden folder of the home all is of programs.
 */
async function lookAt(folder: string, declared: Known): Promise<Looked | string> {
  const known = declared.known.get(folder) ?? new LookedFolders(folder, declared.isSecretPath);
  declared.known.set(folder, known);
  const looked = await lookThrough(folder, known, declared);
  if (typeof looked === "string" || looked.hasPrograms || folder.startsWith(`${declared.home}/.`))
    return looked;
  return "no program lies in it, nor in any bin below it. Name the folder of a program instead, such as ~/.nvm or /opt/NAME.";
}

type Found = Bind & { readonly inWorkspace: boolean };

/**
 * The folders that are in no other one, and those that another one covers: the owner named them, so what
 * covers them whole does not count. Where more is covered around one, it is lost, in words.
 */
function withoutInner(shown: readonly (Found & Looked)[]): {
  readonly outer: readonly (Found & Looked)[];
  readonly lost: readonly string[];
} {
  const lost: string[] = [];
  const outer = shown.filter(({ from, to }, index) => {
    const around = shown.filter(
      (other, at) => isInside(other.from, from) && (other.from !== from || at < index),
    );
    const covers = around.flatMap(({ covered }) => covered.filter(({ path }) => isInside(path, from)));
    const cover = covers.find(({ path }) => path !== from);
    if (cover !== undefined)
      lost.push(
        `PROGRAM_FOLDERS names ${to}, and no command sees it: ${cover.path}, around it, is covered. Take the folder out in which both lie, or let others enter: chmod go+rx ${cover.path}`,
      );
    return around.length === 0 || (covers.length > 0 && cover === undefined);
  });
  const named = new Set(outer.map(({ from }) => from));
  const seen = outer.map((each) => ({
    ...each,
    covered: each.covered.filter(({ path }) => !named.has(path)),
  }));
  return { outer: seen, lost };
}

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
