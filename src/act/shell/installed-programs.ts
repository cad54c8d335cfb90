import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, resolve } from "node:path";
import { type Folders, notesFolders } from "../../signal/facts.ts";
import { isInside } from "../../signal/is-inside.ts";
import { followLinks } from "../files/real-path.ts";
import { statusIfThere } from "../files/status-if-there.ts";
import type { Bind } from "../sandbox/binds.ts";
import type { Mask } from "../sandbox/bubblewrap.ts";
import { isSystemFile } from "../sandbox/system-folders.ts";
import type { Binary } from "./binary.ts";
import { isInstallation, type PrivatePlaces } from "./installation.ts";
import { findPrivateFiles } from "./private-files.ts";
import { ProgramsView } from "./programs-view.ts";
import { findProtectedPaths } from "./protected-paths.ts";
import { type FolderSeen, seenOfFolders, whyNotFound, whyPartlySeen } from "./unseen-programs.ts";

/** What commands see of the owner's programs outside of the system and the workspace. */
export type ShownPrograms = {
  readonly binds: readonly Bind[];
  /** Links on the way to them, with their own words. */
  readonly links: readonly Bind[];
  readonly masked: readonly Mask[];
  /** The folders of `PATH` that it sees, in the owner's order. */
  readonly folders: readonly string[];
  /** The owner's variables that name a folder of theirs. */
  readonly variables: ReadonlyMap<string, string>;
  /** Whether its own program is among them. */
  readonly hasOwn: boolean;
};

/** What finding the owner's programs needs. */
export type InstalledProgramsParts = Omit<PrivatePlaces, "workspace"> & {
  /** `PATH`. */
  readonly searchPath: string;
  /** The owner's variables whose value is an absolute path. Default: none. */
  readonly folderVariables?: ReadonlyMap<string, string>;
  /** Finds secrets in a text. */
  readonly scan: (text: string) => readonly unknown[];
};

/** A command, as far as it decides what it sees. */
type Command = {
  readonly binary: Pick<Binary, "path" | "real"> | null;
  readonly proof: string | null;
};

/** Entries of an installation that are searched for secrets, outermost first. */
const mostSearched = 1_000;

type Searched = {
  readonly stamp: string;
  readonly looked: readonly string[];
  readonly masked: readonly Mask[];
};

/** Opens what commands see of the owner's programs, by the settings. */
export function openInstalledPrograms({
  folders,
  ...settings
}: Pick<InstalledProgramsParts, "searchPath" | "folderVariables" | "isSecretPath" | "scan"> & {
  readonly folders: Omit<Folders, "workspace">;
}): InstalledPrograms {
  const own = folders.own.filter((folder) => folders.readable?.includes(folder) !== true);
  return new InstalledPrograms({ ...settings, home: folders.home, kept: [...own, ...notesFolders(folders)] });
}

/** Finds what commands see of the owner's programs, and remembers it until a folder of theirs changes. */
export class InstalledPrograms {
  readonly #parts: InstalledProgramsParts;
  readonly #folders: readonly string[];
  readonly #views = new Map<string, { readonly stamp: string; readonly view: ProgramsView }>();
  readonly #searched = new Map<string, Searched>();

  constructor(parts: InstalledProgramsParts) {
    this.#parts = parts;
    const folders = parts.searchPath.split(":").filter(isAbsolute);
    this.#folders = [...new Set(folders.map((folder) => resolve(folder)))];
  }

  /** What a command sees: all programs of `PATH`; one that was proved to only read, its own alone. */
  async of({ binary, proof }: Command, workspace: string | null): Promise<ShownPrograms> {
    const places = { ...this.#parts, workspace };
    const view = proof === null ? (await this.#viewOfPath(places)).copy() : new ProgramsView(places);
    const own = binary !== null && this.#folders.includes(dirname(binary.path)) ? binary : null;
    if (own !== null) {
      await view.addFolder(dirname(own.path));
      await view.addProgram(own.path, { isNamed: true });
    }
    const roots = view.roots();
    const masked = await Promise.all(roots.map((root) => this.#masksIn(root)));
    return {
      binds: view.binds(),
      links: view.links(),
      masked: [...masked.flat(), ...(await socketsIn(roots))],
      folders: await foldersSeen(
        view,
        proof === null ? this.#folders : own === null ? [] : [dirname(own.path)],
      ),
      variables: proof === null ? await this.#variablesIn(roots) : new Map(),
      hasOwn: own !== null && view.has(own.real),
    };
  }

  /** Why a program of `PATH` may lack files in the sandbox, and what to do, in words; null where it does not. */
  async whyPartlySeen(program: string, workspace: string | null): Promise<string | null> {
    const isOfPath = this.#folders.includes(dirname(program));
    return isOfPath ? whyPartlySeen(program, { ...this.#parts, workspace }) : null;
  }

  /** Why a program of `PATH` is not found by others in the sandbox, in words; null where none is there. */
  whyNotFound(name: string, workspace: string | null): Promise<string | null> {
    return whyNotFound(name, this.#folders, { ...this.#parts, workspace });
  }

  /** What commands see of each folder of `PATH` that is not the system's. */
  seenOfFolders(): Promise<readonly FolderSeen[]> {
    return seenOfFolders(this.#folders, { ...this.#parts, workspace: null });
  }

  /** The programs of all folders of `PATH`, and the installations that variables name. */
  async #viewOfPath(places: PrivatePlaces): Promise<ProgramsView> {
    const key = places.workspace ?? "";
    const stamp = await stampOf(this.#folders);
    const known = this.#views.get(key);
    if (known?.stamp === stamp) return known.view;
    const view = new ProgramsView(places);
    const shown = new Set<string>();
    for (const folder of this.#folders) {
      const real = await view.addFolder(folder);
      if (real !== null && view.roots().some((root) => isInside(root, real))) shown.add(real);
    }
    for (const value of this.#parts.folderVariables?.values() ?? []) {
      const folder = await folderAt(value);
      if (folder !== null && (await isInstallation(folder, view.roots(), places))) view.addRoot(folder);
    }
    for (const folder of shown) await view.addProgramsIn(folder);
    this.#views.set(key, { stamp, view });
    return view;
  }

  /** The variables whose value is a folder that is seen, there or in the system. */
  async #variablesIn(roots: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const seen: [string, string][] = [];
    for (const [name, value] of this.#parts.folderVariables ?? []) {
      const folder = await folderAt(value);
      if (folder !== null && ["/usr", ...roots].some((root) => isInside(root, folder)))
        seen.push([name, value]);
    }
    return new Map(seen);
  }

  /** What of an installation is not seen: secret files, sockets, and what git keeps. */
  async #masksIn(root: string): Promise<readonly Mask[]> {
    const known = this.#searched.get(root);
    if (known !== undefined && known.stamp === (await stampOf(known.looked))) return known.masked;
    const { masked, repositories, folders } = await findProtectedPaths(
      root,
      this.#parts.isSecretPath,
      mostSearched,
    );
    const objects = repositories.map((path): Mask => ({ path, kind: "folder" }));
    const settings = await findPrivateFiles(root, (text) => this.#parts.scan(text).length > 0);
    const files = settings.found.map((path): Mask => ({ path, kind: "file" }));
    const looked = [...folders, ...settings.looked];
    const found = { stamp: await stampOf(looked), looked, masked: [...masked, ...objects, ...files] };
    this.#searched.set(root, found);
    return found.masked;
  }
}

/** The folders among some of `PATH` in which a view shows the programs. */
async function foldersSeen(view: ProgramsView, folders: readonly string[]): Promise<readonly string[]> {
  const seen: string[] = [];
  for (const folder of folders) {
    const { path, obstacle } = await followLinks(folder);
    const isShown = isSystemFile(path) || view.roots().some((root) => isInside(root, path));
    if (obstacle === null && isShown) seen.push(folder);
  }
  return seen;
}

/** The real path of a folder that a variable names; null where it names none. */
async function folderAt(value: string): Promise<string | null> {
  const { path, obstacle } = await followLinks(value);
  return obstacle === null && (await statusIfThere(path))?.isDirectory() === true ? path : null;
}

/** The sockets that processes of this machine listen at below some folders, as far as they named them by their path. */
async function socketsIn(roots: readonly string[]): Promise<readonly Mask[]> {
  if (roots.length === 0) return [];
  const table = await readFile("/proc/net/unix", "utf8").catch(() => "");
  const paths = table.split("\n").map((line) => /^(?:\S+ +){7}(\/.*)$/.exec(line)?.[1] ?? "");
  const inside = paths.filter((path) => path !== "" && roots.some((root) => isInside(root, path)));
  const there = await Promise.all(
    inside.map(async (path) => ((await statusIfThere(path)) === null ? [] : [path])),
  );
  return [...new Set(there.flat())].map((path) => ({ path, kind: "file" }));
}

/** Changes when a name in one of some folders does, what is in one of some files, or the right to read it. */
async function stampOf(paths: readonly string[]): Promise<string> {
  const found = await Promise.all(paths.map(statusIfThere));
  return found
    .map((status) => (status === null ? "none" : `${status.dev}/${status.ino} ${status.ctimeMs}`))
    .join(", ");
}
